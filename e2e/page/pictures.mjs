// Part of `npm run pictures`: takes the pictures of docs/page.md from the real page, over plugins of this repository that need no account.
//
// The window, the fonts and the calls are always the same; times, receipts and the port are what they are on that day.

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startChromium } from "../harness/browser.js";
import { withoutChromium } from "../harness/chromium-program.js";
import { startHttp } from "../harness/cli-http.js";
import { ROOT } from "../harness/paths.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { until } from "../harness/until.js";

const FOLDER = path.join(ROOT, "docs/pictures");
const MOST_BYTES = 150 * 1024;
const VIEW = { width: 960, height: 640 };
const SHOWN = ["demo", "everything", "github", "ollama", "tasks"];

const skip = withoutChromium();
if (skip) {
	console.error(`error: ${skip}`);
	process.exit(1);
}
/** @type {(() => unknown)[]} */
const ends = [];
const taken = { after: (/** @type {() => unknown} */ end) => void ends.push(end) };
try {
	await takePictures();
} finally {
	for (const end of ends.reverse()) await end();
}

async function takePictures() {
	mkdirSync(FOLDER, { recursive: true });
	const server = await serve();
	const browser = await startChromium(taken);
	const context = await browser.newContext({ viewport: VIEW, colorScheme: "light", reducedMotion: "reduce" });
	const page = await context.newPage();
	await page.goto(server.link);

	await page.getByRole("tab", { name: "Search" }).click();
	await page.getByLabel("Words").fill("write down a note about an issue");
	await page.keyboard.press("Enter");
	await page.getByText("Why it stands here").first().click();
	await picture(page, "page-search");

	await page.getByRole("tab", { name: "Plugins" }).click();
	const demo = page.getByRole("button", { name: "Tools of demo" });
	await demo.waitFor();
	await picture(page, "page-plugins");

	await others(server.url);
	await demo.click();
	await page.getByRole("button", { name: "Try the tool create_issue" }).click();
	const form = page.locator("#tool form");
	await form.getByLabel("title").fill("The page shows what is asked");
	await page.getByRole("button", { name: "Call", exact: true }).click();
	await page.getByRole("dialog").waitFor();
	await picture(page, "page-call");
	await page.getByRole("button", { name: "No", exact: true }).click();
	await page.locator("#outcome .problem").waitFor();

	await page.getByRole("tab", { name: "Live calls" }).click();
	await page.locator('#calls > li[data-outcome="refused"]').first().waitFor();
	await page.locator("#calls > li", { hasText: "codex" }).first().locator("summary").click();
	await picture(page, "page-live");
}

async function serve() {
	const folder = mkdtempSync(path.join(tmpdir(), "pictures-"));
	ends.push(() => rmSync(folder, { recursive: true, force: true }));
	const file = path.join(folder, "agent-tools.json");
	const policy = { trust: SHOWN };
	writeFileSync(file, JSON.stringify({ plugins: onlyRepositoryPlugins(...SHOWN), policy }));
	const env = {
		AGENT_TOOLS_CONFIG: "",
		AGENT_TOOLS_PLUGINS_DIR: "",
		AGENT_TOOLS_CONFIG_DIR: folder,
		AGENT_TOOLS_CACHE_DIR: path.join(folder, "cache"),
		AGENT_TOOLS_DATA_DIR: path.join(folder, "data"),
		AGENT_TOOLS_AUDIT_DIR: path.join(folder, "audit"),
	};
	const server = await startHttp(taken, { env });
	await until("guide", () => server.output().includes("Ctrl-C ends."));
	return { ...server, link: /http:\/\/\S+\/#token=\S+/.exec(server.output())?.[0] ?? "" };
}

/**
 * Calls of other clients, for the live view.
 *
 * @param {string} url
 */
async function others(url) {
	for (const [client, toolName, sent] of /** @type {[string, string, object][]} */ ([
		["claude-code", "list_issues", { state: "open" }],
		["codex", "get_issue", { number: 2 }],
		["claude-code", "get_issue", { number: "none" }],
		["pi", "list_issues", {}],
	])) {
		const params = { name: "agent_tools_call", arguments: { plugin: "demo", toolName, arguments: sent } };
		const headers = { "content-type": "application/json", accept: "application/json", "user-agent": client };
		const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
		await (await fetch(url, { method: "POST", headers, body })).text();
	}
}

/**
 * @param {import("playwright-core").Page} page
 * @param {string} name
 */
async function picture(page, name) {
	const file = path.join(FOLDER, `${name}.png`);
	await page.evaluate(() => document.fonts.ready);
	await page.screenshot({ path: file, animations: "disabled" });
	const { size } = statSync(file);
	console.log(`${path.relative(ROOT, file)}  ${Math.ceil(size / 1024)} KiB`);
	if (size > MOST_BYTES) throw new Error(`${file} has more than ${MOST_BYTES} bytes`);
}
