// Secrets that stand in the parameters of nodes, where everybody who can read the workflow reads them.

/** @typedef {import("../api/workflows.mjs").Node} Node */

const KEY =
	/pass(word|wd|phrase)?$|secret|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|(access|auth|bearer|refresh|api|bot)[-_ ]?token|^token$|^authorization$/i;
const VALUES = [
	/\bsk-[A-Za-z0-9_-]{16,}/,
	/\bgh[pousr]_[A-Za-z0-9]{30,}/,
	/\bgithub_pat_[A-Za-z0-9_]{30,}/,
	/\bglpat-[A-Za-z0-9_-]{20,}/,
	/\bxox[abeprs]-[A-Za-z0-9-]{10,}/,
	/\b(AKIA|ASIA)[A-Z0-9]{16}\b/,
	/\bAIza[A-Za-z0-9_-]{35}/,
	/\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/,
	/-----BEGIN [A-Z ]*PRIVATE KEY-----/,
	/\b(Bearer|Basic) [A-Za-z0-9+/_.=-]{16,}/,
	/\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@{]+@/i,
];
const HIDDEN = "[secret]";

/**
 * Where secrets stand, as paths; never what they are.
 *
 * @param {Node} node
 * @returns {string[]}
 */
export function secretsOf({ parameters = {} }) {
	/** @type {string[]} */
	const paths = [];
	mapped(parameters, (path) => {
		paths.push(path);
		return HIDDEN;
	});
	return paths;
}

/**
 * The node with `[secret]` where one stood.
 *
 * @template {Node} N
 * @param {N} node
 * @returns {N}
 */
export function withoutSecrets(node) {
	return { ...node, parameters: mapped(node.parameters ?? {}, () => HIDDEN) };
}

/**
 * @param {unknown} value
 * @param {(path: string) => string} replace called for each secret
 * @param {string} [path]
 * @param {string} [key]
 * @returns {unknown}
 */
function mapped(value, replace, path = "", key = "") {
	if (typeof value === "string") return isSecret(key, value) ? replace(path) : value;
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) return value.map((item, index) => mapped(item, replace, `${path}[${index}]`, key));
	// Headers, queries and fields are lists of {name, value}.
	const { name } = /** @type {{name?: unknown}} */ (value);
	const entries = Object.entries(value).map(([own, inner]) => {
		const known = own === "value" && typeof name === "string" ? name : own;
		return [own, mapped(inner, replace, path === "" ? own : `${path}.${own}`, known)];
	});
	return Object.fromEntries(entries);
}

/**
 * @param {string} key
 * @param {string} value
 */
function isSecret(key, value) {
	if (VALUES.some((pattern) => pattern.test(value))) return true;
	// `={{ $env.KEY }}` and its like take the value from elsewhere.
	return KEY.test(key) && value.length >= 4 && !value.startsWith("=") && !/\{\{|^\$|\s/.test(value);
}
