// Who is given the page and its data, as seen from outside.

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { before, describe, test } from "node:test";
import { Runtime } from "../../bindings-node/index.js";
import { withoutChromium } from "../harness/chromium-program.js";
import { send } from "../harness/http-request.js";
import { startDesk, tokenOf } from "./desk.js";
import { browserFor, forSuite } from "./open-page.js";

const DATA = "/page/data/overview";

describe("the page in a browser", { skip: withoutChromium() }, () => {
	/** @type {Awaited<ReturnType<typeof browserFor>>} */
	let browser;
	const suite = forSuite();
	before(async () => {
		browser = await browserFor(suite);
	});

	test("says what to do without the token, or with one of an earlier start", async (t) => {
		const desk = await startDesk(t);
		for (const part of ["", "#token=of-an-earlier-start"]) {
			const page = await browser.open(t, `http://127.0.0.1:${desk.port}/${part}`);
			await page.getByRole("heading", { name: "This page needs the token of its link" }).waitFor();
			assert.match(await page.locator("#locked").textContent(), /Open the link that agent-tools http printed/);
			assert.equal(await page.locator("#app").isVisible(), false);
			assert.equal(await page.evaluate(() => location.hash), "", "the address keeps no token, a wrong one neither");
		}
	});

	test("takes the token out of the address, sends it to its server alone, and keeps it for the tab", async (t) => {
		const desk = await startDesk(t);
		const page = await browser.open(t, desk.link);
		/** @type {string[]} */
		const asked = [];
		page.on("request", (request) => asked.push(request.url()));
		await page.getByRole("tab", { name: "Plugins" }).waitFor();
		assert.ok(!page.url().includes(tokenOf(desk.link)), page.url());
		await page.reload();
		await page.locator('[data-plugin="desk"]').waitFor();
		assert.ok(asked.length > 0 && asked.every((url) => !url.includes(tokenOf(desk.link))));
		const other = await page.context().newPage();
		await other.goto(`http://127.0.0.1:${desk.port}/`);
		await other.getByRole("heading", { name: /needs the token/ }).waitFor();
	});

	test("cannot be read or framed by a page of another origin", async (t) => {
		const desk = await startDesk(t);
		const page = await browser.open(t, desk.link);
		await page.getByRole("tab", { name: "Plugins" }).waitFor();
		// Another port of this machine is another origin, which the transport lets ask.
		const elsewhere = http.createServer((_, response) => {
			response.setHeader("content-type", "text/html");
			response.end(`<iframe src="http://127.0.0.1:${desk.port}/"></iframe>`);
		});
		elsewhere.listen(0, "127.0.0.1");
		await once(elsewhere, "listening");
		t.after(() => elsewhere.close());
		const { port } = /** @type {import("node:net").AddressInfo} */ (elsewhere.address());
		const context = await page.context().browser()?.newContext();
		t.after(() => context?.close());
		const foreign = await context?.newPage();
		assert.ok(foreign);
		await foreign.goto(`http://127.0.0.1:${port}/`);
		const frame = foreign.frames()[1];
		assert.ok(frame && !frame.url().startsWith(`http://127.0.0.1:${desk.port}`), `framed: ${frame?.url()}`);
		const read = await foreign.evaluate(
			async ([url, token]) => {
				try {
					const response = await fetch(/** @type {string} */ (url), {
						headers: { "x-page-token": /** @type {string} */ (token) },
					});
					return await response.text();
				} catch {
					return "refused";
				}
			},
			[`http://127.0.0.1:${desk.port}${DATA}`, tokenOf(desk.link)],
		);
		assert.equal(read, "refused");
	});
});

test("a link is printed where this machine alone reaches the server, or where it is wanted", async (t) => {
	const open = ["--host", "0.0.0.0", "--token", "a-long-random-token"];
	for (const [args, there] of /** @type {[string[], boolean][]} */ ([
		[[], true],
		[["--no-page"], false],
		[open, false],
		[[...open, "--page"], true],
	])) {
		const desk = await startDesk(t, { args });
		assert.equal(desk.link !== "", there, args.join(" "));
		const page = await send({ port: desk.port, method: "GET", path: "/", headers: { host: "localhost" } });
		assert.equal(page.status, there ? 200 : 404, args.join(" "));
		const own = { host: "localhost", authorization: "Bearer a-long-random-token" };
		const data = await send({ port: desk.port, method: "GET", path: DATA, headers: own });
		assert.equal(data.status, there ? 401 : 404, args.join(" "));
		if (!there) continue;
		assert.equal(data.json().code, "PAGE_TOKEN_REQUIRED");
		assert.match(desk.link, /^http:\/\/127\.0\.0\.1:/, "a link that a browser can open");
		const headers = { host: "localhost", "x-page-token": tokenOf(desk.link) };
		const given = await send({ port: desk.port, method: "GET", path: DATA, headers });
		assert.equal(given.status, 200, given.text);
		assert.ok(!given.text.includes(tokenOf(desk.link)));
		desk.child.kill();
	}
});

test("--page and --no-page together are a mistake that is told", async () => {
	const { spawnSync } = await import("node:child_process");
	const { CLI } = await import("../harness/paths.js");
	const { status, stderr } = spawnSync(process.execPath, [CLI, "http", "--page", "--no-page"], { encoding: "utf8" });
	assert.equal(status, 2);
	assert.match(stderr, /error: --page and --no-page ask for opposite things\nhint: Leave one of them out\./);
});

test("an open page keeps no server from stopping, and its stream ends", async (t) => {
	const runtime = await Runtime.open({ plugins: [], cache: false });
	t.after(() => runtime.close());
	const { pageUrl = "", port } = await runtime.serveHttp({ port: 0 });
	const path = "/page/data/live";
	const request = http.get({ host: "127.0.0.1", port, path, headers: { "x-page-token": tokenOf(pageUrl) } });
	const [response] = await once(request, "response");
	assert.equal(response.statusCode, 200);
	const ended = once(response, "close");
	response.resume();
	await runtime.close();
	await ended;
	await assert.rejects(once(http.get({ host: "127.0.0.1", port, path: "/" }), "response"), { code: "ECONNREFUSED" });
});
