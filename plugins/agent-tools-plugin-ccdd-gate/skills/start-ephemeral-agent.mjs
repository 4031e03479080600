import { answerOf } from "../answer.mjs";
import { start } from "../jobs.mjs";

export const meta = {
	description:
		"Delegate a task contract to a small agent, which writes the code and is checked by the gate; gives a jobId at once",
	args: "task_path (required)",
	inputSchema: {
		type: "object",
		properties: {
			task_path: {
				type: "string",
				minLength: 1,
				description: "The task contract, a Markdown file; its target is changed",
			},
		},
		required: ["task_path"],
		additionalProperties: false,
	},
	background: true,
};

/**
 * @param {any} adapter
 * @param {{task_path: string}} args
 */
export function run(adapter, { task_path }) {
	const jobId = start(task_path, answerOf(adapter, "run_ephemeral_agent", { task_path }));
	return { jobId, state: "running", next: `ephemeral-agent-status {"jobId": "${jobId}"} says how it ends` };
}
