import { constants } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../runtime.js";
import { printError } from "./report.js";
import { exitCodeOf } from "./usage-error.js";

/** Longer than any well-behaved plugin needs to end. */
const CLOSE_MS = 2000;

/** npm passes on a Ctrl-C that the terminal has delivered already: that is no second one. */
const ECHO_MS = 250;

/** @type {NodeJS.Signals[]} */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Opens a runtime, works with it, closes it and ends the process. A signal closes it too; a second one ends at once.
 *
 * @param {import("./command-line.js").CommandOptions} options
 * @param {(runtime: Runtime) => Promise<void>} work
 * @param {{ignoreHangup?: boolean, watch?: boolean}} [how] `ignoreHangup`: go on when the terminal is closed; `watch`: find
 * plugins again when they change
 */
export async function runRuntime(options, work, { ignoreHangup = false, watch = false } = {}) {
	const dirs = options["plugins-dir"]?.map((dir) => path.resolve(dir));
	const runtime = await Runtime.open({ watch, ...(dirs && { pluginDirs: [...dirs, ...fromEnvironment()] }) });

	for (const signal of SIGNALS) {
		const code = 128 + constants.signals[signal];
		let first = 0;
		process.on(signal, () => {
			if (signal === "SIGHUP" && ignoreHangup) return;
			first ||= Date.now();
			if (Date.now() - first > ECHO_MS) leave(runtime, code);
			void closeAndLeave(runtime, code);
		});
	}

	let code = 0;
	try {
		await work(runtime);
	} catch (error) {
		printError(error);
		code = exitCodeOf(error);
	}
	await closeAndLeave(runtime, code);
}

/** @type {Promise<never> | undefined} */
let leaving;

/**
 * The first to ask decides the exit code: closing makes the work end as well.
 *
 * @param {Runtime} runtime
 * @param {number} code
 */
function closeAndLeave(runtime, code) {
	leaving ??= (async () => {
		await Promise.race([runtime.close().catch(printError), sleep(CLOSE_MS)]);
		return leave(runtime, code);
	})();
	return leaving;
}

/**
 * @param {Runtime} runtime
 * @param {number} code
 * @returns {never}
 */
function leave(runtime, code) {
	runtime.closeNow();
	process.exit(code);
}

function fromEnvironment() {
	return (process.env.AGENT_TOOLS_PLUGINS_DIR ?? "").split(path.delimiter).filter(Boolean);
}
