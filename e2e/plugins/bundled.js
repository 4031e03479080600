import path from "node:path";
import { Runtime } from "../../bindings-node/index.js";
import { ROOT } from "../harness/paths.js";

/**
 * One of the plugins of this repository, through the real runtime.
 *
 * @param {import("node:test").TestContext} t
 * @param {string} name the plugin's, without `agent-tools-plugin-`
 * @param {Record<string, string | undefined>} environment what the user has set; of its variables nothing else is
 * @param {object} [options] of `Runtime.open`
 */
export async function openBundled(t, name, environment, options = {}) {
	for (const [variable, value] of Object.entries(environment)) {
		const before = process.env[variable];
		set(variable, value);
		t.after(() => set(variable, before));
	}
	const runtime = await Runtime.open({
		packageRoot: null,
		pluginDirs: [path.join(ROOT, "plugins", `agent-tools-plugin-${name}`)],
		config: false,
		cache: false,
		...options,
	});
	t.after(() => runtime.close());
	const { plugins, warnings } = await runtime.status();
	if (plugins.length !== 1) throw new Error(`${name} was not loaded: ${warnings.join("; ")}`);
	const [{ prefix }] = plugins;
	const ask = async (verb, args, more) => {
		const { content, isError } = await runtime.callTool(`agent_tools_${prefix}_${verb}`, args, more);
		const said = JSON.parse(content[0].text);
		if (isError) return said;
		if (verb === "call") return said.result;
		// A skill's answer stands beside what the runtime adds.
		const { isError: _, calls, receipt, notes, ...answer } = said;
		return answer;
	};
	return {
		runtime,
		prefix,
		/** A tool, with consent: what it answered where that went well, the failure where it did not. */
		call: (toolName, args = {}, more) => ask("call", { toolName, arguments: args, confirm: true }, more),
		/** A tool, as a model that does not say `confirm`. */
		callUnasked: (toolName, args = {}) => ask("call", { toolName, arguments: args }),
		skill: (skill, args = {}, more) => ask("run_skill", { skill, arguments: args, confirm: true }, more),
		skillUnasked: (skill, args = {}) => ask("run_skill", { skill, arguments: args }),
		discover: async (query) => (await runtime.discover(prefix, query)).content[0].text,
	};
}

/** @param {string} variable @param {string | undefined} value */
function set(variable, value) {
	if (value === undefined) delete process.env[variable];
	else process.env[variable] = value;
}
