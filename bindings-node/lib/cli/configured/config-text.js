// The text of an agent-tools.json, as it is edited.

import { existsSync } from "node:fs";
import path from "node:path";
import jsonc from "jsonc-parser";
import { brokenFile } from "../edit/edit.js";
import { readText, writeText } from "../edit/file.js";
import * as json from "../edit/formats/json.js";
import { BrokenText, brokenAt, isTable } from "../edit/formats/text.js";

/**
 * @typedef {"mcpServers" | "openapi" | "cli"} Section
 * @typedef {{section: Section, name: string, entry: Record<string, unknown>}} Named
 */

/** Where services stand, by name. @type {Section[]} */
export const SECTIONS = ["mcpServers", "openapi", "cli"];

const SCHEMA = "https://unpkg.com/@rckflr/agent-tools-runtime/schemas/agent-tools.schema.json";
/** What a file that is made holds at first: with it, an editor completes the rest. */
const NEW = `${JSON.stringify({ $schema: SCHEMA }, null, 2)}\n`;

/**
 * One file, as it is now.
 *
 * @typedef {object} ConfigText
 * @property {string} file
 * @property {import("../edit/file.js").TextFile} was
 * @property {string} text to begin with
 * @property {Record<string, unknown>} value
 */

/**
 * @param {string} file
 * @returns {ConfigText}
 */
export function readConfig(file) {
	const was = readText(file);
	const text = was.text?.trim() ? was.text : NEW;
	return { file, was, text, value: parsed(file, text) };
}

/**
 * The services that it names.
 *
 * @param {ConfigText} config
 * @returns {Named[]}
 */
export function namedIn({ value }) {
	return SECTIONS.flatMap((section) =>
		Object.entries(isTable(value[section]) ? value[section] : {}).map(([name, entry]) => ({
			section,
			name,
			entry: isTable(entry) ? entry : {},
		})),
	);
}

/**
 * What a user's own file holds is the user's alone.
 *
 * @param {import("./target.js").Target} target
 * @param {ConfigText} config
 * @param {string} text
 */
export async function writeConfig({ scope }, { was }, text) {
	await writeText(was, text, scope === "project" ? {} : { mode: 0o600, folderMode: 0o700 });
}

/**
 * How a file or folder is named in it.
 *
 * @param {string} config
 * @param {string} place
 */
export function placeFrom(config, place) {
	const absolute = path.resolve(place);
	const relative = path.relative(path.dirname(config), absolute);
	const inside = !relative.startsWith("..") && !path.isAbsolute(relative);
	return inside && existsSync(absolute) ? `./${relative.split(path.sep).join("/")}` : absolute;
}

/**
 * @param {string} file
 * @param {string} text
 */
function parsed(file, text) {
	try {
		const value = json.parse(text);
		checkKeys(text);
		return value;
	} catch (error) {
		throw error instanceof BrokenText ? brokenFile(file, error) : error;
	}
}

/** The runtime reads no file in which a key stands twice. @param {string} text */
function checkKeys(text) {
	/** @type {Set<string>[]} */
	const open = [];
	jsonc.visit(text, {
		onObjectBegin: () => void open.push(new Set()),
		onObjectEnd: () => void open.pop(),
		onObjectProperty: (key, offset) => {
			const known = open.at(-1);
			if (known?.has(key)) throw brokenAt(text, offset, `the key \`${key}\` stands there twice`);
			known?.add(key);
		},
	});
}
