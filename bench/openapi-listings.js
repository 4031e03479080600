import { Runtime } from "../bindings-node/index.js";
import { SERVICES } from "../e2e/openapi/services.js";
import { percentile, sampleInTurns } from "./samples.js";

const SIZE = { rounds: 3, each: 4 };

/**
 * From the document of a real service to the list of its tools, each time in a new runtime.
 *
 * @returns {Promise<import("./table.js").Row[]>}
 */
export async function openApiListings() {
	const runs = Object.fromEntries(
		SERVICES.map((service) => [`list ${service.name}, ${service.operations} operations`, () => list(service)]),
	);
	const times = await sampleInTurns(runs, SIZE);
	return Object.entries(times).map(([name, ascending]) => ({
		name,
		value: `${(percentile(ascending, 50) / 1000).toFixed(0)} ms`,
		aim: "≤ 2000 ms",
	}));
}

/** @param {import("../e2e/openapi/services.js").Service} service */
async function list({ document, operations, settings }) {
	const openapi = { document, baseUrl: "http://127.0.0.1:1", ...settings };
	const runtime = await Runtime.open({ cache: false, pluginDirs: [], plugins: [{ prefix: "x", openapi }] });
	try {
		const tools = await runtime.tools({ kind: "flat", plugin: "x" });
		// And `read_more`.
		if (tools.length !== operations + 1) throw new Error(`${document}: ${tools.length} tools`);
	} finally {
		await runtime.close();
	}
}
