import { createRequire } from "node:module";

/** @type {{bin: Record<string, string>}} */
const { bin } = createRequire(import.meta.url)("../../../package.json");

/** What the program is called. */
export const NAMES = Object.keys(bin);
