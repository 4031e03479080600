import { once } from "node:events";

/**
 * Has a server listen on a free port of this machine until the test ends.
 *
 * @param {import("node:test").TestContext} t
 * @param {import("node:http").Server} server
 * @returns {Promise<number>} the port
 */
export async function listening(t, server) {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.after(() => {
		server.closeAllConnections();
		server.close();
	});
	return /** @type {import("node:net").AddressInfo} */ (server.address()).port;
}
