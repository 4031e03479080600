import { isRemote, NAME } from "../server.js";

/**
 * Format and places: documentation/docs/guides/config-files.md of aaif-goose/goose. How a header there names a variable is
 * not documented, so that none is written.
 *
 * @type {import("../client.js").Client}
 */
export const goose = {
	name: "goose",
	title: "goose",
	commands: ["goose"],
	traces: (place) => [place.path.dirname(file(place))],
	files: { user: file },
	format: "yaml",
	container: "extensions",
	entry: (server) => {
		const common = { name: NAME, enabled: true, timeout: 300 };
		if (!isRemote(server)) return { type: "stdio", ...common, cmd: server.command, args: server.args };
		return server.tokenEnv ? undefined : { type: "streamable_http", ...common, uri: server.url };
	},
	unreachable: "Leave out --token-env, and give goose the header: goose configure, Add Extension, Remote Extension.",
	next: "Start a new session of goose.",
};

/** @param {import("../place.js").Place} place */
function file(place) {
	return place.windows
		? place.inSettings("Block", "goose", "config", "config.yaml")
		: place.inConfig("goose", "config.yaml");
}
