import { typicalQueries } from "./queries.js";

/**
 * @typedef {import("../../../index.d.ts").Runtime} Runtime
 * @typedef {import("../../../index.d.ts").Tool} Tool
 * @typedef {import("../../../index.d.ts").View} View
 * @typedef {import("../../../index.d.ts").View["kind"]} Kind
 * @typedef {(text: string) => number} Count tokens of a text
 *
 * @typedef {object} AtRest what every request to the model carries
 * @property {number} tools how many the list has
 * @property {number} tokens of the list, as `listText` writes it
 * @property {number} instructions tokens of the server's instructions, which a client may show to the model beside the list
 *
 * @typedef {{queries: number, mean: number, max: number}} Replies tokens of a `discover` reply; the mean is rounded
 *
 * @typedef {AtRest & {discover?: Replies}} ViewCost `discover` is missing where the view has no such tool
 *
 * @typedef {object} PluginCost
 * @property {string} prefix
 * @property {number} tools how many the service has
 * @property {Record<string, ViewCost>} views of the plugin alone
 *
 * @typedef {object} Costs
 * @property {number} tools how many all services have
 * @property {Record<string, ViewCost>} views of all plugins together
 * @property {PluginCost[]} plugins
 */

/** The first shows every tool by itself: what the others are compared with. @type {Kind[]} */
export const VIEWS = ["flat", "facade", "unified", "auto"];

/**
 * Starts every plugin. One that failed or needs set-up is left out.
 *
 * @param {Runtime} runtime
 * @param {Count} count
 * @param {{plugin?: string}} [only] measure this plugin alone
 * @returns {Promise<Costs>}
 */
export async function measure(runtime, count, { plugin: only } = {}) {
	await runtime.loadAll();
	const { plugins: all } = await runtime.status();
	const chosen = all.filter(({ prefix, state }) =>
		only === undefined ? !/^(failed|needs set-up)$/.test(state) : prefix === only,
	);

	/** @type {Map<string, string[]>} */
	const searches = new Map();
	const plugins = [];
	for (const { prefix } of chosen) {
		const tools = await ownTools(runtime, prefix);
		const queries = typicalQueries(tools);
		searches.set(prefix, queries);
		const views = await costsOf(runtime, count, prefix, new Map([[prefix, queries]]));
		plugins.push({ prefix, tools: tools.length, views });
	}
	const tools = plugins.reduce((sum, plugin) => sum + plugin.tools, 0);
	return { tools, views: await costsOf(runtime, count, only, searches), plugins };
}

/**
 * @param {Runtime} runtime
 * @param {Count} count
 * @param {string | undefined} plugin
 * @param {Map<string, string[]>} searches by prefix
 */
async function costsOf(runtime, count, plugin, searches) {
	/** @type {Record<string, ViewCost>} */
	const costs = {};
	for (const kind of VIEWS) {
		const view = { kind, plugin };
		const replies = await discoverTokens(runtime, count, view, searches);
		costs[kind] = { ...(await atRest(runtime, count, view)), ...(replies && { discover: replies }) };
	}
	return costs;
}

/**
 * @param {Runtime} runtime
 * @param {Count} count
 * @param {View} view
 * @returns {Promise<AtRest>}
 */
export async function atRest(runtime, count, view) {
	const tools = await runtime.tools(view);
	const instructions = await runtime.instructions(view);
	return { tools: tools.length, tokens: count(listText(tools)), instructions: count(instructions) };
}

/**
 * What a model provider gets of a list: names, descriptions and input schemas.
 *
 * @param {Tool[]} tools
 */
export function listText(tools) {
	return JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
}

/**
 * Searches, each in the plugin it is for where the view has a search for each.
 *
 * @param {Runtime} runtime
 * @param {Count} count
 * @param {View} view
 * @param {Map<string, string[]>} searches by prefix
 * @returns {Promise<Replies | undefined>}
 */
export async function discoverTokens(runtime, count, view, searches) {
	const names = new Set((await runtime.tools(view)).map(({ name }) => name));
	const sizes = [];
	for (const [prefix, queries] of searches) {
		const tool = [`agent_tools_${prefix}_discover`, "agent_tools_discover"].find((name) => names.has(name));
		for (const query of tool === undefined ? [] : queries) {
			const { content } = await runtime.callTool(String(tool), { query }, { view });
			sizes.push(count(content.map((part) => (part.type === "text" ? part.text : "")).join("\n")));
		}
	}
	return sizes.length > 0 ? summary(sizes) : undefined;
}

/**
 * The plugin's tools and skills, without what the view adds.
 *
 * @param {Runtime} runtime
 * @param {string} plugin
 */
async function ownTools(runtime, plugin) {
	const tools = await runtime.tools({ kind: "flat", plugin });
	return tools.filter(({ name }) => name !== "read_more");
}

/** @param {number[]} sizes */
function summary(sizes) {
	const sum = sizes.reduce((total, size) => total + size, 0);
	return { queries: sizes.length, mean: Math.round(sum / sizes.length), max: Math.max(...sizes) };
}
