import { CLI } from "../harness/paths.js";
import { EXAMPLES_ONLY } from "../harness/repository-plugins.js";
import { NODE24, temporaryFolder } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";

/**
 * `agent-tools-runtime http` on a free port. Returns its origin.
 *
 * @param {import("node:test").TestContext} t
 * @param {{token?: string, args?: string[], env?: Record<string, string>}} [options]
 */
export async function startRuntimeServer(t, { token, args: more = [], env = {} } = {}) {
	const args = ["http", "--host", "127.0.0.1", "--port", "0", ...(token ? ["--token", token] : []), ...more];
	const home = temporaryFolder("runtime-server");
	const server = new Spawned(t, NODE24, [CLI, ...args], {
		cwd: home,
		env: { PATH: process.env.PATH, HOME: home, AGENT_TOOLS_CONFIG_DIR: EXAMPLES_ONLY, ...env },
	});
	return server.until("address", () => /http:\/\/127\.0\.0\.1:\d+/.exec(server.stdout + server.stderr)?.[0]);
}
