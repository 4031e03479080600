import { setTimeout as delay } from "node:timers/promises";
import { call, N8nError } from "./call.mjs";
import { listAll } from "./pages.mjs";

/**
 * @typedef {import("./call.mjs").Adapter} Adapter
 *
 * @typedef {object} Node
 * @property {string} [id]
 * @property {string} name
 * @property {string} type
 * @property {number} [typeVersion]
 * @property {boolean} [disabled]
 * @property {Record<string, unknown>} [parameters]
 * @property {Record<string, {id?: string | null, name?: string}>} [credentials]
 *
 * @typedef {Record<string, Record<string, ({node: string}[] | null)[]>>} Connections by the node they start from and their kind
 *
 * @typedef {object} Workflow
 * @property {string} id
 * @property {string} name
 * @property {boolean} active
 * @property {boolean} [isArchived]
 * @property {string} [versionId]
 * @property {string | null} [activeVersionId]
 * @property {string} [createdAt]
 * @property {string} [updatedAt]
 * @property {Node[]} nodes
 * @property {Connections} connections
 * @property {Record<string, unknown> | null} [settings]
 * @property {{name: string}[]} [tags]
 * @property {{nodes: Node[], connections: Connections} | null} [activeVersion] what runs, where it is published
 */

/** Triggers whose type does not end with Trigger. */
const OTHER_TRIGGERS = new Set(["webhook", "start", "cron", "interval", "emailReadImap"]);
const UNPUBLISHING = { tries: 8, pauseMs: 700 };

/**
 * @param {Adapter} adapter
 * @param {{active?: boolean}} [filter]
 * @param {{enough?: number, keep?: (workflow: Workflow) => boolean}} [wanted]
 */
export function listWorkflows(adapter, { active } = {}, wanted = {}) {
	const args = active === undefined ? {} : { active };
	return /** @type {Promise<{items: Workflow[], more: boolean}>} */ (
		listAll(adapter, "export_workflows", args, wanted)
	);
}

/** @param {Node} node */
export function isTrigger({ type }) {
	return /trigger$/i.test(type) || OTHER_TRIGGERS.has(shortType(type));
}

/** @param {string} type such as n8n-nodes-base.webhook */
export function shortType(type) {
	return type.slice(type.lastIndexOf(".") + 1);
}

/**
 * Deletes it, also where it is published: newer versions answer 409 to that until it has been unpublished, which takes them a moment.
 *
 * @param {Adapter} adapter
 * @param {string} workflowId
 * @returns {Promise<{unpublished: boolean}>}
 */
export async function removeWorkflow(adapter, workflowId) {
	let unpublished = false;
	for (let tries = 1; ; tries++) {
		try {
			await call(adapter, "delete_workflow", { workflowId });
			return { unpublished };
		} catch (error) {
			if (!(error instanceof N8nError) || error.status !== 409 || tries === UNPUBLISHING.tries) throw error;
		}
		if (unpublished) await delay(UNPUBLISHING.pauseMs);
		else await call(adapter, "unpublish_workflow", { workflowId });
		unpublished = true;
	}
}

/**
 * Whether reading it is answered with 404.
 *
 * @param {Adapter} adapter
 * @param {string} tool
 * @param {object} args
 */
export async function isGone(adapter, tool, args) {
	try {
		await call(adapter, tool, args);
		return false;
	} catch (error) {
		if (error instanceof N8nError && error.status === 404) return true;
		throw error;
	}
}
