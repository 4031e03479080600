import { cliPlugin } from "./cli-plugin.js";
import { jsPlugin } from "./js-plugin.js";
import { mcpPlugin } from "./mcp-plugin.js";
import { openapiPlugin } from "./openapi-plugin.js";

/**
 * @typedef {object} Wish what was asked for
 * @property {string} name
 * @property {string} place where the plugin's folder will be
 * @property {string[]} source what stands behind the name
 * @property {string} [url]
 * @property {string[]} env
 * @property {import("./templates.js").Files} templates
 *
 * @typedef {object} Plan what a plugin of a kind has beside the files of every one
 * @property {string} description what the service is, for models
 * @property {import("./templates.js").Words} [words]
 * @property {Record<string, unknown>} [extension] keys of the manifest that are not those of the template
 * @property {import("./templates.js").Files} [files]
 * @property {string[]} [without] files of the template that it has not
 * @property {Environment} [environment] the variables that it declares
 * @property {string} [service] the variable with the service's address: it is tried with a stand-in
 * @property {boolean} [finds] whether the calls of its test are found by trying
 * @property {string[]} [notes] what the author should know
 * @property {string} ifBroken what to do when it does not start
 *
 * @typedef {Record<string, import("../../../index.d.ts").NeededVariable>} Environment
 *
 * @typedef {(wish: Wish) => Plan | Promise<Plan>} Kind
 */

/** @satisfies {Record<string, Kind>} */
export const kinds = { openapi: openapiPlugin, mcp: mcpPlugin, cli: cliPlugin, js: jsPlugin };

/** @typedef {keyof typeof kinds} KindName */
