import { idPage } from "./pages.js";
import { existing, Refusal } from "./refusal.js";

const STATUSES = ["canceled", "crashed", "error", "new", "running", "success", "unknown", "waiting"];
const READING = ["includeData", "ignoreDataSizeLimit", "redactExecutionData"];

/**
 * @param {Required<import("../n8n.js").State>} state
 * @returns {import("../n8n.js").Routes}
 */
export function executionRoutes({ executions }) {
	const find = (id) => {
		if (!/^[1-9]\d*$/.test(id)) throw new Refusal(400, "request/params/executionId must be integer");
		return existing(executions.find((one) => one.id === id));
	};
	return {
		"GET /executions": {
			query: ["limit", "cursor", "status", "workflowId", "projectId", "startedAfter", "startedBefore", ...READING],
			run: ({ query }) => {
				const { status, workflowId } = query;
				if (status !== undefined && !STATUSES.includes(status))
					throw new Refusal(400, "request/query/status must be equal to one of the allowed values");
				const found = executions.filter(
					(one) =>
						(status ? one.status === status : one.status !== "running") &&
						(!workflowId || one.workflowId === workflowId),
				);
				for (const one of executions.filter(({ endsAs }) => endsAs)) {
					Object.assign(one, { status: one.endsAs, stoppedAt: "2026-12-02T10:00:01.000Z" });
					delete one.endsAs;
				}
				return idPage(found, query);
			},
		},
		"GET /executions/*": {
			query: READING,
			run: ({ ids: [id], query }) => ({
				...find(id),
				...(query.includeData === "true" ? { data: { resultData: { runData: {} } } } : {}),
			}),
		},
		"DELETE /executions/*": {
			run: ({ ids: [id] }) => {
				const found = find(id);
				if (found.status === "running") throw new Refusal(400, "Cannot delete a running execution");
				executions.splice(executions.indexOf(found), 1);
				// Here alone the id is a number.
				return { ...found, id: Number(id) };
			},
		},
		"POST /executions/*/retry": {
			body: { loadWorkflow: "boolean" },
			run: ({ ids: [id] }) => {
				const found = find(id);
				if (found.status === "success") throw new Refusal(409, "The execution succeeded, so it cannot be retried.");
				return {
					id: "9001",
					mode: "retry",
					status: "success",
					workflowId: found.workflowId,
					retryOf: id,
					finished: true,
					startedAt: null,
				};
			},
		},
		"POST /executions/*/stop": {
			run: ({ ids: [id] }) => {
				const found = find(id);
				if (found.status !== "running") throw new Refusal(409, "Only running or waiting executions can be stopped");
				return Object.assign(found, { status: "canceled" });
			},
		},
	};
}
