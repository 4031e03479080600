import { calledAs } from "../called-as.js";

/**
 * By what the core says of a plugin that does not work. The first that fits counts.
 *
 * @type {[RegExp, (found: RegExpExecArray, plugin: {prefix: string, file: string}) => string][]}
 */
const FIXES = [
	[/environment variable (\w+) is not set/, ([, name]) => `export ${name}=…`],
	[/no secret is kept under the name (\S+)/, ([, name]) => `${calledAs()} secret set ${name}`],
	[
		/secret's file (.+) cannot be used: No such file/,
		([, file]) => `(umask 077; cat > '${file}'), and type the secret`,
	],
	[/`?(chmod \d+ [^`;,]+)/, ([, command]) => String(command).trim()],
	[/agent-tools login|log in|UPSTREAM_AUTH/, (_, { prefix }) => `${calledAs()} login ${prefix}`],
	[/command not found: "([^"]+)"/, ([, command], { file }) => `install ${command}, or correct \`command\` in ${file}`],
	[
		/could not be reached at (\S+?):? /,
		([, address], { file }) => `start what should listen on ${address}, or correct \`url\` in ${file}`,
	],
	[/^(set|install) \w+/, (found) => setUp(found.input)],
];

/**
 * @param {string} reason
 * @param {string} prefix
 * @param {string} [file] where the plugin is configured
 */
export function fixOf(reason, prefix, file = "agent-tools.json") {
	for (const [pattern, fix] of FIXES) {
		const found = pattern.exec(reason);
		if (found) return fix(found, { prefix, file });
	}
	return `AGENT_TOOLS_LOG=debug ${calledAs()} doctor --plugin ${prefix}`;
}

/**
 * What has to be set, of `set A or B (what it is; from where) and C (…)`; what is to be installed says so itself.
 *
 * @param {string} sentence
 */
function setUp(sentence) {
	const [set = ""] = withoutBrackets(sentence).split(/;? *\binstall /);
	const names = set.matchAll(/\b([A-Z][A-Z0-9_]+)(?: or [A-Z][A-Z0-9_]+)*/g);
	const install = /(?<=^|; )install .*$/s.exec(sentence)?.[0];
	return [...[...names].map(([, name]) => `export ${name}=…`), install].filter(Boolean).join("; ");
}

/** They may stand within each other. @param {string} text */
function withoutBrackets(text) {
	let depth = 0;
	return [...text]
		.filter((c) => {
			if (c === "(") depth++;
			if (c === ")" && depth > 0) return depth-- === 0;
			return depth === 0;
		})
		.join("");
}
