import * as json from "./json.js";
import * as toml from "./toml.js";
import * as yaml from "./yaml.js";

/**
 * What can be done to a text. Whatever stands elsewhere in it, comments too, stays.
 *
 * @typedef {"json" | "toml" | "yaml"} FormatName
 *
 * @typedef {object} Format
 * @property {(text: string) => Record<string, unknown>} parse
 * @property {(text: string, path: string[], value: unknown) => string} set
 * @property {(text: string, path: string[]) => string} remove
 */

/** @type {Record<FormatName, Format>} */
export const formats = { json, toml, yaml };
