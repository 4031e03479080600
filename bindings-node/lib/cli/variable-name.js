import { checkNoSecret } from "./looks-secret.js";
import { UsageError } from "./usage-error.js";

/** @param {string} text */
export function isVariableName(text) {
	return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

/**
 * Refuses what an option is given in place of the name of a variable: most often its value.
 *
 * @param {string} typed
 * @param {string} option such as `--bearer-env`
 * @param {string} example a name
 */
export function checkVariableName(typed, option, example) {
	checkNoSecret(typed, `what \`${option}\` is given`);
	if (!isVariableName(typed)) {
		throw new UsageError(`${option} takes the name of a variable`, `Such as: ${option} ${example}`);
	}
}
