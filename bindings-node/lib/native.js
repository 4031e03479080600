import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { AgentToolsError } from "./agent-tools-error.js";
import { TRIPLES, thisHost, triple } from "./platform.js";

/** @typedef {import("./native-types.d.ts").Native} Native */

const PACKAGE = "@rckflr/agent-tools-runtime";

/**
 * @typedef {object} Surroundings what the search for the binary depends on
 * @property {NodeJS.ProcessEnv} env
 * @property {import("./platform.js").Host} host
 * @property {string} dir the folder of this package
 * @property {(file: string) => boolean} exists
 * @property {(id: string) => unknown} require
 */

/** @type {Surroundings} */
const here = {
	env: process.env,
	host: thisHost,
	dir: fileURLToPath(new URL("..", import.meta.url)),
	exists: existsSync,
	require: createRequire(import.meta.url),
};

/** @type {Native | undefined} */
let loaded;

/**
 * The addon, loaded on the first use: importing the package never fails for want of a binary.
 *
 * @returns {Native}
 */
export function native() {
	loaded ??= findNative(here);
	return loaded;
}

/**
 * @param {Surroundings} surroundings
 * @returns {Native}
 */
export function findNative({ env, host, dir, exists, require }) {
	const name = triple(host);
	const file = path.join(dir, `agent-tools-runtime.${name}.node`);
	const override = env.AGENT_TOOLS_NATIVE_PATH;

	if (override) {
		return load(require, override, name, "Correct or unset AGENT_TOOLS_NATIVE_PATH.");
	}
	if (exists(file)) {
		return load(require, file, name, "Build it anew with `npm run build`, or delete that file.");
	}
	return load(require, `${PACKAGE}-${name}`, name, remedy(name));
}

/**
 * @param {(id: string) => unknown} require
 * @param {string} id
 * @param {string} name
 * @param {string} hint
 */
function load(require, id, name, hint) {
	try {
		return /** @type {Native} */ (require(id));
	} catch (cause) {
		const [reason] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
		throw new AgentToolsError(
			"NATIVE_MISSING",
			`The native part of ${PACKAGE} for ${name} could not be loaded from ${id}: ${reason}`,
			{ hint, cause },
		);
	}
}

/** @param {string} name */
function remedy(name) {
	if (!TRIPLES.includes(name)) {
		return (
			`No binary is published for ${name}; there is one for each of ${TRIPLES.join(", ")}. ` +
			"Build it from a clone of the repository with `npm ci && npm run build`, and name the file in AGENT_TOOLS_NATIVE_PATH."
		);
	}
	return (
		`npm installs ${PACKAGE}-${name} as an optional dependency. It is left out by --omit=optional, by --no-optional ` +
		"and by a lockfile that was made on another system. " +
		`Run \`npm install --include=optional ${PACKAGE}\`; if that changes nothing, delete node_modules and package-lock.json first.`
	);
}
