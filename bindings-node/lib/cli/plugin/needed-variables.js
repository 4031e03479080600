import { checkNoSecret } from "../looks-secret.js";
import { UsageError } from "../usage-error.js";
import { isVariableName } from "../variable-name.js";

/** @typedef {import("./kinds.js").Environment} Environment */

/**
 * The variables that `--env` names.
 *
 * @param {string[]} names
 * @param {string} description
 * @returns {Environment}
 */
export function neededVariables(names, description) {
	for (const name of names) {
		checkNoSecret(name.replace(/^[^=]*=/, ""), "what `--env` is given");
		if (!isVariableName(name)) {
			throw new UsageError(
				`\`${name.replace(/=.*/s, "=…")}\` is no name of a variable`,
				`Give its name alone; its value is read where it is set.`,
			);
		}
		if (!process.env[name]) {
			throw new UsageError(
				`the variable ${name} is not set, and the plugin is tried with it`,
				`Set it in this terminal, and run the command again.`,
			);
		}
	}
	return Object.fromEntries(names.map((name) => [name, { description, required: true }]));
}

/**
 * For the README.
 *
 * @param {Environment} environment
 */
export function credentialsText(environment) {
	const rows = Object.entries(environment).map(
		([name, { description = "", required }]) => `| \`${name}\` | ${description}${required ? "" : "; optional"} |`,
	);
	if (rows.length === 0)
		return "None. A variable that the service needs is declared in `environment` of `plugin.json`.";
	return ["| variable | |", "|---|---|", ...rows].join("\n");
}
