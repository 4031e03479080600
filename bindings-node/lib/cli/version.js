import { createRequire } from "node:module";

/** @type {string} */
export const version = createRequire(import.meta.url)("../../package.json").version;

/** @param {import("./command-line.js").CommandOptions} [options] */
export function run({ json } = {}) {
	process.stdout.write(json ? `${JSON.stringify({ version })}\n` : `agent-tools-runtime ${version}\n`);
}
