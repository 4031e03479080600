import { existsSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../runtime.js";
import { printError } from "./report.js";
import { exitCodeOf, UsageError } from "./usage-error.js";

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
 * @param {{ignoreHangup?: boolean, watch?: boolean, view?: import("../../index.d.ts").ViewKind, open?: import("../../index.d.ts").RuntimeOptions}} [how]
 *   `ignoreHangup`: go on when the terminal is closed; `watch`: find plugins again when they change; `view`: what servers
 *   show; `open`: what to open instead of what the options say
 */
export async function runRuntime(options, work, { ignoreHangup, watch = false, view, open = opened(options) } = {}) {
	const runtime = await Runtime.open({ watch, ...(view && { view }), ...open });

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
		code = Number(process.exitCode ?? 0);
	} catch (error) {
		// Work that a signal has ended has not failed.
		if (leaving === undefined) printError(error);
		code = exitCodeOf(error);
	}
	await closeAndLeave(runtime, code);
}

/**
 * What the options say is to be opened.
 *
 * @param {import("./command-line.js").CommandOptions} options
 * @returns {import("../../index.d.ts").RuntimeOptions}
 */
export function opened({ config, "plugins-dir": dirs, pin }) {
	if (config !== undefined && !existsSync(config)) {
		throw new UsageError(`the configuration file ${path.resolve(config)} does not exist`, "Correct --config.");
	}
	return {
		...(config !== undefined && { config: path.resolve(config) }),
		...(pin && { pin }),
		...(dirs && { pluginDirs: [...dirs.map((dir) => path.resolve(dir)), ...fromEnvironment()] }),
	};
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
