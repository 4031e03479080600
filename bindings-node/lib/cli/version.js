import { createRequire } from "node:module";

/** @type {string} */
export const version = createRequire(import.meta.url)("../../package.json").version;

export function run() {
	process.stdout.write(`agent-tools-runtime ${version}\n`);
}
