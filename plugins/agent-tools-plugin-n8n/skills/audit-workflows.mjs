import { PAGING } from "../api/pages.mjs";
import { MODES } from "../audit/modes.mjs";

export const meta = {
	description:
		"Audit n8n workflows: open (unauthenticated) webhooks, hard-coded secrets, unsafe and deprecated nodes, missing error handling and timeouts; also failing executions, unused credentials, n8n's own audit, and an export",
	args: "mode?: audit (default) | summary | nativeAudit | executions | credentials | export; all?, page?, pageSize?",
	inputSchema: {
		type: "object",
		properties: {
			mode: {
				type: "string",
				enum: Object.keys(MODES),
				description:
					"audit: findings by workflow; summary: counts; nativeAudit: n8n's own security audit; executions: failures by workflow; credentials: which are used; export: workflows as JSON without secrets. Default: audit",
			},
			all: { type: "boolean", description: "Everything at once instead of a page" },
			...PAGING,
		},
		additionalProperties: false,
	},
	readOnly: true,
};

/**
 * @param {import("../api/call.mjs").Adapter} adapter
 * @param {{mode?: string, all?: boolean, page?: number, pageSize?: number}} args
 */
export async function run(adapter, { mode = "audit", ...paging }) {
	const answer = MODES[mode];
	if (!answer) throw new Error(`There is no mode ${mode}.`);
	return { mode, ...(await answer(adapter, paging)) };
}
