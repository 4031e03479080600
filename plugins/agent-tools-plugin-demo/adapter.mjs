import { tools } from "./tools.mjs";
import { Tracker } from "./tracker.mjs";

/** @typedef {Record<string, unknown>} Args */

/** The way from tool calls to the tracker. */
export class DemoAdapter {
	#tracker = new Tracker(process.env.AGENT_TOOLS_DEMO_FILE);

	listTools() {
		return { tools };
	}

	/** @param {string} name */
	describe(name) {
		const tool = tools.find((candidate) => candidate.name === name);
		if (!tool) throw Object.assign(new Error(`Unknown tool: ${name}`), { code: "UNKNOWN_TOOL" });
		return tool;
	}

	/**
	 * @param {string} name
	 * @param {any} args as the tool's input schema says; the runtime has checked them
	 */
	async call(name, args) {
		return { content: [{ type: "text", text: JSON.stringify(this.#answer(name, args)) }] };
	}

	/**
	 * @param {string} name
	 * @param {any} args
	 */
	#answer(name, args) {
		const tracker = this.#tracker;
		switch (name) {
			case "list_issues":
				return { issues: tracker.listIssues(args) };
			case "get_issue":
				return tracker.getIssue(args.number);
			case "create_issue":
				return tracker.createIssue(args);
			case "close_issue":
				return tracker.closeIssue(args.number);
			case "list_notes":
				return { notes: tracker.listNotes() };
			case "add_note":
				return tracker.addNote(args.text);
			default:
				return this.describe(name);
		}
	}
}
