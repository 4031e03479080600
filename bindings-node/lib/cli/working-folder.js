import { AgentToolsError } from "../agent-tools-error.js";

/** Nothing can be found from a folder that was deleted, and no program starts in it. */
export function checkWorkingFolder() {
	try {
		process.cwd();
	} catch (cause) {
		const hint = "Go to one that is there, such as your own: cd ~";
		throw new AgentToolsError("NO_FOLDER", "the working folder is gone", { hint, cause });
	}
}
