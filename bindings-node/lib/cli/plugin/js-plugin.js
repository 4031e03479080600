import { UsageError } from "../usage-error.js";

/** @type {import("./kinds.js").Kind} */
export function jsPlugin({ name, source }) {
	if (source.length > 0) {
		throw new UsageError(
			`\`--from js\` takes no source, but got \`${source[0]}\``,
			"It writes a sample adapter.mjs, to be filled with what calls your service.",
		);
	}
	return {
		description: `Notes of ${name}: list them, add one`,
		notes: ["Replace the sample in adapter.mjs, and name what only reads in `readonlyTools` of plugin.json."],
		ifBroken: "This is a fault of agent-tools-runtime; please report it.",
	};
}
