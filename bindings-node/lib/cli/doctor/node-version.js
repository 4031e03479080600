import { createRequire } from "node:module";
import { checksOf } from "./check.js";

const { ok, warning, error } = checksOf("Node");

/** Those that every release is tested on. */
const TESTED = [20, 22, 24];

/** @type {string} */
const range = createRequire(import.meta.url)("../../../package.json").engines.node;

/** @param {string} [version] */
export function nodeChecks(version = process.versions.node) {
	const id = "node.version";
	const [major = 0] = version.split(".").map(Number);
	const oldest = Number(/\d+/.exec(range)?.[0]);
	const here = `Node.js ${version} at ${process.execPath}`;
	const newer = `nvm install ${TESTED.at(-1)}, or an installer from https://nodejs.org`;
	if (major < oldest) return [error(id, `${here} is too old: it has to be ${range}`, newer)];
	if (TESTED.includes(major) || major > Math.max(...TESTED)) return [ok(id, here)];
	return [warning(id, `${here} is no version with long-term support; tested are ${TESTED.join(", ")}`, newer)];
}
