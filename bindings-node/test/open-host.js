import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PluginHost } from "../lib/plugin-host.js";

export const FIXTURES = fileURLToPath(new URL("./fixtures", import.meta.url));

export const GOOD = { dir: path.join(FIXTURES, "good"), adapter: "./adapter.mjs", adapterExport: "Good" };

/**
 * A plugin host as the core would use it: ops in and values out, with a record of what it logged and killed.
 *
 * @param {import("node:test").TestContext} t
 * @param {Partial<ConstructorParameters<typeof PluginHost>[0]>} [surroundings]
 */
export function openHost(t, surroundings = {}) {
	// The core's pending promise keeps the process alive; here a timer has to.
	const alive = setInterval(() => {}, 1000);
	/** @type {string[]} */
	const lines = [];
	/** @type {number[]} */
	const killed = [];
	const host = new PluginHost({
		onSkillCall: async () => '{"content":[]}',
		killTree: (pid) => {
			killed.push(pid);
			killGroup(pid);
		},
		log: (line) => void lines.push(line),
		...surroundings,
	});
	t.after(async () => {
		await host.close();
		clearInterval(alive);
	});

	/**
	 * @param {string} op
	 * @param {Record<string, unknown>} [request]
	 * @returns {Promise<{ok?: any, err?: {message: string, code?: string, hint?: string, name?: string}}>}
	 */
	const dispatch = async (op, request = {}) =>
		JSON.parse(await host.dispatch(op, JSON.stringify({ plugin: "p", ...request })));

	let calls = 0;
	/**
	 * @param {string} tool
	 * @param {Record<string, unknown>} [args]
	 */
	const call = (tool, args = {}) => dispatch("call", { callId: `c${++calls}`, tool, arguments: args });

	return { host, dispatch, call, lines, killed };
}

/**
 * @param {() => unknown} condition
 * @param {number} [ms]
 */
export async function until(condition, ms = 5000) {
	const end = Date.now() + ms;
	while (!(await condition())) {
		if (Date.now() > end) throw new Error(`still not so after ${ms} ms: ${condition}`);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

/**
 * What the addon's `killTree` does.
 *
 * @param {number} pid
 */
export function killGroup(pid) {
	for (const target of [-pid, pid]) {
		try {
			process.kill(target, "SIGKILL");
		} catch {}
	}
}

/** @param {number} pid */
export function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/**
 * A killed child stays a zombie while its worker thread, which would have to reap it, is gone.
 *
 * @param {number} pid
 */
export async function hasEnded(pid) {
	if (!isAlive(pid)) return true;
	const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
	return stat.includes(") Z ");
}
