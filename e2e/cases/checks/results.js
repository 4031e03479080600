import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { assertShows } from "../runners.js";
import { assertRan } from "./arguments.js";

const CALL = "agent_tools_x_call";
const FLAT = { kind: "flat", plugin: "x" };

/**
 * What the cases about results and time say in words.
 *
 * @type {Record<string, import("../run-case.js").Check>}
 */
export const CHECKS = {
	C106: async ({ door, answers: [answer] }) => {
		assert.equal(answer.code, "TOOL_FAILED", answer.text);
		for (const wanted of ["NOT_FOUND: no such thing", '{"err":{"code":"NOT_FOUND"}}']) assertShows(answer.text, wanted);
		// Nothing complains about a schema, neither here nor where the client is told the output's schema.
		assert.doesNotMatch(answer.text, /schema|things/i);
		const flat = await door.call("t", {}, { view: FLAT });
		assert.equal(flat.isError, true);
		assertShows(flat.text, "NOT_FOUND: no such thing");
		assert.deepEqual(flat.structuredContent, { err: { code: "NOT_FOUND" } });
		assert.doesNotMatch(flat.text, /schema|things/i);
	},

	C108: async ({ input, open, answers: [answer] }) => {
		assert.equal(answer.isError, false, answer.text);
		const [, resource, image, audio] = input.steps[0].do[0].reply.content;
		const shown = answer.content.map((part) => JSON.stringify(part));
		const places = [
			shown.findIndex((part) => part.includes("ok (SHA: 1)")),
			answer.content.findIndex((part) => (part.resource?.text ?? part.text ?? "").includes(resource.resource.text)),
			answer.content.findIndex(({ type, data }) => type === "image" && data === image.data),
			answer.content.findIndex(({ type, data }) => type === "audio" && data === audio.data),
		];
		assert.ok(!places.includes(-1), shown.join("\n"));
		assert.deepEqual(places, places.toSorted(), "in the order they were sent in");
		assert.equal(answer.content[places[2]].mimeType, "image/png");
		assert.equal(answer.content[places[3]].mimeType, "audio/wav");
		assertShows(shown[places[1]], "repo://a/README.md");

		const data = Buffer.alloc(30_000, "agent-tools").toString("base64");
		const odd = { type: "hologram", mimeType: "model/odd", data };
		input.steps[0].do[0].reply.content[3] = odd;
		const door = await open({ scenario: { tools: input.tools, steps: input.steps } });
		const { isError, text } = await door.call(CALL, { toolName: "t", arguments: {} });
		assert.equal(isError, false);
		for (const wanted of [odd.type, odd.mimeType, String(data.length)]) assertShows(text, wanted);
		assert.ok(!text.includes(data.slice(0, 2000)), "the data would only cost");
	},

	C110: async ({ input, open }) => {
		const data = Buffer.alloc(300 * 1024, "agent-tools").toString("base64");
		const [{ reply }] = input.steps[0].do;
		reply.content[0].data = data;
		reply.structuredContent.result[0].data = data;
		const door = await open({ scenario: { tools: input.tools, steps: input.steps } });
		for (const answer of [await door.call(CALL, { toolName: "t" }), await door.call("t", {}, { view: FLAT })]) {
			assert.equal(answer.isError, false, answer.text);
			const images = answer.content.filter(({ type }) => type === "image");
			assert.deepEqual(
				images.map((image) => [image.mimeType, image.data === data]),
				[["image/png", true]],
			);
			const others = JSON.stringify([answer.text, answer.structuredContent ?? null]);
			assert.doesNotMatch(others, /[A-Za-z0-9+/]{2000}/);
			assertShows(others, String(data.length));
		}
	},

	C112: ({ answers: [first, second] }) => {
		assertRan(first);
		assertShows(first.text, "done");
		assertTimedOut(second, "timeoutMs", "0.5 s");
	},

	C114: async ({ input, open, door, answers: [answer] }) => {
		assertTimedOut(answer, "maxTotalMs", "3 s");
		await assertCancelled(door);

		// Progress that does not move, and more of it than anyone can read.
		const [{ do: endless }] = input.steps;
		for (const change of [{ progress_value: 1 }, { progress_every_ms: 0 }]) {
			const steps = [{ at: "tools/call", nth: 1, do: [{ ...endless[0], ...change }] }];
			const tools = [{ ...input.tools[0], annotations: { readOnlyHint: true } }];
			const flooded = await open({ scenario: { tools, steps }, manifest: { timeoutMs: 2000, maxTotalMs: 3000 } });
			const began = Date.now();
			const slow = flooded.call(CALL, { toolName: "t", arguments: {} });
			while (flooded.plugin.sent("tools/call").length === 0) await sleep(20);
			const before = await Promise.race([slow, flooded.call(CALL, { toolName: "t", arguments: {} })]);
			assertRan(before);
			const ended = await slow;
			assert.equal(ended.code, "TIMEOUT", ended.text);
			assertShows(ended.text, /timeoutMs|maxTotalMs/);
			assert.ok(Date.now() - began < 20_000, `took ${Date.now() - began} ms`);
			await assertCancelled(flooded);
		}
	},
};

/** The limit that applied and the setting that changes it are named; nobody knows whether the call took effect. */
export function assertTimedOut({ code, failure, text }, setting, limit) {
	assert.ok(["TIMEOUT", "OUTCOME_UNKNOWN"].includes(code ?? ""), text);
	assertShows(failure.error, setting);
	assertShows(failure.error, limit);
}

/** @param {import("../doors.js").Door} door */
async function assertCancelled({ plugin }) {
	const [{ id }] = plugin.sent("tools/call");
	const end = Date.now() + 10_000;
	while (plugin.sent("notifications/cancelled").length === 0 && Date.now() < end) await sleep(20);
	const [cancelled] = plugin.sent("notifications/cancelled");
	assert.equal(cancelled?.params.requestId, id);
}
