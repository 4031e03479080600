import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makePlugin } from "./plugin.js";

/**
 * The plugin `x` whose tools are a command-line program, with the given programs in PATH before those of the system.
 *
 * @param {import("node:test").TestContext} t
 * @param {{cli: any, bin?: Record<string, string>, env?: Record<string, string>, skills?: Record<string, object>, manifest?: object}} content
 */
export function makeCliPlugin(t, { cli, bin = {}, env = {}, skills, manifest = {} }) {
	const plugin = makePlugin(t, { scenario: {}, skills });
	const programs = path.join(plugin.folder, "bin");
	mkdirSync(programs);
	for (const [name, script] of Object.entries(bin)) {
		writeFileSync(path.join(programs, name), script);
		chmodSync(path.join(programs, name), 0o755);
	}
	// Scripts that begin with `env node` find the Node that runs the tests.
	const searched = [programs, path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
	const whole = {
		name: "agent-tools-plugin-x",
		prefix: "x",
		requireConfirm: false,
		cli: { ...cli, env: { PATH: searched, ...env, ...cli.env } },
		...(skills && { skills: Object.keys(skills).map((name) => `./${name}.json`) }),
		...manifest,
	};
	writeFileSync(path.join(plugin.folder, "plugin.json"), JSON.stringify(whole));
	return plugin;
}
