import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../harness/paths.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { e2eModule, NODE24, temporaryFolder } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";
import { ScriptedModel } from "../scripted-model/scripted-model.js";

const PI = e2eModule("@earendil-works/pi-coding-agent/dist/bundle/cli.js");
const EXTENSION = path.join(ROOT, "integrations/pi-extension");

/**
 * @typedef {object} PiOptions
 * @property {import("../scripted-model/script.js").Turn[]} [turns] what the model says
 * @property {import("../scripted-model/script.js").Scripts} [scripts] the same, for prompts that name their script
 * @property {"json" | "rpc"} [mode]
 * @property {string} [prompt]
 * @property {string[]} [args]
 * @property {Record<string, string>} [env]
 * @property {string[]} [plugins] which of this repository's there are, without `agent-tools-plugin-`
 * @property {Record<string, unknown>} [files] what becomes JSON in the working folder
 * @property {string[]} [extensions] instead of ours
 * @property {Record<string, object>} [mcpServers] MCP servers that Pi knows
 * @property {number} [withinMs] how long it may take as a whole
 */

const PLUGINS = ["demo", "everything"];

/** The real Pi with our extension, driven by a scripted model. */
export class PiRun {
	/**
	 * @param {import("node:test").TestContext} t
	 * @param {PiOptions} options
	 */
	static async start(t, options) {
		const { turns = [], scripts, mode = "json", prompt = "go", args = [], env = {}, files = {} } = options;
		const { extensions = [EXTENSION], mcpServers } = options;
		const model = await ScriptedModel.start(scripts ?? { turns });
		t.after(() => model.stop());
		const home = temporaryFolder("pi-run");
		const agentDir = path.join(home, "agent");
		const workDir = path.join(home, "work");
		for (const folder of [agentDir, workDir]) mkdirSync(folder);
		for (const [name, content] of Object.entries(files)) {
			writeFileSync(path.join(workDir, name), JSON.stringify(content));
		}
		const plugins = onlyRepositoryPlugins(...(options.plugins ?? PLUGINS));
		const ownSettings = path.join(home, ".config/agent-tools");
		mkdirSync(ownSettings, { recursive: true });
		writeFileSync(path.join(ownSettings, "agent-tools.json"), JSON.stringify({ plugins }));
		writeFileSync(path.join(agentDir, "models.json"), JSON.stringify(modelsFile(model.baseUrl)));
		if (mcpServers) writeFileSync(path.join(agentDir, "mcp.json"), JSON.stringify({ mcpServers }));

		const session = [
			"--no-session",
			"--provider",
			"scripted",
			"--model",
			"scripted",
			...extensions.flatMap((folder) => ["-e", folder]),
		];
		const how =
			mode === "rpc" ? ["--mode", "rpc", ...session, ...args] : ["-p", "--mode", mode, ...session, ...args, prompt];
		const child = new Spawned(t, NODE24, [PI, ...how], {
			cwd: workDir,
			env: environment(home, agentDir, env),
			...(mode === "rpc" ? { input: /** @type {const} */ ("open") } : {}),
		});
		return new PiRun(child, model, home);
	}

	/**
	 * One prompt from start to end.
	 *
	 * @param {import("node:test").TestContext} t
	 * @param {PiOptions} options
	 */
	static async once(t, options) {
		const run = await PiRun.start(t, options);
		return { run, exit: await run.child.exitWithin(options.withinMs) };
	}

	/**
	 * @param {Spawned} child
	 * @param {ScriptedModel} model
	 * @param {string} home
	 */
	constructor(child, model, home) {
		this.child = child;
		this.model = model;
		this.home = home;
	}

	/** Pi's own event stream so far. @returns {any[]} */
	get events() {
		const lines = this.child.stdout.split("\n");
		lines.pop(); // not complete yet
		return lines.filter(Boolean).map((line) => JSON.parse(line));
	}

	/** @param {string} type @param {string} [toolName] */
	eventsOf(type, toolName) {
		return this.events.filter((event) => event.type === type && (!toolName || event.toolName === toolName));
	}

	/** @param {string} type @param {string} [toolName] */
	event(type, toolName) {
		return this.child.until(`${type} ${toolName ?? ""}`, () => this.eventsOf(type, toolName)[0]);
	}

	/** @param {object} command an RPC command */
	send(command) {
		this.child.write(`${JSON.stringify(command)}\n`);
	}

	/** The choices that a person was given so far. @returns {{id: string, title: string, options: string[], timeout: number}[]} */
	get dialogs() {
		return this.eventsOf("extension_ui_request").filter(({ method }) => method === "select");
	}

	/** @param {number} number the first is 1 */
	dialog(number) {
		return this.child.until(`dialog ${number}`, () => this.dialogs[number - 1]);
	}

	/** Answers a dialog; without a choice it is closed. @param {{id: string}} dialog @param {string} [value] */
	answerTo({ id }, value) {
		this.send({ type: "extension_ui_response", id, ...(value === undefined ? { cancelled: true } : { value }) });
	}

	/** Gives the same answer to every dialog, until Pi ends. @param {string} value */
	async answerAll(value) {
		try {
			for (let number = 1; ; number++) {
				const dialog = await this.child.until("dialog", () => this.dialogs[number - 1], 600_000);
				this.answerTo(dialog, value);
			}
		} catch {}
	}

	/** Sends a prompt, and waits until all is done that comes of it. @param {string} message */
	async say(message) {
		const before = this.eventsOf("agent_settled").length;
		this.send({ type: "prompt", message });
		await this.child.until("the end", () => this.eventsOf("agent_settled").length > before);
	}

	/** What the model said at the end. */
	get answer() {
		const last = this.eventsOf("message_end").findLast(({ message }) => message.role === "assistant");
		return last?.message.content.map((/** @type {any} */ part) => part.text ?? "").join("");
	}
}

/** A custom provider: any OpenAI-compatible endpoint. @param {string} baseUrl */
function modelsFile(baseUrl) {
	const models = [{ id: "scripted", contextWindow: 200_000, maxTokens: 8192 }];
	return { providers: { scripted: { baseUrl, api: "openai-completions", apiKey: "unused", models } } };
}

/**
 * Nothing of the developer's own settings, sessions, extensions or credentials.
 *
 * @param {string} home
 * @param {string} agentDir
 * @param {Record<string, string>} more
 */
function environment(home, agentDir, more) {
	return {
		PATH: `${path.dirname(NODE24)}${path.delimiter}${process.env.PATH}`,
		HOME: home,
		PI_CODING_AGENT_DIR: agentDir,
		PI_OFFLINE: "1",
		PI_SKIP_VERSION_CHECK: "1",
		PI_TELEMETRY: "0",
		...more,
	};
}
