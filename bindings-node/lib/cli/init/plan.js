import { AgentToolsError } from "../../agent-tools-error.js";
import { apply } from "../edit/edit.js";
import { readText } from "../edit/file.js";
import { isRemote, NAME } from "./server.js";

/**
 * @typedef {import("../edit/edit.js").Edit} Edit
 * @typedef {import("./client.js").Client} Client
 * @typedef {import("./client.js").Context} Context
 *
 * What a client needs: an edit of its file, a file of its own, or a command of its own that changes the file.
 *
 * @typedef {{kind: "edit", file: string, edit: Edit, there?: boolean, advised?: Record<string, unknown>}
 *   | {kind: "file", file: string, text: string}
 *   | {kind: "run", file: string, edit: Edit, command: string[], undo: string[]}} Step
 *
 * @typedef {object} Change a step, beside what the file is now
 * @property {Step} step
 * @property {import("../edit/file.js").TextFile} was
 * @property {string | undefined} text what the file shall be; undefined where a command makes it
 * @property {"new" | "same" | "kept"} state `kept`: there is a file of the user's, which stays
 * @property {unknown} [previous]
 * @property {string[]} [made]
 */

/**
 * @param {Client} client
 * @param {Context} context
 * @returns {Promise<Change[]>}
 */
export async function plan(client, context) {
	const steps = "steps" in client ? await client.steps(context) : [ofEntry(client, context)];
	return steps.map(changeOf);
}

/**
 * @param {import("./client.js").ClientBase & import("./client.js").McpClient} client
 * @param {Context} context
 * @returns {Step}
 */
function ofEntry(client, { place, scope, server }) {
	const value = client.entry(server);
	if (!value) {
		throw new AgentToolsError("NOT_TAKEN", `${client.title} cannot be told this in its file`, {
			hint: client.unreachable,
		});
	}
	const file = /** @type {NonNullable<typeof client.files.user>} */ (client.files[scope])(place);
	const advised = client.advised?.(server) ?? {};
	// What names a program makes no sense beside a URL, nor the other way round; nor does what is advised for it.
	const otherServer = isRemote(server) ? { command: "", args: [] } : { url: "", tokenEnv: "TOKEN" };
	const other = client.entry(otherServer) ?? client.entry({ url: "" });
	const others = Object.keys({ ...other, ...client.advised?.(otherServer) }).filter(
		(key) => !(key in value || key in advised),
	);
	const edit = { format: client.format, path: [client.container, NAME], value, others };
	return { kind: "edit", file, edit, advised };
}

/** @param {Step} step @returns {Change} */
function changeOf(step) {
	const was = readText(step.file);
	if (step.kind === "run") return { step, was, text: undefined, state: "new" };
	if (step.kind === "file") {
		const state = was.text === undefined ? "new" : was.text === step.text ? "same" : "kept";
		return { step, was, text: step.text, state };
	}
	if (step.there) return { step, was, text: was.text, state: "same" };
	const { text, ...before } = apply(step.file, was.text ?? "", step.edit);
	const { others = [] } = step.edit;
	// One that was reached in the other way is new as what it becomes.
	const isNew = before.previous === undefined || others.some((key) => key in Object(before.previous));
	if (isNew && step.advised) {
		const { advised, ...rest } = step;
		const own = Object.entries(advised).filter(([key]) => !(key in Object(before.previous)));
		const value = { ...Object(step.edit.value), ...Object.fromEntries(own) };
		return changeOf({ ...rest, edit: { ...step.edit, value } });
	}
	return { step, was, text, state: text === was.text ? "same" : "new", ...before };
}
