const PACKAGE = /^@rckflr\/agent-tools-runtime(@|$)/;
const PROGRAM = /^agent-tools(-runtime)?(\.js|\.cmd|\.exe)?$/;
const SCRIPT = "agent-tools-runtime.js";

/**
 * Whether an entry starts or reaches this runtime, as runtime/src/config/import/ours.rs sees it.
 *
 * @param {import("./entries.js").Entry} entry
 */
export function isOurs({ name, command, args, url }) {
	if (url) return /^agent-?tools/i.test(name) && /\/mcp\/?([?#]|$)/.test(url);
	const isProgram = command !== undefined && PROGRAM.test(fileName(command));
	return isProgram || args.some((word) => PACKAGE.test(word) || fileName(word) === SCRIPT);
}

/** @param {string} path */
function fileName(path) {
	return path.split(/[/\\]/).at(-1) ?? path;
}
