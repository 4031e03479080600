// The real kite-lite, and pages on 127.0.0.1.

import assert from "node:assert/strict";
import { copyFileSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { KITE_LITE_PROGRAM, withoutKiteLite } from "../harness/kite-lite-program.js";
import { until } from "../harness/until.js";
import { temporaryFolder } from "../processes/places.js";
import { leadingTo, refusing, startPages } from "../services/pages.js";
import { openBundled } from "./bundled.js";

const READING = ["fetch_page", "eval_js", "browser_get_dom", "browser_screenshot", "render_screenshot"];
const CHANGING = ["browser_navigate", "browser_click", "browser_type", "browser_call_tool"];
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const HOME = `<!doctype html><html lang="en"><head><title>Almanac</title></head><body>
<h1>Almanac</h1><p>Sunrise at seven, «é».</p><a href="/tides">Tides</a>
<form action="/search"><input name="q" type="text"><button>Search</button></form>
<form action="/book" toolname="book" tooldescription="Book a boat"><input name="boat" required><input name="seats" type="number"></form>
<script>document.title = "changed by the page"; fetch("/by-script");</script></body></html>`;
/** @param {string} title */
const page = (title) => `<title>${title}</title><h1>${title}</h1>`;

/** @param {import("node:test").TestContext} t */
async function kite(t, pages = {}, options = {}, environment = {}) {
	const site = await startPages(t, {
		"/": HOME,
		"/tides": page("Tides"),
		"/search": page("Found"),
		"/book": page("Booked"),
		...pages,
	});
	const opened = await openBundled(t, "kite-lite", { KITE_LITE_BIN: KITE_LITE_PROGRAM, ...environment }, options);
	/** What a tool gives besides its text. */
	const attached = async (toolName, args) => {
		const reply = await opened.runtime.callTool("agent_tools_kite_call", { toolName, arguments: args });
		return reply.content.slice(1);
	};
	return { site, attached, at: (/** @type {string} */ path) => ({ url: site.url + path }), ...opened };
}

/** @param {any[]} parts */
function assertPng([part, ...others]) {
	assert.equal(part?.mimeType, "image/png");
	assert.deepEqual(Buffer.from(part.data, "base64").subarray(0, PNG.length), PNG);
	assert.deepEqual(others, []);
}

/** The processes that run a program by this path. @param {string} program */
function processesOf(program) {
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => {
			try {
				return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0", 1)[0] === program;
			} catch {
				return false;
			}
		})
		.map(Number);
}

/** Asks again when it is said to, as one that has just ended or failed to start is given a pause. @param {() => Promise<any>} ask */
async function patiently(ask) {
	for (;;) {
		const answer = await ask();
		if (!/^PLUGIN_(UNAVAILABLE|CRASHED)$/.test(answer.code ?? "")) return answer;
		await sleep((answer.retryAfterMs ?? 0) + 1);
	}
}

describe("kite-lite", { timeout: 120_000, skip: withoutKiteLite() }, () => {
	test("offers every tool, and knows which only read", async (t) => {
		const { runtime } = await kite(t);
		const tools = await runtime.tools({ kind: "flat", plugin: "kite" });
		const named = (readOnly) =>
			tools
				.filter(({ annotations }) => Boolean(annotations?.readOnlyHint) === readOnly)
				.map(({ name }) => name)
				.filter((name) => name !== "read_more")
				.toSorted();
		assert.deepEqual(named(true), [...READING, "skill_page-overview"].toSorted());
		assert.deepEqual(named(false), CHANGING.toSorted());
	});

	test("reads a page, unasked: text, absolute links, forms that are tools, and none of its scripts", async (t) => {
		const { callUnasked, at, site } = await kite(t);
		const { url, title, text, links, tools } = await callUnasked("fetch_page", at("/"));
		assert.deepEqual([url, title], [at("/").url, "Almanac"]);
		assert.match(text, /Sunrise at seven, «é»\./);
		assert.match(JSON.stringify(links), new RegExp(`"${at("/tides").url}"`));
		assert.deepEqual(
			tools.map(({ name, inputSchema }) => [name, inputSchema.required]),
			[["book", ["boat"]]],
		);
		assert.deepEqual(site.asked(), ["GET /"]);
	});

	test("renders a page, unasked, as a picture or as text", async (t) => {
		const { attached, callUnasked, at } = await kite(t);
		assertPng(await attached("render_screenshot", at("/")));
		const { raw } = await callUnasked("render_screenshot", { ...at("/"), format: "svg" });
		assert.match(raw, /^<svg[\s\S]*Sunrise at seven/);
		assert.equal((await callUnasked("render_screenshot", { ...at("/"), format: "gif" })).code, "ARG_VALIDATION_FAILED");
	});

	test("a script sees the page's text, changes nothing and reaches nothing, and so is run unasked", async (t) => {
		const { callUnasked, at, site } = await kite(t);
		const evaluated = (script) => callUnasked("eval_js", { ...at("/"), script });
		const { raw } = await evaluated("document.title + ' / ' + document.querySelector('p').innerText");
		assert.equal(raw, "Almanac / Sunrise at seven, «é».");
		assert.equal(await evaluated("1 + 2"), 3);
		site.asked();

		for (const script of [
			`fetch("${at("/by-script").url}")`,
			"new XMLHttpRequest()",
			"require('fs').readFileSync('/etc/passwd', 'utf8')",
			"process.exit(1)",
			"document.querySelector('button').click()",
			"location.href = '/tides'",
		]) {
			const failure = await evaluated(script);
			assert.equal(failure.code, "TOOL_FAILED", `${script}: ${JSON.stringify(failure)}`);
			assert.match(JSON.stringify(failure), /JavaScript error: (Reference|Type)Error/, script);
		}
		await evaluated("document.title = 'changed'; var kept = 1");
		assert.match(JSON.stringify(await evaluated("document.title + typeof kept")), /Almanacundefined/);
		assert.deepEqual([...new Set(site.asked())], ["GET /"]);
		assert.doesNotMatch(JSON.stringify(await callUnasked("browser_get_dom")), /Almanac/, "the session is another one");
	});

	test("a script that does not end is ended", async (t) => {
		const { callUnasked, at } = await kite(t);
		const failure = await callUnasked("eval_js", { ...at("/"), script: "for (;;);" });
		assert.match(JSON.stringify(failure), /JavaScript execution exceeded 1500 ms/);
		assert.equal(await callUnasked("eval_js", { ...at("/"), script: "2 + 2" }), 4);
	});

	test("without kite-lite-js beside it, only eval_js fails, and says so", async (t) => {
		const alone = path.join(temporaryFolder("kite-lite-alone"), path.basename(KITE_LITE_PROGRAM));
		copyFileSync(KITE_LITE_PROGRAM, alone);
		const { callUnasked, at } = await kite(t, {}, {}, { KITE_LITE_BIN: alone });
		const failure = await callUnasked("eval_js", { ...at("/"), script: "1" });
		assert.equal(failure.code, "TOOL_FAILED");
		assert.match(JSON.stringify(failure), /failed to spawn the kite-lite-js evaluator/);
		assert.equal((await callUnasked("fetch_page", at("/"))).title, "Almanac");
	});

	test("what uses the session wants consent, and sends nothing without", async (t) => {
		const { callUnasked, at, site } = await kite(t);
		for (const [tool, args] of /** @type {const} */ ([
			["browser_navigate", at("/")],
			["browser_click", { selector: "a" }],
			["browser_type", { text: "x", selector: "input" }],
			["browser_call_tool", { name: "book", arguments: { boat: "Ida" } }],
		])) {
			assert.equal((await callUnasked(tool, args)).code, "CONFIRM_REQUIRED", tool);
		}
		assert.deepEqual(site.asked(), []);
	});

	test("a person's rule makes reading ask, too", async (t) => {
		const policy = { tools: { "kite/{fetch_page,eval_js,render_screenshot}": "ask" } };
		const { call, callUnasked, skillUnasked, at, site } = await kite(t, {}, { policy });
		assert.equal((await callUnasked("fetch_page", at("/"))).code, "CONFIRM_REQUIRED");
		assert.notEqual((await skillUnasked("page-overview", at("/"))).code, undefined);
		assert.deepEqual(site.asked(), []);
		assert.equal((await call("fetch_page", at("/"))).title, "Almanac");
	});

	test("is found by what people ask for", async (t) => {
		const { discover } = await kite(t);
		assert.match(await discover("read a web page"), /page-overview|fetch_page/);
		assert.match(await discover("take a screenshot"), /render_screenshot/);
		assert.match(await discover("fill in a form and submit it"), /browser_(type|click|call_tool)/);
	});

	test("walks through pages, fills in a form and sends it, with the cookies of the session", async (t) => {
		const { attached, call, callUnasked, at, site } = await kite(t, {
			"/enter": (_, response) => response.writeHead(302, { location: "/", "set-cookie": "ticket=7; Path=/" }).end(),
		});
		assert.equal((await call("browser_navigate", at("/enter"))).url, at("/").url);
		assert.match((await callUnasked("browser_get_dom")).raw, /<h1>Almanac<\/h1>/);
		assert.equal((await callUnasked("browser_get_dom", { selector: "p" })).raw, "<p>Sunrise at seven, «é».</p>");
		assertPng(await attached("browser_screenshot", {}));
		assert.match((await callUnasked("browser_screenshot", { format: "svg" })).raw, /Sunrise at seven/);
		assert.equal((await call("browser_click", { selector: "[name=q]" })).action, "focused");
		await call("browser_type", { text: "high & low" });
		assert.equal((await call("browser_click", { selector: "button" })).page.title, "Found");

		await call("browser_navigate", at("/"));
		const booked = await call("browser_call_tool", { name: "book", arguments: { boat: "Ida", seats: 2 } });
		assert.equal(booked.title, "Booked");
		await call("browser_navigate", at("/"));
		assert.equal((await call("browser_click", { selector: "a" })).page.title, "Tides");

		const [enter, ...later] = site.received;
		assert.deepEqual(enter, { asked: "GET /enter" });
		assert.deepEqual(
			later.map(({ asked }) => asked),
			["GET /", "GET /search?q=high+%26+low", "GET /", "GET /book?boat=Ida&seats=2", "GET /", "GET /tides"],
		);
		assert.deepEqual([...new Set(later.map(({ cookie }) => cookie))], ["ticket=7"]);
		await callUnasked("fetch_page", at("/"));
		assert.deepEqual(site.received.at(-1), { asked: "GET /" }, "what reads has none of them");
	});

	test("what is not on the page is said to be missing", async (t) => {
		const { call, at, site } = await kite(t);
		await call("browser_navigate", at("/tides"));
		site.asked();
		for (const [tool, args, said] of /** @type {const} */ ([
			["browser_click", { selector: "button" }, /no element matches selector 'button'/],
			["browser_type", { text: "x" }, /no focused input/],
			["browser_call_tool", { name: "book" }, /no WebMCP tool named 'book'/],
			["browser_get_dom", { selector: "table" }, /no element matches selector 'table'/],
		])) {
			const failure = await call(tool, args);
			assert.equal(failure.code, "TOOL_FAILED", tool);
			assert.match(JSON.stringify(failure), said);
		}
		assert.deepEqual(site.asked(), []);
	});

	test("the overview reads a page and, asked for it, renders it", async (t) => {
		const { skillUnasked, at, site } = await kite(t, { "/old": leadingTo("/") });
		const { page, ...others } = await skillUnasked("page-overview", at("/"));
		assert.deepEqual([page.title, others], ["Almanac", {}]);
		assert.deepEqual(site.asked(), ["GET /"]);

		const rendered = await skillUnasked("page-overview", { ...at("/old"), screenshot: true });
		assert.equal(rendered.page.url, at("/").url);
		assert.match(rendered.screenshot, /^<svg[\s\S]*Sunrise at seven/);
		assert.deepEqual(site.asked(), ["GET /old", "GET /", "GET /"]);

		const picture = await skillUnasked("page-overview", { ...at("/"), screenshot: true, format: "png" });
		assert.equal(picture.screenshot[0].mimeType, "image/png");
		assert.match(picture.screenshot[0].data, /^<base64 \d+ characters>$/);
		assert.deepEqual((await skillUnasked("page-overview", { ...at("/"), screenshot: false })).screenshot, undefined);

		const missing = await skillUnasked("page-overview", at("/none"));
		assert.deepEqual([missing.code, missing.stage], ["TOOL_FAILED", "page"]);
		assert.match(JSON.stringify(missing), /404 Not Found/);
		for (const args of [{}, { url: "" }, { ...at("/"), format: "pdf" }, { ...at("/"), screenshot: "maybe" }]) {
			assert.equal((await skillUnasked("page-overview", args)).code, "ARG_VALIDATION_FAILED", JSON.stringify(args));
		}
	});

	for (const status of [401, 403, 404, 429, 500, 503]) {
		test(`${status} is told as it is, and the session keeps its page`, async (t) => {
			const { call, callUnasked, at, site } = await kite(t, { "/refused": refusing(status, { "retry-after": "0" }) });
			await call("browser_navigate", at("/tides"));
			site.asked();
			for (const [tool, args] of /** @type {const} */ ([
				["fetch_page", {}],
				["render_screenshot", {}],
				["eval_js", { script: "1" }],
				["browser_navigate", {}],
			])) {
				const failure = await call(tool, { ...at("/refused"), ...args });
				assert.equal(failure.code, "TOOL_FAILED", `${tool}: ${JSON.stringify(failure)}`);
				assert.match(JSON.stringify(failure), new RegExp(`HTTP status .*${status} .*${at("/refused").url}`));
			}
			assert.match((await callUnasked("browser_get_dom")).raw, /Tides/);
			assert.deepEqual(site.asked(), Array(4).fill("GET /refused"), "each asked once");
		});
	}

	test("pages that are none, empty ones and broken ones are read as far as they go", async (t) => {
		const { attached, callUnasked, at } = await kite(t, {
			"/empty": "",
			"/open": "<title>Open<body><p>One<div><b>two<p>three</i></table><a href=/x>four",
			"/json": (_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"a":1}'),
			"/bytes": (_, response) => response.writeHead(200).end(Buffer.from([0x3c, 0x70, 0x3e, 0xff, 0xfe, 0x00, 0x41])),
			"/nothing": (_, response) => response.writeHead(204).end(),
		});
		const read = (path) => callUnasked("fetch_page", at(path));
		for (const path of ["/empty", "/nothing"]) {
			const { code, title, text, links } = await read(path);
			assert.deepEqual([code, title ?? null, text, links], [undefined, null, "", []], path);
		}
		const open = await read("/open");
		assert.match(JSON.stringify(open), /three[\s\S]*four/);
		assert.match((await read("/json")).text, /{"a":1}/);
		assert.match((await read("/bytes")).text, /A/);
		assertPng(await attached("render_screenshot", at("/empty")));
	});

	test("redirects are followed to the page that is read, and a circle of them ends", async (t) => {
		const { callUnasked, at, site } = await kite(t, {
			"/old": leadingTo("/older/"),
			"/older/": leadingTo("/tides"),
			"/circle": leadingTo("/circle"),
			"/file": leadingTo("file:///etc/hostname"),
		});
		assert.equal((await callUnasked("fetch_page", at("/old"))).url, at("/tides").url);
		assert.deepEqual(site.asked(), ["GET /old", "GET /older/", "GET /tides"]);
		assert.equal((await callUnasked("fetch_page", at("/circle"))).code, "TOOL_FAILED");
		const { url, text } = await callUnasked("fetch_page", at("/file"));
		assert.deepEqual([url, text], [at("/file").url, ""], "it is not followed to a file");
	});

	test("what is no page to be had is refused, files of this machine too", async (t) => {
		const { callUnasked, at } = await kite(t, {
			"/torn": (_, response) => {
				response.writeHead(200, { "content-length": "1000" }).write("<p>half");
				setImmediate(() => response.destroy());
			},
		});
		for (const url of [
			"file:///etc/passwd",
			"nonsense",
			"",
			"data:text/html,<p>x",
			"http://127.0.0.1:1/",
			at("/torn").url,
		]) {
			const failure = await callUnasked("fetch_page", { url });
			assert.equal(failure.code, "TOOL_FAILED", `${url}: ${JSON.stringify(failure)}`);
		}
		assert.equal((await callUnasked("fetch_page", at("/"))).title, "Almanac");
	});

	test("a long page is cut and read on", async (t) => {
		const lines = Array.from({ length: 4000 }, (_, number) => `<p>Line ${number} of many</p>`).join("");
		const { runtime, at } = await kite(t, { "/long": lines });
		const ask = async (/** @type {string} */ name, /** @type {object} */ args) =>
			(await runtime.callTool(name, args)).content[0].text;
		const first = await ask("agent_tools_kite_call", { toolName: "fetch_page", arguments: at("/long") });
		assert.ok(first.length < lines.length / 2, `${first.length} of ${lines.length} characters`);
		assert.doesNotMatch(first, /Line 2000 of many/);
		const [, next] = /(\{\\?"toolName\\?":\\?"read_more.*?\}\})/.exec(first) ?? [];
		assert.ok(next, first.slice(-2000));
		const { toolName, arguments: args } = JSON.parse(next.replaceAll("\\", ""));
		let [read, number] = ["", args.page];
		while (!read.includes("Line 2000 of many") && number < 100) {
			read += await ask("agent_tools_kite_call", { toolName, arguments: { ...args, page: number++ } });
		}
		assert.match(read, /Line 2000 of many/);
	});

	test("a page that never comes ends with the deadline, blocks no list, and the next call is answered", async (t) => {
		/** @type {import("node:http").ServerResponse[]} */
		const held = [];
		const { call, runtime, discover, at } = await kite(
			t,
			{ "/slow": (_, response) => held.push(response) },
			{ deadlines: { callMs: 1500 } },
		);
		await call("fetch_page", at("/"));
		const reading = call("fetch_page", at("/slow"));
		await until("request", () => held.length > 0);
		assert.equal((await runtime.tools({ kind: "flat", plugin: "kite" })).length > 9, true);
		assert.match(await discover("fetch a page"), /fetch_page/);
		assert.equal(held.length, 1, "both were answered while the page was waited for");
		assert.equal((await reading).code, "TIMEOUT");
		for (const response of held) response.end(page("At last"));
		assert.equal((await call("fetch_page", at("/"))).title, "Almanac");

		const changing = call("browser_navigate", at("/slow"));
		assert.equal((await changing).code, "OUTCOME_UNKNOWN");
		for (const response of held) response.end(page("At last"));
	});

	test("a crash is told, and the next call has a new kite-lite, initialised again", async (t) => {
		const program = path.join(temporaryFolder("kite-lite"), path.basename(KITE_LITE_PROGRAM));
		symlinkSync(KITE_LITE_PROGRAM, program);
		/** @type {import("node:http").ServerResponse[]} */
		const held = [];
		const { call, callUnasked, at } = await kite(
			t,
			{ "/slow": (_, response) => held.push(response) },
			{},
			{ KITE_LITE_BIN: program },
		);
		await call("browser_navigate", at("/"));
		const [first, ...more] = processesOf(program);
		assert.ok(first);
		assert.deepEqual(more, []);

		const navigating = call("browser_navigate", at("/slow"));
		await until("request", () => held.length > 0);
		process.kill(first, "SIGKILL");
		assert.equal((await navigating).code, "OUTCOME_UNKNOWN");

		assert.equal((await callUnasked("fetch_page", at("/"))).title, "Almanac");
		const [second] = processesOf(program);
		assert.notEqual(second, first);
		assert.doesNotMatch((await callUnasked("browser_get_dom")).raw, /Almanac/, "the session went with it");

		assert.ok(second);
		process.kill(second, "SIGKILL");
		await until("end", () => !processesOf(program).includes(second));
		// Reading, which is repeated: what changes something may still be sent to the one that has just ended.
		const { title, ...others } = await patiently(() => callUnasked("fetch_page", at("/tides")));
		assert.equal(title, "Tides", JSON.stringify(others));
		assert.equal((await call("browser_navigate", at("/tides"))).title, "Tides");
		assert.equal(processesOf(program).length, 1);
	});

	test("one that was missing is used as soon as it is there", async (t) => {
		const program = path.join(temporaryFolder("kite-lite-later"), path.basename(KITE_LITE_PROGRAM));
		const { callUnasked, at } = await kite(t, {}, {}, { KITE_LITE_BIN: program });
		const failure = await callUnasked("fetch_page", at("/"));
		assert.equal(failure.code, "PLUGIN_UNAVAILABLE");
		assert.match(failure.error, new RegExp(program));
		symlinkSync(KITE_LITE_PROGRAM, program);
		assert.equal((await patiently(() => callUnasked("fetch_page", at("/")))).title, "Almanac");
	});
});

describe("without kite-lite", () => {
	test("it needs set-up, and one sentence says what and from where", async (t) => {
		const { callUnasked, discover, runtime } = await openBundled(t, "kite-lite", {
			KITE_LITE_BIN: undefined,
			PATH: temporaryFolder("no-programs"),
		});
		const [{ state, reason }] = (await runtime.status()).plugins;
		assert.equal(state, "needs set-up");
		assert.match(
			reason ?? "",
			/install kite-lite \(from crates\.io: `cargo install kite-lite kite-lite-js`; or set KITE_LITE_BIN/,
		);
		const { code, error } = await callUnasked("fetch_page", { url: "http://127.0.0.1/" });
		assert.equal(code, "CONFIG_INVALID");
		assert.match(error, /KITE_LITE_BIN/);
		assert.match(await discover("read a web page"), /needs set-up[\s\S]*KITE_LITE_BIN/);
	});
});
