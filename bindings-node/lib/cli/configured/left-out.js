// What the runtime's warnings say of one entry.

/**
 * Those that name it, and not only a path in which its name stands.
 *
 * @param {string} name
 * @param {string[]} warnings
 */
export function warningsAbout(name, warnings) {
	return warnings.filter((warning) => warning.split(/[\s:,;()"`]+/).some((word) => lastPart(word) === name));
}

/**
 * Why the runtime does not use an entry, without what is known already.
 *
 * @param {string} name
 * @param {string[]} files where it may stand
 * @param {string[]} warnings
 */
export function whyLeftOut(name, files, warnings) {
	// What was named `./file` is shown so, behind the folder.
	const plain = warnings.map((warning) => warning.replaceAll(/([/\\])\.\//g, "$1"));
	const [warning] = warningsAbout(name, plain).filter((one) => files.some((file) => one.includes(file)));
	return warning && withoutPlace(name, files, warning);
}

/**
 * @param {string} name
 * @param {string[]} files
 * @param {string} warning
 */
function withoutPlace(name, files, warning) {
	const told = warning.replace(/^a plugin was left out: /, "");
	const file = files.find((one) => told.startsWith(`${one}: `));
	const said = file ? told.slice(file.length + 2) : told;
	const [, what = said] = said.startsWith(name)
		? (/^(?:: | was left out: )(.*)$/s.exec(said.slice(name.length)) ?? [])
		: [];
	return what;
}

/** `mcpServers.NAME` names it too, as a sentence's last word does. @param {string} word */
function lastPart(word) {
	return word.replace(/\.$/, "").replace(/^(mcpServers|openapi|cli)\./, "");
}
