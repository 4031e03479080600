// The worker thread of one JavaScript plugin. Its other side is plugin-thread.js.

import { workerData } from "node:worker_threads";
import { AgentToolsError } from "./agent-tools-error.js";
import { ChildRegistry } from "./child-registry.js";
import { errEnvelope, okEnvelope } from "./envelope.js";
import { parseExactly } from "./json-text.js";
import { loadAdapter, loadSkills } from "./plugin-modules.js";
import { PluginSession } from "./plugin-session.js";
import { recordChildren } from "./record-children.js";
import { redirectOutput } from "./redirect-output.js";

/**
 * @typedef {{id: number, op: string, json: string}} OpMessage
 * @typedef {{skillCall: number, json?: string, error?: {message: string, code?: string, hint?: string}}} SkillCallAnswer
 * @typedef {{plugin: string, dir: string, adapter?: string, adapterExport?: string, skills?: string[]}} OpenRequest
 */

/**
 * A channel of our own: `parentPort` is the plugin's too, and what it sends there is not ours to read.
 *
 * @type {{port: import("node:worker_threads").MessagePort, children: SharedArrayBuffer}}
 */
const { port, children } = workerData;
// The plugin sees the same object.
for (const key of Object.keys(workerData)) delete workerData[key];

/** @type {PluginSession | undefined} */
let session;

/** @type {Map<number, {resolve: (json: string) => void, reject: (error: Error) => void}>} */
const skillCalls = new Map();
let lastSkillCall = 0;

redirectOutput((output, text) => port.postMessage({ output, text }));
recordChildren(new ChildRegistry(children), (child, running) => port.postMessage({ child, running }));
port.on("message", receive);

/** @param {OpMessage | SkillCallAnswer} message */
function receive(message) {
	if ("skillCall" in message) settleSkillCall(message);
	else answer(message);
}

/** @param {OpMessage} message */
async function answer({ id, op, json }) {
	try {
		const request = parseExactly(json);
		const value = op === "open" ? await open(request) : await opened().dispatch(op, request);
		port.postMessage({ id, envelope: okEnvelope(value), ok: true });
	} catch (error) {
		port.postMessage({ id, envelope: errEnvelope(error), ok: false });
	}
}

/** @param {OpenRequest} request */
async function open({ dir, adapter, adapterExport, skills = [] }) {
	const [loadedAdapter, loadedSkills] = await Promise.all([
		adapter ? loadAdapter(dir, adapter, adapterExport) : undefined,
		loadSkills(dir, skills),
	]);
	session = new PluginSession({
		adapter: loadedAdapter,
		skills: loadedSkills.skills,
		callCore,
		report: (callId, progress) => port.postMessage({ progress, callId }),
	});
	const described = session.describeSelf();
	return { ...described, skills: [...described.skills, ...loadedSkills.broken] };
}

function opened() {
	if (!session) throw new Error("The plugin has not finished loading");
	return session;
}

/**
 * @param {string} callId
 * @param {string} tool
 * @param {string} argumentsJson
 * @returns {Promise<string>}
 */
function callCore(callId, tool, argumentsJson) {
	const skillCall = ++lastSkillCall;
	return new Promise((resolve, reject) => {
		skillCalls.set(skillCall, { resolve, reject });
		port.postMessage({ skillCall, callId, tool, argumentsJson });
	});
}

/** @param {SkillCallAnswer} answered */
function settleSkillCall({ skillCall, json, error }) {
	const waiting = skillCalls.get(skillCall);
	skillCalls.delete(skillCall);
	if (error) waiting?.reject(new AgentToolsError(error.code ?? "INTERNAL", error.message, { hint: error.hint }));
	else waiting?.resolve(json ?? "null");
}
