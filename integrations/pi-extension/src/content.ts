import type { AgentToolResult } from "@earendil-works/pi-coding-agent";
import type { ContentBlock } from "@rckflr/agent-tools-runtime";

type PiContent = AgentToolResult<unknown>["content"][number];

/** Pi carries text and images; every other block becomes text that says what it was, so that nothing is lost silently. */
export function piContent(block: ContentBlock): PiContent {
	switch (block.type) {
		case "text":
			return { type: "text", text: block.text };
		case "image":
			return { type: "image", data: block.data, mimeType: block.mimeType };
		case "audio":
			return text(`[audio ${block.mimeType}, ${byteLength(block.data)} bytes, not shown]`);
		case "resource":
			return resource(block.resource);
		case "resource_link":
			return text(link(block));
		default:
			return text(JSON.stringify(block));
	}
}

function resource(value: unknown): PiContent {
	const { uri, mimeType, text: body, blob } = Object(value) as Record<string, unknown>;
	const kind = typeof mimeType === "string" ? mimeType : "application/octet-stream";
	if (typeof body === "string") return text(`[resource ${uri}]\n${body}`);
	if (typeof blob !== "string") return text(`[resource ${uri}]`);
	if (kind.startsWith("image/")) return { type: "image", data: blob, mimeType: kind };
	return text(`[resource ${uri}, ${kind}, ${byteLength(blob)} bytes, not shown]`);
}

function link({ uri, name, description, mimeType }: Record<string, unknown>): string {
	const about = [name, description, mimeType].filter((part) => typeof part === "string" && part !== "");
	return `[link ${uri}] ${about.join(" · ")}`.trimEnd();
}

function byteLength(base64: string): number {
	return Buffer.byteLength(base64, "base64");
}

function text(value: string): PiContent {
	return { type: "text", text: value };
}
