import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

/**
 * Tells a person, never the model. Standard output belongs to Pi's own events; in the terminal interface even a line on
 * standard error would tear the screen, and the notification is seen there anyway.
 */
export function say(ctx: ExtensionContext, level: "info" | "warning" | "error", message: string): void {
	const line = `agent-tools: ${message}`;
	if (ctx.hasUI) ctx.ui.notify(line, level);
	if (ctx.mode !== "tui") process.stderr.write(`${line}\n`);
}
