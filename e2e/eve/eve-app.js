import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { ROOT } from "../harness/paths.js";
import { e2eModule, NODE24, temporaryFolder } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";
import { Scripts } from "../scripted-model/script.js";
import { ScriptedModel } from "../scripted-model/scripted-model.js";
import { converse } from "./eve-session.js";
import { RecordingProxy } from "./recording-proxy.js";

const EVE = e2eModule("eve/bin/eve.js");
const KIT = path.join(ROOT, "integrations/eve");
/** What `eve remote invoke` exits with when it waits for a person. */
const PAUSED = 3;

/**
 * @typedef {import("../scripted-model/script.js").Turn} Turn
 *
 * @typedef {object} Parts
 * @property {import("node:test").TestContext} t
 * @property {Map<string, import("../scripted-model/script.js").Script>} scripts
 * @property {ScriptedModel} model
 * @property {RecordingProxy} proxy
 * @property {string} folder
 * @property {NodeJS.ProcessEnv} env
 * @property {string} url
 */

/** The example agent of the eve kit under `eve dev`, with a scripted model and a proxy in front of the runtime. */
export class EveApp {
	#parts;

	/**
	 * @param {import("node:test").TestContext} t
	 * @param {{path?: string, connection?: string, token?: string}} [options] `path`: what the connection asks of the
	 *   runtime; `connection`: which of the kit's it is
	 */
	static async start(t, { path: asked = "/mcp/demo", connection = "agent-tools", token } = {}) {
		const proxy = await RecordingProxy.start();
		t.after(() => proxy.stop());
		const env = { AGENT_TOOLS_URL: `${proxy.url}${asked}`, ...(token ? { AGENT_TOOLS_TOKEN: token } : {}) };
		return EveApp.in(t, agentFolder(connection), env, proxy);
	}

	/**
	 * An agent whose folder is there already.
	 *
	 * @param {import("node:test").TestContext} t
	 * @param {string} folder
	 * @param {NodeJS.ProcessEnv} [more]
	 * @param {RecordingProxy} [proxy]
	 */
	static async in(t, folder, more = {}, proxy = new RecordingProxy()) {
		/** @type {Parts["scripts"]} */
		const scripts = new Map();
		const model = await ScriptedModel.start(new Scripts((name) => scripts.get(name ?? "") ?? { turns: [] }));
		t.after(() => model.stop());
		const port = await freePort();
		const env = { ...environment(folder), MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "scripted", ...more };
		const app = new EveApp({ t, scripts, model, proxy, folder, env, url: `http://127.0.0.1:${port}` });
		await app.#develop(port);
		return app;
	}

	/** @param {Parts} parts */
	constructor(parts) {
		this.#parts = parts;
	}

	get proxy() {
		return this.#parts.proxy;
	}

	/**
	 * Sends a prompt, for which the model plays `turns`.
	 *
	 * @param {Turn[]} turns
	 */
	async ask(turns) {
		const { scripts } = this.#parts;
		const name = `conversation-${scripts.size + 1}`;
		scripts.set(name, { turns });
		return this.#conversation([`script:${name}`], "");
	}

	/**
	 * The same for a conversation that comes to a question to a person, who then answers.
	 *
	 * @param {Turn[]} turns
	 * @param {"approve" | "cancel"} answer
	 */
	async askAndAnswer(turns, answer) {
		const asked = await this.ask(turns);
		assert.equal(asked.code, PAUSED, `nobody was asked: ${asked.text}`);
		return { asked, done: await this.#conversation(["--resume", answer], asked.text) };
	}

	/**
	 * The same without a process for each conversation; a person who is asked answers at once.
	 *
	 * @param {Turn[]} turns
	 * @param {"approve" | "cancel"} [answer]
	 */
	async chat(turns, answer = "approve") {
		const { scripts, model, url } = this.#parts;
		const name = `conversation-${scripts.size + 1}`;
		scripts.set(name, { turns });
		const before = model.requests.length;
		const { message, asked } = await converse(url, `script:${name}`, answer);
		return { message, asked, requests: model.requests.slice(before) };
	}

	/** @param {number} port */
	async #develop(port) {
		const args = ["dev", "--no-ui", "--no-default-extensions", "--host", "127.0.0.1", "--port", String(port)];
		// An error until the first compile is done.
		const health = `${this.#parts.url}/eve/v1/health`;
		await this.#spawn(args).until("answer from eve", () => isOk(health), 90_000);
	}

	/** @param {string[]} args */
	#spawn(args) {
		const { t, folder, env } = this.#parts;
		return new Spawned(t, NODE24, [EVE, ...args], { cwd: folder, env, input: "open" });
	}

	/**
	 * @param {string[]} args
	 * @param {string} input
	 */
	async #conversation(args, input) {
		const { model, proxy, url } = this.#parts;
		proxy.exchanges = [];
		const before = model.requests.length;
		const invoke = this.#spawn(["remote", "invoke", "--url", url, ...args]);
		invoke.write(input);
		invoke.endInput();
		const { code } = await invoke.exitWithin(60_000);
		return {
			code,
			text: invoke.stdout,
			/** What eve answered. */
			message: messageOf(invoke),
			/** What the model was sent. */
			requests: model.requests.slice(before),
			/** What reached the runtime. */
			methods: proxy.methods,
			toolCalls: proxy.toolCalls,
			exchanges: proxy.exchanges,
		};
	}
}

/** A copy of the example with one of the kit's connection files, as a user makes it. @param {string} connection */
function agentFolder(connection) {
	const folder = temporaryFolder("eve-app");
	cpSync(path.join(KIT, "example"), folder, { recursive: true });
	const connections = path.join(folder, "agent/connections");
	rmSync(connections, { recursive: true });
	mkdirSync(connections);
	copyFileSync(path.join(KIT, "connections", `${connection}.ts`), path.join(connections, `${connection}.ts`));
	symlinkSync(e2eModule("."), path.join(folder, "node_modules"));
	return folder;
}

/** @param {string} home */
function environment(home) {
	return {
		PATH: `${path.dirname(NODE24)}${path.delimiter}${process.env.PATH}`,
		HOME: home,
		EVE_TELEMETRY_DISABLED: "1",
		EVE_TRACES: "off",
		NO_COLOR: "1",
	};
}

/** @param {Spawned} invoke */
function messageOf(invoke) {
	try {
		return String(JSON.parse(invoke.stdout).outcome?.message);
	} catch {
		throw new Error(`eve gave no answer\n${invoke.output}`);
	}
}

/** @param {string} url */
async function isOk(url) {
	return fetch(url, { signal: AbortSignal.timeout(5000) }).then(
		({ ok }) => ok,
		() => false,
	);
}

/** eve wants its port by number. @returns {Promise<number>} */
function freePort() {
	return new Promise((resolve, reject) => {
		const probe = createServer();
		probe.on("error", reject);
		probe.listen(0, "127.0.0.1", () => {
			const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
			probe.close(() => resolve(port));
		});
	});
}
