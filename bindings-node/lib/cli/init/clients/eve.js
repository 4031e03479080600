import { readFileSync } from "node:fs";
import { AgentToolsError } from "../../../agent-tools-error.js";
import { calledAs } from "../../called-as.js";
import { exists } from "../../edit/file.js";
import { isRemote } from "../server.js";

const URL_OF_HTTP = "http://127.0.0.1:8321/mcp";
const TOKEN_ENV = "AGENT_TOOLS_TOKEN";

/**
 * eve talks to `agent-tools http`, by one connection for each plugin, as integrations/eve has it.
 *
 * @type {import("../client.js").Client}
 */
export const eve = {
	name: "eve",
	title: "eve",
	commands: [],
	traces: (place) => (dependsOnEve(place) ? [place.inProject("package.json")] : []),
	files: { project: folderOf },
	steps: ({ place, server, local, plugins }) => {
		if (local) {
			throw new AgentToolsError("NOT_TAKEN", "eve starts no program: it connects to `agent-tools http`", {
				hint: "Leave out --local.",
			});
		}
		const folder = folderOf(place);
		if (plugins.length === 0) {
			throw new AgentToolsError("NO_PLUGINS", "there are no plugins to connect eve to", {
				hint: `Add a service first: \`${calledAs()} add\`. \`${calledAs()} list\` shows what is found.`,
			});
		}
		const { url, tokenEnv } = isRemote(server) ? server : { url: URL_OF_HTTP, tokenEnv: TOKEN_ENV };
		return plugins.map((plugin) => ({
			kind: "file",
			file: place.path.join(folder, `${plugin.prefix}.ts`),
			text: connection(plugin, url, tokenEnv ?? TOKEN_ENV),
		}));
	},
	next: `Start the server, \`${calledAs()} http\`, and then \`eve dev\`.`,
};

/** @param {import("../place.js").Place} place */
function folderOf(place) {
	const inFolder = exists(place.inProject("agent"));
	if (inFolder || dependsOnEve(place)) {
		return inFolder || !exists(place.inProject("agent.ts"))
			? place.inProject("agent", "connections")
			: place.inProject("connections");
	}
	throw new AgentToolsError("NO_PROJECT", `${place.cwd} is no project of an eve agent`, {
		hint: "Go to the folder that holds `agent/`, and run this there.",
	});
}

/** @param {import("../place.js").Place} place */
function dependsOnEve(place) {
	try {
		const { dependencies, devDependencies } = JSON.parse(readFileSync(place.inProject("package.json"), "utf8"));
		return "eve" in { ...dependencies, ...devDependencies };
	} catch {
		return false;
	}
}

/**
 * @param {{prefix: string, name: string, description: string | null}} plugin
 * @param {string} base
 * @param {string} tokenEnv
 */
function connection({ prefix, name, description }, base, tokenEnv) {
	const url = new URL(base);
	url.pathname = `${url.pathname.replace(/\/$/, "")}/${encodeURIComponent(prefix)}`;
	return `// Written by \`agent-tools init eve\`; yours to change. The file's name becomes the connection's.
import { defineMcpClientConnection } from "eve/connections";

const token = process.env.${tokenEnv};

export default defineMcpClientConnection({
	url: ${JSON.stringify(url.href)},
	// Search scores these words, and the model chooses a connection by them: say what a user would say.
	description: ${JSON.stringify(`${prefix}: ${description ?? name}`)},
	// No \`auth\` without a token: an empty bearer is worse than none.
	...(token ? { auth: { getToken: async () => ({ token }) } } : {}),
	// These two belong together: eve adds the consent to every call, and a person is asked before whatever does more than read.
	toolCall: { providedArguments: { confirm: true } },
	approval: ({ toolAnnotations }) => (toolAnnotations?.readOnlyHint === true ? "not-applicable" : "user-approval"),
});
`;
}
