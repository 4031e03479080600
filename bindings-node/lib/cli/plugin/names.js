import { UsageError } from "../usage-error.js";

const PACKAGE = "agent-tools-plugin-";
/** What npm allows in the name of a new package, less `~`, which no folder should have. */
const NAME = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/;
/** What is left of the 64 characters of `agent_tools_<prefix>_run_skill`. */
const LONGEST_PREFIX = 42;
/** @see runtime/src/plugin/prefix.rs */
const PREFIX = new RegExp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,${LONGEST_PREFIX - 1}}$`);
const LONGEST_PACKAGE = 214;

/**
 * The name behind `agent-tools-plugin-`, which may stand before it.
 *
 * @param {string} typed
 */
export function checkedName(typed) {
	const name = typed.startsWith(PACKAGE) ? typed.slice(PACKAGE.length) : typed;
	if (!NAME.test(name)) {
		const near = name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-");
		const legal = near.replaceAll(/^[._-]+|[._-]+$/g, "");
		throw new UsageError(
			`\`${typed}\` cannot be the name of an npm package`,
			`A name has small letters, digits, \`-\`, \`_\` and \`.\`, and a letter or digit at both ends${legal ? `: \`${legal}\`` : ""}.`,
		);
	}
	if (packageOf(name).length > LONGEST_PACKAGE) {
		throw new UsageError(
			`the name is too long: ${packageOf(name).length} characters with \`${PACKAGE}\``,
			`npm allows ${LONGEST_PACKAGE}.`,
		);
	}
	return name;
}

/** @param {string} name */
export function packageOf(name) {
	return `${PACKAGE}${name}`;
}

/**
 * Part of every tool's name: the one that was asked for, or one made of the name.
 *
 * @param {string} name
 * @param {string} [asked]
 */
export function checkedPrefix(name, asked) {
	const prefix = asked ?? name.replaceAll(".", "_");
	if (isPrefix(prefix)) return prefix;
	const rule = `A prefix ${PREFIX_RULE}.`;
	if (asked !== undefined) throw new UsageError(`\`${asked}\` cannot be a prefix`, rule);
	throw new UsageError(`\`${prefix}\` is too long for a prefix`, `Name a shorter one: --prefix PREFIX. ${rule}`);
}

/** What a prefix has. */
export const PREFIX_RULE = `has letters, digits, \`-\` and \`_\`, a letter or digit first, and at most ${LONGEST_PREFIX} characters`;

/** Whether it may be part of tools' names as it is. @param {string} text */
export function isPrefix(text) {
	return PREFIX.test(text);
}

/** The nearest prefix, if there is one. @param {string} text @returns {string | undefined} */
export function nearestPrefix(text) {
	const clean = text.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replace(/^[_-]+/, "");
	return clean.slice(0, LONGEST_PREFIX).replace(/[_-]+$/, "") || undefined;
}

/**
 * What the names of the plugin's variables begin with.
 *
 * @param {string} name
 */
export function variableStem(name) {
	const stem = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
	// No shell can set one that begins with a digit.
	return /^\d/.test(stem) ? `PLUGIN_${stem}` : stem;
}
