import { parse } from "./command-line.js";
import { commands } from "./commands.js";
import { printError } from "./report.js";
import { exitCodeOf } from "./usage-error.js";

/** @param {string[]} args */
export async function main(args) {
	// Whoever read stderr may be gone; that is no reason to stop serving.
	process.stderr.on("error", () => {});
	try {
		const { command, options } = parse(args);
		const { run } = await commands[command].load();
		await run(options);
	} catch (error) {
		printError(error);
		process.exitCode = exitCodeOf(error);
	}
}
