import { configFiles } from "./places.js";

/**
 * By what the core says of a plugin that does not work. The first that fits counts.
 *
 * @type {[RegExp, (found: RegExpExecArray, prefix: string) => string][]}
 */
const FIXES = [
	[/environment variable (\w+) is not set/, ([, name]) => `export ${name}=…`],
	[/no secret is kept under the name (\S+)/, ([, name]) => `agent-tools secret set ${name}`],
	[
		/secret's file (.+) cannot be used: No such file/,
		([, file]) => `(umask 077; cat > '${file}'), and type the secret`,
	],
	[/`?(chmod \d+ [^`;,]+)/, ([, command]) => String(command).trim()],
	[/agent-tools login|log in|UPSTREAM_AUTH/, (_, prefix) => `agent-tools login ${prefix}`],
	[/command not found: "([^"]+)"/, ([, command]) => `install ${command}, or correct \`command\` in ${place()}`],
	[
		/could not be reached at (\S+?):? /,
		([, address]) => `start what should listen on ${address}, or correct \`url\` in ${place()}`,
	],
	[/^(set|install) \w+/, (found) => setUp(found.input)],
];

/**
 * @param {string} reason
 * @param {string} prefix
 */
export function fixOf(reason, prefix) {
	for (const [pattern, fix] of FIXES) {
		const found = pattern.exec(reason);
		if (found) return fix(found, prefix);
	}
	return `AGENT_TOOLS_LOG=debug agent-tools doctor --plugin ${prefix}`;
}

/**
 * What has to be set, of `set A or B (what it is; from where) and C (…)`.
 *
 * @param {string} sentence
 */
function setUp(sentence) {
	const names = sentence.replace(/\([^()]*\)/g, "").match(/\b[A-Z][A-Z0-9_]{2,}\b(?! or)/g) ?? [];
	const first = sentence
		.replace(/\([^()]*\)/g, "")
		.matchAll(/\b([A-Z][A-Z0-9_]{2,})\b((?: or [A-Z][A-Z0-9_]{2,}\b)*)/g);
	const commands = [...first].map(([, name]) => `export ${name}=…`);
	return names.length > 0 && commands.length > 0 ? commands.join("; ") : sentence;
}

function place() {
	return configFiles()[0] ?? "agent-tools.json";
}
