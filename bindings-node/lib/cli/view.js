import { UsageError } from "./usage-error.js";

/** @typedef {import("../../index.d.ts").ViewKind} ViewKind */

/** @type {ViewKind[]} */
export const VIEWS = ["auto", "unified", "facade", "flat"];

/**
 * The view that the command line or the environment names, if one does.
 *
 * @param {string | undefined} flag
 * @returns {ViewKind | undefined}
 */
export function namedView(flag) {
	const [value, source] = flag === undefined ? [process.env.AGENT_TOOLS_VIEW, "AGENT_TOOLS_VIEW"] : [flag, "--view"];
	if (!value) return undefined;
	const kind = VIEWS.find((known) => known === value);
	if (kind) return kind;
	throw new UsageError(`${source} is ${VIEWS.map((known) => `\`${known}\``).join(", ")}, not \`${value}\``);
}

/**
 * The view of a client that asks for none: what was named, else what the configuration says, else what costs least.
 *
 * @param {ViewKind | undefined} named
 * @param {import("../../index.d.ts").Status} status
 * @returns {ViewKind}
 */
export function viewFor(named, { view: configured }) {
	return named ?? configured ?? "auto";
}
