import { call, callAny, refusal } from "../api/call.mjs";
import { awaitExecution } from "../api/executions.mjs";
import { differences, postWebhook, readCode } from "../api/workflow-code.mjs";

/**
 * @typedef {import("../api/call.mjs").Adapter} Adapter
 * @typedef {import("../api/workflows.mjs").Workflow} Workflow
 */

export const meta = {
	description:
		"Create an n8n workflow, read it back (confirmed), and if wanted publish it and run it once through its webhook",
	args: "code, name, publish?, execute?",
	inputSchema: {
		type: "object",
		properties: {
			code: {
				type: ["string", "object"],
				description: 'The workflow as JSON, as n8n exports it: {"nodes": […], "connections": {…}, "settings": {…}}',
			},
			name: { type: "string", minLength: 1, description: "What it is called" },
			publish: { type: "boolean", description: "Also publish (activate) it; default: false" },
			execute: {
				type: "boolean",
				description:
					"Also run it once and wait for the end; needs publish: true and a Webhook node with method POST. Default: false",
			},
		},
		required: ["code", "name"],
		additionalProperties: false,
	},
};

const UNKNOWN_END =
	"n8n lists no ended run of it: it still runs (list_executions with status running), or this instance does not keep such runs.";

/**
 * @param {Adapter} adapter
 * @param {{code: unknown, name: string, publish?: boolean, execute?: boolean}} args
 */
export async function run(adapter, { code: written, name, publish = false, execute = false }) {
	const code = readCode(written);
	const path = postWebhook(code.nodes);
	if (execute && !publish) throw refusal("execute needs publish: true, as n8n's REST API only runs what is published.");
	if (execute && path === undefined) {
		throw refusal(
			"execute needs a Webhook node with httpMethod POST and a path without slashes: n8n's REST API cannot run a workflow in another way. Nothing was created.",
			"Add such a node, or leave out execute; execute_workflow of the plugin n8nmcp runs other workflows.",
		);
	}
	/** @type {Workflow} */
	const { id } = await call(adapter, "create_workflow", { name, ...code });
	/** @type {Workflow} */
	const stored = await call(adapter, "get_workflow", { workflowId: id });
	const differing = differences(code, { ...stored, settings: stored.settings ?? {} });
	if (stored.name !== name) differing.push("the name is not the same");
	const created = {
		confirmed: differing.length === 0,
		...(differing.length > 0 ? { differences: differing } : {}),
		workflow: { id, name: stored.name, nodes: stored.nodes.length },
	};
	if (!publish) return { ...created, published: false };
	return { ...created, ...(await published(adapter, id, execute ? path : undefined)) };
}

/**
 * What went wrong from here on is an answer, not an error: the workflow is there, and its id must not be lost.
 *
 * @param {Adapter} adapter
 * @param {string} workflowId
 * @param {string} [path] of the webhook to run it by
 */
async function published(adapter, workflowId, path) {
	try {
		/** @type {Workflow} */
		const { active } = await call(adapter, "publish_workflow", { workflowId });
		if (path === undefined) return { published: active };
	} catch (error) {
		return { published: false, problem: messageOf(error) };
	}
	try {
		const answer = await callAny(adapter, "call_webhook", { path, body: {} });
		const execution = await awaitExecution(adapter, workflowId);
		if (!execution) return { published: true, executed: null, answer, problem: UNKNOWN_END };
		return { published: true, executed: execution.status === "success", answer, execution };
	} catch (error) {
		return { published: true, executed: false, problem: messageOf(error) };
	}
}

/** @param {unknown} error */
function messageOf(error) {
	return error instanceof Error ? error.message : String(error);
}
