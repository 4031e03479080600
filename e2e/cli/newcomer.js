import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { e2eModule } from "../processes/places.js";
import { desk } from "./desk.js";

/** A published server over stdio, as somebody types its command. */
export const EVERYTHING = [process.execPath, e2eModule("@modelcontextprotocol/server-everything/dist/index.js")];
/** A file as people write it. */
export const OWN = `// mine
{
	"mcpServers": {
		/* said of it */
		"old": { "command": "true" }, // at its end
	},
	"policy": { "default": "ask" }, // and the rest

}
`;

/**
 * A user without any agent-tools.json, in a project without one.
 *
 * @param {import("node:test").TestContext} t
 */
export function newcomer(t) {
	const { folder, project, user, env, run, onTerminal } = desk(t);
	const file = path.join(user, "agent-tools.json");
	rmSync(file);
	return {
		folder,
		project,
		env,
		run,
		onTerminal,
		file,
		ofProject: path.join(project, "agent-tools.json"),
		/** @param {string} [of] */
		text: (of = file) => (existsSync(of) ? readFileSync(of, "utf8") : undefined),
		/** @param {string} text */
		write: (text, of = file) => writeFileSync(of, text),
	};
}
