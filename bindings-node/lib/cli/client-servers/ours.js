const OURS = /agent-tools(-runtime)?(\.js|\.cmd|\.exe)?$|@rckflr\/agent-tools-runtime/;

/**
 * Whether an entry starts or reaches this runtime.
 *
 * @param {import("./entries.js").Entry} entry
 */
export function isOurs({ name, command, args, url }) {
	if (url) return /^agent-?tools/i.test(name) && /\/mcp([/?#]|$)/.test(url);
	return command !== undefined && [command, ...args].some((word) => OURS.test(word.replace(/@[\w.^~-]+$/, "")));
}
