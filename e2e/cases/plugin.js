import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("fake-server.mjs", import.meta.url));

/**
 * What a plugin is made of: what the fake server offers and does, what stands in the manifest besides, and declarative
 * skills by name.
 *
 * @typedef {{tools?: unknown, results?: unknown[], steps?: unknown[], acrossStarts?: boolean}} Scenario
 * @typedef {{scenario: Scenario, manifest?: Record<string, unknown>, skills?: Record<string, object>, trust?: Trust}} Content
 *   `trust` is what the user's own configuration says of it
 * @typedef {import("../../bindings-node/index.js").TrustOptions} Trust
 * @typedef {{folder: string, trust?: Trust, configDir?: string, received: () => any[], sent: (method: string) => any[],
 * change: (edit: (manifest: any) => void) => void}} Plugin `change` edits the manifest, before a runtime reads it
 */

/**
 * The plugin `x` in a folder of its own, whose MCP server is the fake one.
 *
 * @param {import("node:test").TestContext} t
 * @param {Content} content
 * @returns {Plugin}
 */
export function makePlugin(t, { scenario, manifest = {}, skills = {}, trust }) {
	const root = mkdtempSync(path.join(tmpdir(), "agent-tools-case-"));
	t.after(() => rmSync(root, { recursive: true, force: true }));
	const folder = path.join(root, "agent-tools-plugin-x");
	mkdirSync(folder);
	const [scenarioFile, receivedFile] = ["scenario.json", "received.jsonl"].map((name) => path.join(root, name));
	writeFileSync(scenarioFile, JSON.stringify(scenario));
	writeFileSync(receivedFile, "");
	for (const [name, skill] of Object.entries(skills)) {
		writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(skill));
	}
	const whole = {
		name: "agent-tools-plugin-x",
		prefix: "x",
		mcp: { command: process.execPath, args: [SERVER, scenarioFile, receivedFile] },
		requireConfirm: false,
		skills: Object.keys(skills).map((name) => `./${name}.json`),
		...manifest,
	};
	const change = (edit) => {
		edit(whole);
		writeFileSync(path.join(folder, "plugin.json"), JSON.stringify(whole));
	};
	change(() => {});
	const configDir = trust && path.join(root, "config");
	if (configDir) {
		mkdirSync(configDir);
		writeFileSync(path.join(configDir, "agent-tools.json"), JSON.stringify({ trust }));
	}
	const received = () =>
		readFileSync(receivedFile, "utf8")
			.split("\n")
			.filter(Boolean)
			.map((line) => JSON.parse(line));
	return {
		folder,
		trust,
		configDir,
		received,
		change,
		sent: (method) => received().filter((message) => message.method === method),
	};
}
