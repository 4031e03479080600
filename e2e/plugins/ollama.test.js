import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { until } from "../harness/until.js";
import { startOllama } from "../services/ollama.js";
import { openBundled } from "./bundled.js";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** @param {import("node:test").TestContext} t */
async function ollama(t, service = {}, environment = {}, options = {}) {
	const server = await startOllama(t, service);
	const plugin = await openBundled(
		t,
		"ollama",
		{ OLLAMA_HOST: server.url, OLLAMA_API_KEY: undefined, ...environment },
		options,
	);
	return { server, ...plugin };
}

const answers =
	(status, body, headers = {}) =>
	(_, response) =>
		response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

describe("ollama", { timeout: 60_000 }, () => {
	test("lists what is installed and what is loaded, unasked", async (t) => {
		const { callUnasked } = await ollama(t);
		const { models } = await callUnasked("list_models");
		assert.deepEqual(models[0], {
			name: "gemma3:4b",
			size: 3338801804,
			modified: "2026-10-02T09:11:00Z",
			family: "gemma3",
			parameters: "4.3B",
			quantization: "Q4_K_M",
		});
		assert.deepEqual(
			models.map(({ name }) => name),
			["gemma3:4b", "gemma4:cloud"],
		);
		const running = await callUnasked("list_running_models");
		assert.deepEqual(running.models, [
			{
				name: "gemma3:4b",
				size: 3338801804,
				sizeInVram: 3338801804,
				expires: "2026-12-02T10:00:00Z",
				contextLength: 4096,
			},
		]);
		assert.deepEqual((await callUnasked("list_jobs")).jobs, []);
	});

	test("no model is an empty list", async (t) => {
		const { callUnasked } = await ollama(t, { models: [] });
		assert.deepEqual((await callUnasked("list_models")).models, []);
	});

	test("generates and chats, with consent and in pieces", async (t) => {
		const { call, callUnasked, server } = await ollama(t, { answer: "Four, señor." });
		const question = { model: "gemma3:4b", prompt: "2 + 2?", options: { temperature: 0 } };
		assert.equal((await callUnasked("generate", question)).code, "CONFIRM_REQUIRED");
		assert.deepEqual(server.received, []);
		assert.deepEqual(await call("generate", question), {
			model: "gemma3:4b",
			text: "Four, señor.",
			doneReason: "stop",
			promptTokens: 11,
			tokens: 2,
			seconds: 1.5,
		});
		assert.deepEqual(server.posted("/api/generate")[0].body, { ...question, stream: true });
		const messages = [{ role: "user", content: "2 + 2?" }];
		assert.equal((await call("chat", { model: "gemma3:4b", messages })).text, "Four, señor.");
		assert.deepEqual(server.posted("/api/chat")[0].body, { model: "gemma3:4b", messages, stream: true });
		for (const bad of [{ model: "gemma3:4b" }, { ...question, url: "http://elsewhere" }]) {
			assert.equal((await call("generate", bad)).code, "ARG_VALIDATION_FAILED");
		}
	});

	test("pulls a model and tells how far it is", async (t) => {
		const { call } = await ollama(t);
		const told = [];
		const reply = await call("pull_model", { model: "qwen3:8b" }, { onProgress: (progress) => told.push(progress) });
		assert.deepEqual(reply, { model: "qwen3:8b", status: "success" });
		assert.deepEqual(told.filter(({ total }) => total).at(-1), {
			message: "pulling aeda25e63ebd",
			progress: 4000,
			total: 4000,
		});
		assert.ok(told.some(({ message }) => message === "verifying sha256 digest"));
		assert.match((await call("pull_model", { model: "no-such" })).error, /file does not exist/);
	});

	test("a job gives an id, its progress and its result, and can be cancelled", async (t) => {
		/** @type {import("node:http").ServerResponse[]} */
		const held = [];
		const behaviour = ({ path, body }, response) => {
			if (path !== "/api/pull" || body.model !== "slow") return false;
			response.writeHead(200, { "content-type": "application/x-ndjson" });
			response.write(`${JSON.stringify({ status: "pulling", total: 10, completed: 3 })}\n`);
			held.push(response);
			return true;
		};
		const { call, callUnasked } = await ollama(t, { behaviour });
		const status = (jobId) => callUnasked("job_status", { jobId });
		const ended = (jobId) =>
			until("end of the job", async () => {
				const job = await status(jobId);
				return job.state !== "running" && job;
			});

		const started = await call("start_chat", { model: "gemma3:4b", messages: [{ role: "user", content: "Hi" }] });
		assert.equal(started.kind, "chat");
		const done = await ended(started.jobId);
		assert.equal(done.state, "done");
		assert.equal(done.result.text, "Hello.");
		assert.ok(done.endedAt >= done.startedAt);

		const failing = await call("start_generate", { model: "absent", prompt: "Hi" });
		assert.match((await ended(failing.jobId)).error, /model 'absent' not found/);

		const slow = await call("start_pull", { model: "slow" });
		await until("progress", async () => (await status(slow.jobId)).progress);
		assert.deepEqual((await status(slow.jobId)).progress, { message: "pulling", progress: 3, total: 10 });
		assert.equal((await call("cancel_job", { jobId: slow.jobId })).state, "cancelled");
		await until("end of the request", () => held[0]?.destroyed);
		assert.equal((await status(slow.jobId)).state, "cancelled");

		const { jobs } = await callUnasked("list_jobs");
		assert.deepEqual(
			jobs.map(({ jobId, state }) => [jobId, state]),
			[
				[slow.jobId, "cancelled"],
				[failing.jobId, "failed"],
				[started.jobId, "done"],
			],
		);
		assert.ok(jobs.every((job) => !("result" in job)));
		const unknown = await status("nothing");
		assert.match(unknown.error, /there is no job "nothing"/);
		assert.match(unknown.hint, /list_jobs/);
	});

	test("jobs are bounded", async (t) => {
		const behaviour = ({ path }, response) => path === "/api/generate" && response.writeHead(200).write(" ");
		const { call } = await ollama(t, { behaviour });
		const start = () => call("start_generate", { model: "gemma3:4b", prompt: "Hi" });
		for (let i = 0; i < 8; i++) assert.equal((await start()).state, "running");
		assert.match((await start()).error, /8 jobs are running already/);
	});

	test("a key is sent, to OLLAMA_HOST, and to nowhere that a redirect leads", async (t) => {
		const elsewhere = await startOllama(t);
		const { callUnasked, call, server } = await ollama(t, { key: "canary-key" }, { OLLAMA_API_KEY: "canary-key" });
		assert.equal((await callUnasked("list_models")).models.length, 2);
		assert.equal(server.received[0].authorization, "Bearer canary-key");
		const away = await ollama(
			t,
			{ behaviour: answers(307, "", { location: `${elsewhere.url}/api/tags` }) },
			{ OLLAMA_API_KEY: "canary-key" },
		);
		assert.match((await away.call("list_models")).error, /does not answer|redirect/);
		assert.deepEqual(elsewhere.received, []);
		assert.ok((await call("list_models")).models);
	});

	for (const [name, behaviour, expected] of /** @type {const} */ ([
		[
			"401",
			answers(401, '{"error":"unauthorized"}'),
			{ code: "UPSTREAM_AUTH", hint: /Set OLLAMA_API_KEY.*ollama\.com/ },
		],
		["403", answers(403, '{"error":"forbidden"}'), { code: "UPSTREAM_AUTH", error: /403: forbidden/ }],
		["404", answers(404, '{"error":"model \'x\' not found"}'), { error: /model 'x' not found/, hint: /list_models/ }],
		["409", answers(409, '{"error":"busy"}'), { error: /409: busy/ }],
		["429", answers(429, '{"error":"slow down"}', { "retry-after": "7" }), { error: /429/, hint: /after 7 s/ }],
		["500", answers(500, "out of memory"), { error: /500: out of memory/ }],
		["a page instead of JSON", answers(200, "<html>"), { error: /is not JSON/ }],
		[
			"an error in the middle",
			answers(200, '{"response":"a"}\n{"error":"the runner has crashed"}\n'),
			{ error: /crashed/ },
		],
		["an end before the end", answers(200, '{"response":"abc","done":false}\n'), { error: /ended after 3 characters/ }],
	])) {
		test(`${name} is told as it is`, async (t) => {
			const { call } = await ollama(t, { behaviour });
			const { code, error, hint } = await call("generate", { model: "x", prompt: "Hi" });
			assert.equal(code, expected.code ?? "TOOL_FAILED", error);
			assert.match(error, expected.error ?? /./);
			assert.match(hint ?? "", expected.hint ?? /^/);
		});
	}

	test("an Ollama that is silent ends with the deadline, and one that is not there is named", async (t) => {
		const { callUnasked } = await ollama(t, { behaviour: () => true }, {}, { deadlines: { callMs: 300 } });
		assert.equal((await callUnasked("list_models")).code, "TIMEOUT");
		const none = await openBundled(t, "ollama", { OLLAMA_HOST: "127.0.0.1:1", OLLAMA_API_KEY: undefined });
		const { code, error, hint } = await none.callUnasked("list_models");
		assert.equal(code, "UPSTREAM_UNREACHABLE");
		assert.match(error, /http:\/\/127\.0\.0\.1:1 /);
		assert.match(hint, /ollama serve.*OLLAMA_HOST/);
	});

	test("OLLAMA_URL does as well", async (t) => {
		const { url } = await startOllama(t);
		const { callUnasked } = await openBundled(t, "ollama", {
			OLLAMA_URL: `${url}/`,
			OLLAMA_HOST: undefined,
			OLLAMA_API_KEY: undefined,
		});
		assert.equal((await callUnasked("list_models")).models.length, 2);
	});

	test("an address that is none is said to be", async (t) => {
		const { callUnasked } = await openBundled(t, "ollama", { OLLAMA_HOST: "http://h/path", OLLAMA_API_KEY: undefined });
		assert.match(JSON.stringify(await callUnasked("list_models")), /OLLAMA_HOST is no address/);
	});

	test("the skills look at pictures, of a file or as they are", async (t) => {
		const folder = mkdtempSync(path.join(tmpdir(), "ollama-"));
		t.after(() => rmSync(folder, { recursive: true }));
		const file = path.join(folder, "shot.png");
		writeFileSync(file, Buffer.from(PNG, "base64"));
		const boxes = [
			{ label: "Save", box: [10, 20, 110, 60] },
			{ label: "nonsense", box: [10, 20, 5000, 60] },
		];
		const answer = ({ body }) => {
			const [{ content }] = body.messages;
			if (body.format) return JSON.stringify({ boxes });
			return content.startsWith("Write down") ? " Total 12 €\n" : "A dot.";
		};
		const { skill, skillUnasked, server } = await ollama(t, { answer });
		assert.equal((await skillUnasked("ocr", { image: file })).code, "CONFIRM_REQUIRED");

		const seen = await skill("vision_chat", { image: file, prompt: "What is it?", model: "gemma3:4b" });
		assert.deepEqual(seen, { model: "gemma3:4b", answer: "A dot." });
		assert.deepEqual(await skill("ocr", { image: `data:image/png;base64,${PNG}` }), {
			model: "gemma4:cloud",
			text: "Total 12 €",
		});
		const found = await skill("grounding", { image: PNG, target: "the Save button" });
		assert.deepEqual(found.boxes, [boxes[0]]);
		assert.equal(found.left, 1);
		assert.deepEqual(
			server.posted("/api/chat").map(({ body }) => body.messages[0].images),
			[[PNG], [PNG], [PNG]],
		);
	});

	test("the skills send nothing that is no picture", async (t) => {
		const folder = mkdtempSync(path.join(tmpdir(), "ollama-"));
		t.after(() => rmSync(folder, { recursive: true }));
		const secret = path.join(folder, "id_rsa.png");
		writeFileSync(secret, "-----BEGIN OPENSSH PRIVATE KEY-----\n");
		const { skill, server } = await ollama(t);
		for (const image of [
			secret,
			path.join(folder, "absent.png"),
			Buffer.from("no picture at all").toString("base64"),
		]) {
			const { error } = await skill("ocr", { image });
			assert.match(error, /no PNG|cannot be read/);
		}
		assert.deepEqual(server.received, []);
	});

	test("a model that gives no boxes is an error, not an empty answer", async (t) => {
		const { skill } = await ollama(t, { answer: "I see a button." });
		assert.match((await skill("grounding", { image: PNG, target: "x" })).error, /gave no boxes: I see a button/);
	});

	test("is found by what people ask for", async (t) => {
		const { discover } = await ollama(t);
		assert.match(await discover("which models are installed"), /list_models/);
		assert.match(await discover("read the text in a screenshot"), /ocr/);
	});
});
