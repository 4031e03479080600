import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CLI, ROOT } from "../../harness/paths.js";
import { onlyRepositoryPlugins } from "../../harness/repository-plugins.js";
import { onTerminal } from "../../harness/terminal.js";
import { Screen } from "./screen.js";
import { svg } from "./svg.js";

export const FOLDER = path.join(ROOT, "docs/pictures");

/**
 * @typedef {object} Shown what a picture shows
 * @property {string} name of its file
 * @property {string} title for who does not see it
 * @property {string} typed
 * @property {string[]} args the same, as the shell makes it
 * @property {string[]} plugins of this repository
 * @property {object} [mcpServers]
 * @property {import("../../harness/terminal.js").Reaction[]} [reactions]
 * @property {string[]} [groups] paragraphs that are shown, by their first line; in the place of others are dots
 */

const GONE = { calendar: { command: "calendar-server" } };

/** @type {Shown[]} */
export const pictures = [
	{
		name: "terminal-list",
		title: "agent-tools list: the plugins with their state, and what one lacks",
		typed: "agent-tools list",
		args: ["list"],
		plugins: ["demo", "everything", "tasks"],
		mcpServers: GONE,
	},
	{
		name: "terminal-discover",
		title: "agent-tools discover: the hits of a search, and why each has its place",
		typed: 'agent-tools discover --limit 2 --explain "create an issue"',
		args: ["discover", "--limit", "2", "--explain", "create an issue"],
		plugins: ["demo", "github"],
	},
	{
		name: "terminal-call",
		title: "agent-tools call: the question before a change, and the tool's answer",
		typed: "agent-tools call demo create_issue --arg title='Export fails'",
		args: ["call", "demo", "create_issue", "--arg", "title=Export fails"],
		plugins: ["demo"],
		reactions: [[/\[N\]o: /, "y\r"]],
	},
	{
		name: "terminal-cost",
		title: "agent-tools cost: the tokens that each view takes, as bars and tables",
		typed: "agent-tools cost",
		args: ["cost"],
		plugins: ["everything", "github", "ollama"],
	},
	{
		name: "terminal-doctor",
		title: "agent-tools doctor: what is wrong with plugins and clients, and what mends it",
		typed: "agent-tools doctor",
		args: ["doctor"],
		plugins: ["demo", "tasks"],
		mcpServers: GONE,
		groups: ["Configuration", "Plugins", "Clients"],
	},
];

/** What differs from one machine and one run to another; the same length, as lines are broken by it. @type {[RegExp, string][]} */
const ALWAYS = [
	[/\bc[0-9a-f]{8}-(\d+)\b/g, "c9f2ab31a-$1"],
	[/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\b/g, "2026-01-05T09:30:00.000Z"],
];

/**
 * The picture, from what the command prints now.
 *
 * @param {Parameters<typeof onTerminal>[0]} t
 * @param {Shown} shown
 */
export async function pictureOf(t, shown) {
	const { title, typed, args, reactions, groups } = shown;
	const { home, project, env } = user(t, shown);
	const printed = await onTerminal(t, [process.execPath, CLI, ...args], { cwd: project, env, reactions });
	const all = [[home, "~"], ...ALWAYS].reduce((text, [from, to]) => text.replaceAll(from, String(to)), printed.shown);
	const lines = Screen.lines(`\u001b[32m$\u001b[39m \u001b[1m${typed}\u001b[22m\n${all.trimEnd()}`);
	return svg(groups ? only(lines, groups) : lines, title);
}

/**
 * Somebody who has some plugins and a client. The path of the home has the same length everywhere.
 *
 * @param {{after(end: () => unknown): void}} t
 * @param {Shown} shown
 */
function user(t, { plugins, mcpServers }) {
	const home = mkdtempSync("/tmp/home-");
	t.after(() => rmSync(home, { recursive: true, force: true }));
	const [project, cursor] = [path.join(home, "project"), path.join(home, ".cursor")];
	for (const folder of [project, cursor]) mkdirSync(folder);
	const entry = { command: "agent-tools-runtime", args: ["mcp"] };
	writeFileSync(path.join(cursor, "mcp.json"), JSON.stringify({ mcpServers: { "agent-tools": entry } }));
	const content = { mcpServers, plugins: onlyRepositoryPlugins(...plugins) };
	const settings = path.join(home, ".config/agent-tools");
	mkdirSync(settings, { recursive: true });
	writeFileSync(path.join(settings, "agent-tools.json"), JSON.stringify(content));
	const env = { HOME: home, PATH: "/usr/bin:/bin", TERM: "xterm", LANG: "C.UTF-8" };
	return { home, project, env };
}

/**
 * @param {import("./screen.js").Run[][]} lines
 * @param {string[]} groups
 */
function only([typed = [], ...lines], groups) {
	const dots = [{ text: "⋮", look: { colour: 90 } }];
	const kept = [typed];
	let shows = false;
	let first = true;
	for (const line of lines) {
		if (first) shows = groups.includes(line.map(({ text }) => text).join(""));
		first = line.length === 0;
		if (shows) kept.push(line);
		else if (kept.at(-1) !== dots) kept.push(dots);
	}
	return kept;
}
