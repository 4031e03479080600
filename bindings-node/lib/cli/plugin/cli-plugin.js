import { spawnSync } from "node:child_process";
import path from "node:path";
import { UsageError } from "../usage-error.js";
import { credentialsText, neededVariables } from "./needed-variables.js";

/** What programs take that say who they are, the commonest first. */
const VERSION_FLAGS = ["--version", "-V", "version", "--help"];
const PATIENCE_MS = 10_000;

/** @type {import("./kinds.js").Kind} */
export function cliPlugin({ source, env }) {
	const [program, extra] = source;
	const usage = "Usage: agent-tools plugin new NAME --from cli PROGRAM";
	if (program === undefined) throw new UsageError("`--from cli` needs the program", usage);
	if (extra !== undefined) {
		throw new UsageError(
			`\`--from cli\` takes one program, but got \`${extra}\` too`,
			"Its arguments go into plugin.json.",
		);
	}
	// The runtime reads a path from the plugin's folder on, and looks for a name in PATH.
	const isPath = /[/\\]/.test(program);
	const command = isPath ? path.resolve(program) : program;
	const flag = versionFlag(command, program);
	const environment = neededVariables(env, `a variable of ${program}`);
	return {
		description: `The program ${path.basename(program)}: its version, and runs of it`,
		words: { PROGRAM: command, VERSION_FLAG: flag, CREDENTIALS: credentialsText(environment) },
		environment,
		extension: isPath ? {} : { programs: { [program]: "your system's package manager" } },
		notes: [
			"Replace the sample `run` in plugin.json by a tool for each thing to do; one that only reads has `readOnly: true`.",
			...(isPath ? [`plugin.json names ${command}, a path of this machine.`] : []),
		],
		ifBroken: `Look whether \`${program} ${flag}\` runs in a terminal.`,
	};
}

/**
 * What the program takes without complaint.
 *
 * @param {string} command
 * @param {string} typed
 */
function versionFlag(command, typed) {
	for (const flag of VERSION_FLAGS) {
		const { status, error } = spawnSync(command, [flag], { stdio: "ignore", timeout: PATIENCE_MS, windowsHide: true });
		if (status === 0) return flag;
		const { code } = /** @type {NodeJS.ErrnoException} */ (error ?? {});
		if (code === "ENOENT" || code === "EACCES") {
			throw new UsageError(
				`there is no program \`${typed}\``,
				"Install it, or correct its name: it is looked for in PATH, or where a path says.",
			);
		}
	}
	throw new UsageError(
		`\`${typed}\` ends well with none of ${VERSION_FLAGS.join(", ")}`,
		"The plugin's first tool has to run; take --from js for a program that needs more.",
	);
}
