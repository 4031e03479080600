export const PACKAGE = "@rckflr/agent-tools-runtime";

/** The command as it was called, for what is to be typed next: npx leaves no `agent-tools` behind. */
export function calledAs() {
	return process.env.npm_command === "exec" ? `npx ${PACKAGE}` : "agent-tools";
}
