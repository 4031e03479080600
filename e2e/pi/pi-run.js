import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../harness/paths.js";
import { e2eModule, NODE24, temporaryFolder } from "../processes/places.js";
import { Spawned } from "../processes/spawned.js";
import { ScriptedModel } from "../scripted-model/scripted-model.js";

const PI = e2eModule("@earendil-works/pi-coding-agent/dist/bundle/cli.js");
const EXTENSION = path.join(ROOT, "integrations/pi-extension");

/**
 * @typedef {object} PiOptions
 * @property {import("../scripted-model/script.js").Turn[]} turns what the model says
 * @property {"json" | "rpc"} [mode]
 * @property {string} [prompt]
 * @property {string[]} [args]
 * @property {Record<string, string>} [env]
 * @property {Record<string, unknown>} [files] what becomes JSON in the working folder
 * @property {number} [withinMs] how long it may take as a whole
 */

/** The real Pi with our extension, driven by a scripted model. */
export class PiRun {
	/**
	 * @param {import("node:test").TestContext} t
	 * @param {PiOptions} options
	 */
	static async start(t, { turns, mode = "json", prompt = "go", args = [], env = {}, files = {} }) {
		const model = await ScriptedModel.start({ turns });
		t.after(() => model.stop());
		const home = temporaryFolder("pi-run");
		const agentDir = path.join(home, "agent");
		const workDir = path.join(home, "work");
		for (const folder of [agentDir, workDir]) mkdirSync(folder);
		for (const [name, content] of Object.entries(files)) {
			writeFileSync(path.join(workDir, name), JSON.stringify(content));
		}
		writeFileSync(path.join(agentDir, "models.json"), JSON.stringify(modelsFile(model.baseUrl)));

		const session = ["--no-session", "--provider", "scripted", "--model", "scripted", "-e", EXTENSION];
		const how =
			mode === "rpc" ? ["--mode", "rpc", ...session, ...args] : ["-p", "--mode", mode, ...session, ...args, prompt];
		const child = new Spawned(t, NODE24, [PI, ...how], {
			cwd: workDir,
			env: environment(home, agentDir, env),
			...(mode === "rpc" ? { input: /** @type {const} */ ("open") } : {}),
		});
		return new PiRun(child, model);
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
	 */
	constructor(child, model) {
		this.child = child;
		this.model = model;
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
