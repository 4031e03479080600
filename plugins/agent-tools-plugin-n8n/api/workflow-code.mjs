// A workflow as somebody wrote it: JSON as n8n exports it.

import { refusal } from "./call.mjs";
import { shortType } from "./workflows.mjs";

/**
 * @typedef {import("./workflows.mjs").Node} Node
 * @typedef {import("./workflows.mjs").Connections} Connections
 * @typedef {{nodes: Node[], connections: Connections, settings: Record<string, unknown>}} Code
 */

const SHAPE = 'It is JSON with "nodes" and "connections", as n8n exports a workflow; tools get_workflow shows one.';

/**
 * Only what n8n takes for a new workflow: an export also has ids, tags and dates.
 *
 * @param {unknown} code JSON, as text or parsed
 * @returns {Code}
 */
export function readCode(code) {
	const { nodes, connections = {}, settings } = Object(typeof code === "string" ? parsed(code) : code);
	if (!Array.isArray(nodes) || nodes.length === 0) throw refusal("code has no nodes.", SHAPE);
	const names = new Set();
	for (const [index, node] of nodes.entries()) {
		const { name, type } = Object(node);
		if (typeof name !== "string" || typeof type !== "string")
			throw refusal(`Node ${index} of code has no name or no type.`, SHAPE);
		if (names.has(name))
			throw refusal(`Two nodes of code are called ${JSON.stringify(name)}; connections go by the name.`);
		names.add(name);
	}
	for (const name of connectedNames(connections)) {
		if (!names.has(name))
			throw refusal(`A connection of code names the node ${JSON.stringify(name)}, which is not there.`);
	}
	return { nodes: nodes.map(complete), connections, settings: settings ?? {} };
}

/** @param {string} text */
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw refusal(`code is no JSON: ${/** @type {Error} */ (error).message}`, SHAPE);
	}
}

/**
 * What n8n wants of every node and what only its editor would care about.
 *
 * @param {Node} node
 * @param {number} index
 */
function complete(node, index) {
	return { typeVersion: 1, position: [index * 220, 0], parameters: {}, ...node };
}

/**
 * @param {Connections} connections
 * @returns {string[]}
 */
function connectedNames(connections) {
	const targets = Object.values(connections).flatMap((kinds) => Object.values(kinds).flat(2));
	return [...Object.keys(connections), ...targets.filter((target) => target !== null).map(({ node }) => node)];
}

/**
 * The path of the webhook that a POST can start the workflow by.
 *
 * @param {Node[]} nodes
 * @returns {string | undefined}
 */
export function postWebhook(nodes) {
	const webhook = nodes.find(({ type, disabled, parameters = {} }) => {
		const { httpMethod, path } = parameters;
		const takesPost = httpMethod === "POST" || (Array.isArray(httpMethod) && httpMethod.includes("POST"));
		return (
			shortType(type) === "webhook" && !disabled && takesPost && typeof path === "string" && /^[^/:=]+$/.test(path)
		);
	});
	return /** @type {string | undefined} */ (webhook?.parameters?.path);
}

/**
 * What of the code is not in the workflow that n8n has stored.
 *
 * @param {Code} code
 * @param {Code} stored
 * @returns {string[]}
 */
export function differences({ nodes, connections }, stored) {
	const found = [];
	for (const { name, type, parameters = {} } of nodes) {
		const same = stored.nodes.find((node) => node.name === name);
		if (!same) found.push(`node ${name} is missing`);
		else if (same.type !== type || !isWithin(parameters, same.parameters ?? {}))
			found.push(`node ${name} is not the same`);
	}
	if (!isWithin(connections, stored.connections)) found.push("connections are not the same");
	return found;
}

/**
 * Whether everything given is there; n8n may add defaults.
 *
 * @param {unknown} given
 * @param {unknown} stored
 * @returns {boolean}
 */
function isWithin(given, stored) {
	if (typeof given !== "object" || given === null) return given === stored;
	if (typeof stored !== "object" || stored === null) return false;
	if (Array.isArray(given) && given.length !== /** @type {unknown[]} */ (stored).length) return false;
	return Object.entries(given).every(([key, value]) =>
		isWithin(value, /** @type {Record<string, unknown>} */ (stored)[key]),
	);
}
