import { status } from "../jobs.mjs";

export const meta = {
	description:
		"How an agent that start-ephemeral-agent started is doing: running, or its verdict and what the gate said",
	args: "jobId (required)",
	inputSchema: {
		type: "object",
		properties: { jobId: { type: "string", minLength: 1, description: "As start-ephemeral-agent gave it" } },
		required: ["jobId"],
		additionalProperties: false,
	},
	readOnly: true,
};

/**
 * @param {unknown} _adapter
 * @param {{jobId: string}} args
 */
export function run(_adapter, { jobId }) {
	return status(jobId);
}
