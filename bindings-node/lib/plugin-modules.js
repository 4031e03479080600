import path from "node:path";
import { pathToFileURL } from "node:url";
import { AgentToolsError } from "./agent-tools-error.js";

/**
 * @typedef {import("./plugin-session.js").Adapter} Adapter
 * @typedef {import("./plugin-session.js").Skill} Skill
 * @typedef {{name: string, error: string}} BrokenSkill
 */

/** One skill whose top level never ends must not use up the time that the whole plugin has for its start. */
const SKILL_LOAD_MS = 5000;

/**
 * @param {string} dir
 * @param {string} file
 * @param {string} [exportName] else the default export, or the only class there is
 * @returns {Promise<Adapter>}
 */
export async function loadAdapter(dir, file, exportName) {
	const module = await importFrom(dir, file);
	const Class = exportName ? module[exportName] : (module.default ?? onlyFunction(module));
	if (typeof Class !== "function") {
		const wanted = exportName ? `a class named ${exportName}` : "one class";
		throw new AgentToolsError("ADAPTER_INVALID", `${file} does not export ${wanted}`, {
			hint: `It exports: ${Object.keys(module).join(", ") || "nothing"}. Correct adapterExport in plugin.json.`,
		});
	}
	return Reflect.construct(Class, []);
}

/**
 * @param {string} dir
 * @param {string[]} files
 * @param {number} [deadlineMs]
 * @returns {Promise<{skills: Map<string, Skill>, broken: BrokenSkill[]}>}
 */
export async function loadSkills(dir, files, deadlineMs = SKILL_LOAD_MS) {
	/** @type {Map<string, Skill>} */
	const skills = new Map();
	/** @type {BrokenSkill[]} */
	const broken = [];
	const loading = files.map((file) => within(deadlineMs, loadSkill(dir, file)));
	for (const [index, outcome] of (await Promise.allSettled(loading)).entries()) {
		const name = skillName(files[index] ?? "");
		if (outcome.status === "rejected") {
			broken.push({ name, error: messageOf(outcome.reason) });
		} else if (skills.has(name)) {
			broken.push({ name, error: `${files[index]} has the name of another skill of this plugin` });
		} else {
			skills.set(name, outcome.value);
		}
	}
	return { skills, broken };
}

/**
 * @param {string} dir
 * @param {string} file
 * @returns {Promise<Skill>}
 */
async function loadSkill(dir, file) {
	const module = await importFrom(dir, file);
	if (typeof module.run !== "function") throw new Error(`${file} does not export a function named run`);
	return { run: /** @type {Skill["run"]} */ (module.run), meta: readMeta(module.meta) };
}

/**
 * Only known fields of the right type: what a skill says about itself is shown to a model. Through JSON and back,
 * so that a field which is not JSON fails here, where it is this one skill's error.
 *
 * @param {unknown} meta
 */
function readMeta(meta) {
	const { description, args, inputSchema, related, readOnly, background } = Object(meta);
	const known = {
		description: typeof description === "string" ? description : undefined,
		args: typeof args === "string" ? args : undefined,
		inputSchema: typeof inputSchema === "object" && inputSchema !== null ? inputSchema : undefined,
		related: Array.isArray(related) ? related : undefined,
		readOnly: typeof readOnly === "boolean" ? readOnly : undefined,
		background: typeof background === "boolean" ? background : undefined,
	};
	return JSON.parse(JSON.stringify(known));
}

/** @param {string} file */
function skillName(file) {
	return path.basename(file).replace(/\.[cm]?js$/, "");
}

/**
 * @param {string} dir
 * @param {string} file
 * @returns {Promise<Record<string, unknown>>}
 */
function importFrom(dir, file) {
	return import(pathToFileURL(path.resolve(dir, file)).href);
}

/** @param {Record<string, unknown>} module */
function onlyFunction(module) {
	const functions = Object.values(module).filter((value) => typeof value === "function");
	return functions.length === 1 ? functions[0] : undefined;
}

/** @param {unknown} error */
function messageOf(error) {
	return error instanceof Error ? error.message : String(error);
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
async function within(ms, promise) {
	/** @type {NodeJS.Timeout | undefined} */
	let timer;
	const late = new Promise((_, reject) => {
		timer = setTimeout(() => reject(new Error(`did not finish loading within ${ms} ms`)), ms);
	});
	try {
		return /** @type {T} */ (await Promise.race([promise, late]));
	} finally {
		clearTimeout(timer);
	}
}
