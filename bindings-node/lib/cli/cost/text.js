import { ENCODING } from "./tokenizer.js";

/**
 * @typedef {import("./measure.js").Costs} Costs
 * @typedef {import("./measure.js").PluginCost} PluginCost
 * @typedef {import("./measure.js").ViewCost} ViewCost
 */

const COLUMNS = 80;
const BAR = 25;
const CYAN = "\u001b[36m";
const RESET = "\u001b[39m";
/** An eighth of a block up to a whole one. */
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/**
 * Tables and bars of at most 80 columns.
 *
 * @param {Costs} costs
 * @param {{rich?: boolean}} [look] `rich`: in colour, with block characters
 */
export function costText({ tools, views, plugins }, { rich = false } = {}) {
	return [
		`${counted(plugins.length, "plugin")} with ${counted(tools, "tool and skill", "tools and skills")}, in tokens of ${ENCODING}`,
		"",
		"At rest: the tool list, which every request to the model carries",
		...bars(views, rich),
		"",
		"Beside it: the server's instructions, where a client shows them to the model",
		`  ${Object.entries(views)
			.map(([kind, { instructions }]) => `${kind} ${grouped(instructions)}`)
			.join(", ")}`,
		"",
		"A search: what one discover reply adds",
		...searches(views),
		"",
		"Each plugin alone: at rest in each view, then mean/max of a discover reply",
		...byPlugin(plugins),
		"",
	].join("\n");
}

/**
 * @param {Record<string, ViewCost>} views
 * @param {boolean} rich
 */
function bars(views, rich) {
	const all = views.flat?.tokens ?? 0;
	const longest = Math.max(1, ...Object.values(views).map(({ tokens }) => tokens));
	return Object.entries(views).map(([kind, { tools, tokens }]) => {
		const share = all > 0 ? `${percent(tokens / all)} %` : "";
		const bar = drawn((tokens / longest) * BAR, rich);
		const numbers = `  ${kind.padEnd(8)}${grouped(tools).padStart(6)} tools ${grouped(tokens).padStart(9)}`;
		return `${numbers}  ${bar}  ${share.padStart(7)}${same(kind, views)}`.trimEnd();
	});
}

/**
 * The view that `auto` has chosen.
 *
 * @param {string} kind
 * @param {Record<string, ViewCost>} views
 */
function same(kind, views) {
	if (kind !== "auto") return "";
	const { tools, tokens } = views.auto ?? {};
	const as = Object.keys(views).find(
		(other) => other !== kind && views[other]?.tokens === tokens && views[other]?.tools === tools,
	);
	return as ? `  = ${as}` : "";
}

/**
 * @param {number} length in characters
 * @param {boolean} rich
 */
function drawn(length, rich) {
	if (!rich) return "#".repeat(Math.max(1, Math.round(length))).padEnd(BAR);
	const eighths = Math.max(1, Math.round(length * 8));
	const bar = "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
	return `${CYAN}${bar}${RESET}${" ".repeat(Math.max(0, BAR - bar.length))}`;
}

/** @param {Record<string, ViewCost>} views */
function searches(views) {
	return Object.entries(views).map(([kind, { discover }]) => {
		if (!discover) return `  ${kind.padEnd(8)} none: the view has no search`;
		const { mean, max, queries } = discover;
		return `  ${kind.padEnd(8)} mean ${grouped(mean)}, max ${grouped(max)}, of ${grouped(queries)} searches`;
	});
}

/** @param {PluginCost[]} plugins */
function byPlugin(plugins) {
	const kinds = Object.keys(plugins[0]?.views ?? {});
	// What `auto` has chosen stands beside it already.
	const searched = kinds.filter((kind) => kind !== "auto" && plugins.some(({ views }) => views[kind]?.discover));
	const rows = [
		["PLUGIN", "TOOLS", ...[...kinds, ...searched].map((kind) => kind.toUpperCase())],
		...plugins.map(({ prefix, tools, views }) => [
			prefix,
			grouped(tools),
			...kinds.map((kind) => grouped(views[kind]?.tokens ?? 0)),
			...searched.map((kind) => pair(views[kind])),
		]),
	];
	return aligned(rows);
}

/** @param {ViewCost} [cost] */
function pair(cost) {
	return cost?.discover ? `${cost.discover.mean}/${cost.discover.max}` : "-";
}

/**
 * The first column takes what the others leave of a line, and is cut where that is too little.
 *
 * @param {string[][]} rows
 */
function aligned(rows) {
	const [first = 0, ...others] = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map((row) => row[column]?.length ?? 0)),
	);
	const rest = others.reduce((sum, width) => sum + width + 2, 0);
	const room = Math.min(first, COLUMNS - 2 - rest);
	return rows.map(([name = "", ...cells]) => {
		const shown = name.length > room ? `${name.slice(0, room - 2)}..` : name.padEnd(room);
		return `  ${shown}${cells.map((cell, i) => `  ${cell.padStart(others[i] ?? 0)}`).join("")}`;
	});
}

/** @param {number} share */
function percent(share) {
	const percents = share * 100;
	return percents < 10 ? percents.toFixed(1) : Math.round(percents).toString();
}

/**
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
function counted(number, one, many = `${one}s`) {
	return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** @param {number} number */
function grouped(number) {
	return number.toLocaleString("en-US");
}
