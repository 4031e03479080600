import type { AgentToolResult } from "@earendil-works/pi-coding-agent";
import type { Progress, ToolReply } from "@rckflr/agent-tools-runtime";
import { piContent } from "./content.ts";
import { type Failure, failureOf } from "./failure.ts";

type JsonValue = NonNullable<AgentToolResult<unknown>["structuredContent"]>;

/** What Pi's interface and its event stream show beside the text that the model reads. */
export type Details = Partial<Pick<Failure, "code" | "hint">>;

export function resultOf(reply: ToolReply): AgentToolResult<Details> {
	return {
		content: reply.content.map(piContent),
		details: reply.isError ? detailsOf(reply) : {},
		isError: reply.isError,
		// Scripts of codemode get this in place of the text.
		...(reply.structuredContent === undefined ? {} : { structuredContent: reply.structuredContent as JsonValue }),
	};
}

/** What Pi shows while the tool works. */
export function updateOf({ progress, total, message }: Progress): AgentToolResult<Details> {
	const reached = total === undefined ? `${progress}` : `${progress}/${total}`;
	return { content: [{ type: "text", text: message ? `${reached} ${message}` : reached }], details: {} };
}

/** A call that was rejected, not answered: worded like an answer, so that the model reads one form of failure only. */
export function rejectedResult(error: unknown): AgentToolResult<Details> {
	const { code, error: message, hint } = failureOf(error);
	return {
		content: [{ type: "text", text: JSON.stringify({ isError: true, code, error: message, hint }) }],
		details: hint === undefined ? { code } : { code, hint },
		isError: true,
	};
}

/** The first text of a failed reply is JSON with `code` and `hint`. */
function detailsOf(reply: ToolReply): Details {
	const text = reply.content.find((block) => block.type === "text");
	try {
		const { code, hint } = JSON.parse(String(text?.text));
		return { ...(typeof code === "string" ? { code } : {}), ...(typeof hint === "string" ? { hint } : {}) };
	} catch {
		return {};
	}
}
