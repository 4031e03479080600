// The services that the plugins of this repository speak with, and what a user sets to reach them.

import { GH_PROGRAM } from "../harness/gh-program.js";
import { KITE_LITE_PROGRAM, withoutKiteLite } from "../harness/kite-lite-program.js";
import { withoutPocketBase } from "../harness/pocketbase-program.js";
import { temporaryFolder } from "../processes/places.js";
import * as github from "./github.js";
import { workflow } from "./n8n/workflows.js";
import * as n8n from "./n8n.js";
import { startOllama } from "./ollama.js";
import * as pocketbase from "./pocketbase.js";
import * as tasks from "./tasks.js";

/** The plugins that they are for. */
export const PLUGINS = ["github", "gh-cli", "n8n", "ollama", "pocketbase", "tasks"];

export const COLLECTION = "posts";

const webhook = (/** @type {object} */ parameters) => ({
	name: "In",
	type: "n8n-nodes-base.webhook",
	typeVersion: 2,
	parameters: { path: "in", ...parameters },
});

/** Of these, anybody can start the first. */
const workflows = () => [
	workflow({ id: "w1", name: "Newsletter sign-up", active: true, nodes: [webhook({})] }),
	workflow({ id: "w2", name: "Orders", active: true, nodes: [webhook({ authentication: "headerAuth" })] }),
];

/** @param {import("node:test").TestContext} t */
export async function startServices(t) {
	const services = {
		github: await github.startGitHub(t),
		n8n: await n8n.startN8n(t, { workflows: workflows() }),
		ollama: await startOllama(t),
		tasks: await tasks.startTasks(t, { tasks: [{ id: "1", title: "Write", done: false }] }),
		...(withoutPocketBase() ? {} : { pocketbase: await startPocketBase(t) }),
	};
	const env = {
		GITHUB_API_URL: services.github.url,
		GITHUB_TOKEN: github.TOKEN,
		// As e2e/plugins/gh-cli.test.js says; nothing else goes by way of the proxy.
		GH_CLI_BIN: GH_PROGRAM,
		GH_CONFIG_DIR: temporaryFolder("gh"),
		GH_HOST: "github.localhost",
		GH_TOKEN: github.TOKEN,
		HTTP_PROXY: services.github.url,
		NO_PROXY: "127.0.0.1",
		...(!withoutKiteLite() && { KITE_LITE_BIN: KITE_LITE_PROGRAM }),
		N8N_URL: services.n8n.url,
		N8N_API_KEY: n8n.KEY,
		OLLAMA_HOST: services.ollama.url,
		TASKS_API_URL: services.tasks.url,
		TASKS_API_KEY: tasks.KEY,
		...(services.pocketbase && {
			POCKETBASE_URL: services.pocketbase.url,
			POCKETBASE_EMAIL: pocketbase.EMAIL,
			POCKETBASE_PASSWORD: pocketbase.PASSWORD,
		}),
	};
	return { ...services, env };
}

/** @param {import("node:test").TestContext} t */
async function startPocketBase(t) {
	const service = new pocketbase.PocketBase();
	t.after(() => service.stop());
	await service.start();
	const fields = [{ name: "title", type: "text", required: true }];
	await service.administer("POST", "/api/collections", { name: COLLECTION, type: "base", fields });
	const server = await service.askedBy(t);
	/** The titles of the records that are there, by the superuser's own eyes. */
	const titles = async () => {
		const { items } = await service.administer("GET", `/api/collections/${COLLECTION}/records`);
		return items.map((/** @type {{title: string}} */ { title }) => title);
	};
	return { ...server, titles };
}
