// Globs of names, as runtime/src/catalog/glob.rs has them.

/**
 * The regular expression of a glob; undefined for what is none.
 *
 * @param {string} glob
 * @returns {RegExp | undefined}
 */
export function globPattern(glob) {
	let pattern = "";
	let depth = 0;
	for (const [part] of glob.matchAll(/\\.?|\[[!^]?\]?[^\]]*\]?|[^\\[]/gsu)) {
		if (part.startsWith("\\")) pattern += literal(part.slice(1));
		else if (part.startsWith("[")) pattern += memberOf(part);
		else if (part === "*") pattern += ".*";
		else if (part === "?") pattern += ".";
		else if (part === "{") {
			depth++;
			pattern += "(?:";
		} else if (part === "}") {
			depth--;
			pattern += ")";
		} else if (part === "," && depth > 0) pattern += "|";
		else pattern += literal(part);
	}
	try {
		return new RegExp(`^(?:${pattern})$`, "su");
	} catch {
		return undefined;
	}
}

/** Whether it is a name as it stands. @param {string} glob */
export function isName(glob) {
	return !/[*?[\]{}\\]/.test(glob);
}

/** @param {string} part `[…]` */
function memberOf(part) {
	const [, not = "", members = ""] = /^\[([!^]?)(.*)\]$/s.exec(part) ?? [];
	return `[${not && "^"}${members.replace(/[\\\]^[]/g, "\\$&")}]`;
}

/** @param {string} text */
function literal(text) {
	return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
