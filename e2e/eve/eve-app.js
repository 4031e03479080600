import assert from "node:assert/strict";
import { cpSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { e2eModule, NODE24, ROOT, temporaryFolder } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";
import { Scripts } from "../scripted-model/script.js";
import { ScriptedModel } from "../scripted-model/scripted-model.js";
import { RecordingProxy } from "./recording-proxy.js";

const EVE = e2eModule("eve/bin/eve.js");
const KIT = path.join(ROOT, "integrations/eve");
/** What `eve remote invoke` exits with when it waits for a person. */
const PAUSED = 3;

/** @typedef {import("../scripted-model/script.js").Turn} Turn */

/** The example agent of the eve kit under `eve dev`, with a scripted model and a proxy in front of the runtime. */
export class EveApp {
	/** @type {Map<string, import("../scripted-model/script.js").Script>} */
	#scripts = new Map();

	/**
	 * @param {import("node:test").TestContext} t
	 * @param {{plugin?: string, token?: string}} [options]
	 */
	static async start(t, { plugin = "demo", token } = {}) {
		const app = new EveApp(t);
		await app.#start(plugin, token);
		return app;
	}

	/** @param {import("node:test").TestContext} t */
	constructor(t) {
		this.t = t;
	}

	/**
	 * Sends a prompt, for which the model plays `turns`.
	 *
	 * @param {Turn[]} turns
	 */
	async ask(turns) {
		const name = `conversation-${this.#scripts.size + 1}`;
		this.#scripts.set(name, { turns });
		return this.#conversation([`script:${name}`], "");
	}

	/**
	 * The same for a conversation that ends in a question to a person, who then answers.
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
	 * @param {string} plugin
	 * @param {string | undefined} token
	 */
	async #start(plugin, token) {
		const scripts = new Scripts((name) => this.#scripts.get(name ?? "") ?? { turns: [] });
		this.model = await ScriptedModel.start(scripts);
		this.proxy = await RecordingProxy.start();
		this.t.after(() => Promise.all([this.model?.stop(), this.proxy?.stop()]));

		this.folder = temporaryFolder("eve-app");
		cpSync(path.join(KIT, "example"), this.folder, { recursive: true });
		cpSync(path.join(KIT, "connections"), path.join(this.folder, "agent/connections"), { recursive: true });
		symlinkSync(e2eModule("."), path.join(this.folder, "node_modules"));

		const port = await freePort();
		this.url = `http://127.0.0.1:${port}`;
		this.env = {
			PATH: `${path.dirname(NODE24)}:${process.env.PATH}`,
			HOME: this.folder,
			EVE_TELEMETRY_DISABLED: "1",
			EVE_TRACES: "off",
			NO_COLOR: "1",
			MODEL_BASE_URL: this.model.baseUrl,
			MODEL_NAME: "scripted",
			AGENT_TOOLS_URL: `${this.proxy.url}/mcp/${plugin}`,
			...(token ? { AGENT_TOOLS_TOKEN: token } : {}),
		};
		const args = ["dev", "--no-ui", "--no-default-extensions", "--host", "127.0.0.1", "--port", String(port)];
		const eve = this.#spawn(args);
		// An error until the first compile is done.
		await eve.until("answer from eve", () => isOk(`${this.url}/eve/v1/health`), 90_000);
	}

	/** @param {string[]} args */
	#spawn(args) {
		const { folder, env } = this;
		assert.ok(folder && env);
		return new Spawned(this.t, NODE24, [EVE, ...args], { cwd: folder, env, input: "open" });
	}

	/**
	 * @param {string[]} args
	 * @param {string} input
	 */
	async #conversation(args, input) {
		const { model, proxy, url } = this;
		assert.ok(model && proxy && url);
		proxy.exchanges = [];
		const before = model.requests.length;
		const invoke = this.#spawn(["remote", "invoke", "--url", url, ...args]);
		invoke.write(input);
		invoke.endInput();
		const { code } = await invoke.exitWithin(60_000);
		const requests = model.requests.slice(before);
		return {
			code,
			text: invoke.stdout,
			/** What eve answered. */
			message: messageOf(invoke),
			/** What the model was sent, and what the script finds wrong with it. */
			requests,
			complaints: requests.flatMap(({ failed_expectations }) => failed_expectations),
			/** What reached the runtime. */
			methods: proxy.methods,
			toolCalls: proxy.toolCalls,
			exchanges: proxy.exchanges,
		};
	}
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
