import { CLI } from "../harness/paths.js";
import { NODE24, temporaryFolder } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";

/**
 * `agent-tools-runtime http` on a free port. Returns its origin.
 *
 * @param {import("node:test").TestContext} t
 * @param {{token?: string}} [options]
 */
export async function startRuntimeServer(t, { token } = {}) {
	const args = ["http", "--host", "127.0.0.1", "--port", "0", ...(token ? ["--token", token] : [])];
	const home = temporaryFolder("runtime-server");
	const server = new Spawned(t, NODE24, [CLI, ...args], { cwd: home, env: { PATH: process.env.PATH, HOME: home } });
	return server.until("address", () => /http:\/\/127\.0\.0\.1:\d+/.exec(server.stdout + server.stderr)?.[0]);
}
