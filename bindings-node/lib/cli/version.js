import { createRequire } from "node:module";
import { print } from "./report.js";

/** @type {string} */
export const version = createRequire(import.meta.url)("../../package.json").version;

/** @param {import("./command-line.js").CommandOptions} [options] */
export function run({ json } = {}) {
	return print(json ? `${JSON.stringify({ version })}\n` : `agent-tools-runtime ${version}\n`);
}
