import { parse } from "./command-line.js";
import { commands } from "./commands.js";
import { printError } from "./report.js";
import { exitCodeOf } from "./usage-error.js";
import { checkWorkingFolder } from "./working-folder.js";

/** @param {string[]} args */
export async function main(args) {
	// Whoever read stderr may be gone; that is no reason to stop serving.
	process.stderr.on("error", () => {});
	// Node would print it as it is.
	process.on("uncaughtException", (error) => {
		printError(error);
		process.exit(1);
	});
	try {
		const { command, options, args: words } = parse(args);
		if (command !== "help" && command !== "version") checkWorkingFolder();
		/** @type {import("./commands.js").Run} */
		const run = await commands[command].load();
		await run(options, ...words);
	} catch (error) {
		printError(error);
		process.exitCode = exitCodeOf(error);
	}
}
