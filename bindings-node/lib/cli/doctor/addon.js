import { native } from "../../native.js";
import { TRIPLES, triple } from "../../platform.js";
import { PACKAGE } from "../called-as.js";
import { version } from "../version.js";
import { checksOf } from "./check.js";

const { ok, error } = checksOf("Native part");

/** Nothing of the user's is read for asking the version. */
const NOTHING = { config: false, cache: false, audit: { enabled: false } };

export function addonChecks() {
	const name = triple();
	const again = `npm install --include=optional ${PACKAGE}`;
	try {
		const own = versionOf(native());
		if (own === version) return [ok("addon.loads", `${version} for ${name}`)];
		return [
			error("addon.version", `the native part for ${name} is of version ${own}, and the package of ${version}`, again),
		];
	} catch (thrown) {
		const { message, hint } = /** @type {Error & {hint?: string}} */ (thrown);
		// Where there is no binary to install, the hint says how to build one.
		const fix = process.env.AGENT_TOOLS_NATIVE_PATH ? "unset AGENT_TOOLS_NATIVE_PATH" : again;
		return [error("addon.loads", message, TRIPLES.includes(name) ? fix : hint)];
	}
}

/** @param {import("../../native-types.d.ts").Native} addon */
function versionOf({ NativeRuntime }) {
	const runtime = NativeRuntime.open(JSON.stringify(NOTHING), async () => JSON.stringify({ ok: null }));
	try {
		return JSON.parse(runtime.status()).version;
	} finally {
		runtime.closeNow();
	}
}
