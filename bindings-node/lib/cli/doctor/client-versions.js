import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { upwards } from "../places.js";
import { checksOf } from "./check.js";
import { onPath } from "./on-path.js";

const { ok, warning } = checksOf("Clients");

/** What the integrations are written for; the second is the version that they are proven with. */
const CLIENTS = [
	{ name: "Pi", package: "@earendil-works/pi-coding-agent", program: "pi", oldest: "1.0.0", proven: "1.6.0", node: 22 },
	// Before it, eve's tools that ours are found by had other names.
	{ name: "eve", package: "eve", program: "eve", oldest: "0.76.0", proven: "0.80.1", node: 24 },
];

/** Which versions of Pi and eve are here, and whether they are supported. */
export function clientVersionChecks(nodeVersion = process.versions.node) {
	return CLIENTS.flatMap(({ name, package: id, program, oldest, proven, node }) => {
		const version = installedVersion(id, program);
		if (version === undefined) return [];
		const check = `clients.${name.toLowerCase()}`;
		const range = `${oldest} or newer, proven with ${proven}`;
		if (compare(version, oldest) < 0) {
			return [
				warning(check, `${name} ${version} is older than what is supported: ${range}`, `npm install ${id}@${proven}`),
			];
		}
		if (Number.parseInt(nodeVersion, 10) < node) {
			return [warning(check, `${name} ${version} needs Node.js ${node} or newer`, `nvm install ${node}`)];
		}
		return [ok(check, `${name} ${version} (supported: ${range})`)];
	});
}

/**
 * Of the project, or of the program on PATH. It is not started.
 *
 * @param {string} id
 * @param {string} program
 * @returns {string | undefined}
 */
function installedVersion(id, program) {
	const own = upwards(path.join("node_modules", id, "package.json"));
	const file = own ?? manifestAbove(onPath(program), id);
	return file && String(JSON.parse(readFileSync(file, "utf8")).version);
}

/**
 * @param {string | undefined} program
 * @param {string} id
 */
function manifestAbove(program, id) {
	if (!program) return undefined;
	for (let dir = path.dirname(realpathSync(program)); dir !== path.dirname(dir); dir = path.dirname(dir)) {
		const file = path.join(dir, "package.json");
		if (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).name === id) return file;
	}
	return undefined;
}

/**
 * @param {string} one
 * @param {string} other
 */
function compare(one, other) {
	const [a, b] = [one, other].map((version) => version.split(/[.+-]/).slice(0, 3).map(Number));
	const differing = [0, 1, 2].find((i) => a?.[i] !== b?.[i]);
	return differing === undefined ? 0 : Number(a?.[differing]) - Number(b?.[differing]);
}
