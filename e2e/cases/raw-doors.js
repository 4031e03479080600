import { spawn } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startHttp } from "../harness/cli-http.js";
import { send } from "../harness/http-request.js";
import { eachLine } from "../harness/lines.js";
import { CLI } from "../harness/paths.js";
import { environment } from "./doors.js";

const ANSWER_LIMIT_MS = 20_000;

/**
 * A door as its wire sees it: texts go in, texts come out.
 *
 * @typedef {object} RawDoor
 * @property {string} name
 * @property {import("./plugin.js").Plugin} plugin
 * @property {(text: string, answers?: number) => Promise<string[]>} exchange what is answered to the message, one
 * answer unless told otherwise
 * @property {(text: string) => Begun} begin sends a request that takes long
 * @property {number} [port]
 *
 * @typedef {{answered: () => boolean, cancel: (notification: string) => void}} Begun `cancel` does it as the door's clients do
 */

/** @type {Record<string, (t: import("node:test").TestContext, plugin: import("./plugin.js").Plugin) => Promise<RawDoor>>} */
export const RAW_DOORS = {
	stdio: async (t, plugin) => {
		const child = spawn(process.execPath, [CLI, "mcp"], {
			env: environment(plugin),
			stdio: ["pipe", "pipe", "inherit"],
		});
		const gone = once(child, "exit");
		t.after(async () => {
			child.kill();
			await gone;
		});
		/** @type {string[]} those that no exchange has taken yet */
		let lines = [];
		/** The id of each answer so far. */
		const ids = [];
		eachLine(child.stdout, (line) => {
			lines.push(line);
			ids.push(JSON.parse(line).id);
		});
		const write = (text) => child.stdin.write(`${text}\n`);
		let pings = 0;
		return {
			name: "stdio",
			plugin,
			exchange: async (text, answers = 1) => {
				write(text);
				await until(() => lines.length >= answers);
				// What would still come has come when the next request is answered.
				const last = `last-${pings++}`;
				write(JSON.stringify({ jsonrpc: "2.0", id: last, method: "ping" }));
				await until(() => ids.includes(last));
				const received = lines.filter((line) => JSON.parse(line).id !== last);
				lines = [];
				return received;
			},
			begin: (text) => {
				write(text);
				return { answered: () => ids.includes(JSON.parse(text).id), cancel: write };
			},
		};
	},

	http: async (t, plugin) => {
		const { port } = await startHttp(t, { env: environment(plugin) });
		const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
		return {
			name: "http",
			plugin,
			port,
			exchange: async (text) => [(await send({ port, headers, body: text })).text].filter(Boolean),
			begin: (text) => {
				let answered = false;
				const request = http.request({ host: "127.0.0.1", port, method: "POST", path: "/mcp", headers }, () => {
					answered = true;
				});
				request.on("error", () => {});
				request.end(text);
				// There is no session in which a request could be named: who does not want the answer hangs up.
				return { answered: () => answered, cancel: () => request.destroy() };
			},
		};
	},
};

/** @param {() => boolean} condition */
export async function until(condition) {
	const end = Date.now() + ANSWER_LIMIT_MS;
	while (!condition()) {
		if (Date.now() > end) throw new Error(`waited too long for ${condition}`);
		await sleep(10);
	}
}
