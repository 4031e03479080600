import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import http from "node:http";
import { assertForwarded, assertShows } from "../runners.js";
import { assertRan } from "./arguments.js";

const CALL = "agent_tools_x_call";
const GOOD = { name: "good", description: "test tool", inputSchema: { type: "object", properties: {} } };
/** Far more than a second: machines are slow at times, but what explodes takes much longer. */
const LIMIT_MS = 10_000;
const MAX_GROWTH_KB = 300_000;

/**
 * The tools that the case describes in words. Each `send` is called with; `upstream` is what arrives, or nothing where
 * it is refused here.
 *
 * @typedef {{inputSchema: string, send: string, upstream?: boolean | "either"}} Hostile
 */

/** @type {Record<string, (port: number) => Hostile>} JSON texts, since that is where `__proto__` is a key like others */
const HOSTILE = {
	"prototype keys": () => ({
		inputSchema: `{"type":"object","properties":{"__proto__":{"type":"object","properties":{"polluted":{"type":"string"}}},
			"constructor":{"type":"string"},"toString":{"type":"integer"}},"required":["toString"]}`,
		send: `{"__proto__":{"polluted":"yes"},"constructor":"c","toString":5}`,
		upstream: true,
	}),
	"prototype keys, missing": () => ({
		inputSchema: `{"type":"object","properties":{"toString":{"type":"integer"}},"required":["toString"]}`,
		send: "{}",
		upstream: false,
	}),
	"nesting 10000 deep": () => {
		const depth = 10_000;
		const inputSchema = `${'{"type":"object","properties":{"a":'.repeat(depth)}{}${"}}".repeat(depth)}`;
		return { inputSchema, send: `{"a":{"a":{}}}`, upstream: "either" };
	},
	"a pattern that explodes": () => ({
		inputSchema: `{"type":"object","properties":{"s":{"type":"string","pattern":"(a+)+$"}}}`,
		send: JSON.stringify({ s: `${"a".repeat(40)}b` }),
		upstream: "either",
	}),
	"a chain of 5000 references": () => {
		const links = Array.from({ length: 5000 }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${n + 1}` }]);
		const $defs = Object.fromEntries([...links, ["d5000", { type: "integer" }]]);
		const inputSchema = { type: "object", $defs, properties: { n: { $ref: "#/$defs/d0" } } };
		return { inputSchema: JSON.stringify(inputSchema), send: `{"n":5}`, upstream: "either" };
	},
	"a remote reference": (port) => ({
		inputSchema: `{"type":"object","properties":{"x":{"$ref":"http://127.0.0.1:${port}/x"}}}`,
		send: `{"x":1}`,
		upstream: "either",
	}),
};

/**
 * What the case about hostile schemas says in words.
 *
 * @type {Record<string, import("../run-case.js").Check>}
 */
export const CHECKS = {
	C031: async ({ t, open }) => {
		let fetched = 0;
		const remote = http.createServer((_, response) => {
			fetched += 1;
			response.end('{"type":"string"}');
		});
		await new Promise((resolve) => remote.listen(0, "127.0.0.1", () => resolve(undefined)));
		t.after(() => remote.close());
		const { port } = /** @type {import("node:net").AddressInfo} */ (remote.address());

		for (const [name, make] of Object.entries(HOSTILE)) {
			await t.test(name, async () => {
				const { inputSchema, send, upstream } = make(port);
				// A line of text, so without a line break.
				const hostile = `{"name":"hostile","description":"test tool","inputSchema":${inputSchema.replaceAll("\n", "")}}`;
				const reply_raw = `{"tools":[${hostile},${JSON.stringify(GOOD)}]}`;
				const door = await open({ scenario: { steps: [{ at: "tools/list", do: [{ reply_raw }] }] } });
				const before = residentKb(door.pid);

				const began = Date.now();
				await door.tools({ kind: "flat" });
				const found = await door.call("agent_tools_x_discover", {});
				assertShows(found.text, '"toolName":"good"');
				const answer = await door.call(CALL, { toolName: "hostile", arguments: JSON.parse(send) });
				assertRan(await door.call(CALL, { toolName: "good", arguments: {} }));
				assert.ok(Date.now() - began < LIMIT_MS, `took ${Date.now() - began} ms`);

				const growth = residentKb(door.pid) - before;
				assert.ok(growth < MAX_GROWTH_KB, `${growth} KB more memory`);
				const arrived = [...(answer.isError ? [] : [JSON.parse(send)]), {}];
				assertForwarded(door, arrived, answer);
				if (upstream !== "either") assert.equal(!answer.isError, upstream, answer.text);
				if (answer.isError) assert.ok(answer.code && answer.code !== "INTERNAL", answer.text);
				assert.equal(Reflect.get({}, "polluted"), undefined);
				assert.equal(typeof Object.prototype.toString, "function");
			});
		}
		assert.equal(fetched, 0);
	},
};

/** @param {number} pid */
function residentKb(pid) {
	const file = `/proc/${pid}/status`;
	if (!existsSync(file)) return 0;
	return Number(readFileSync(file, "utf8").match(/^VmRSS:\s+(\d+) kB/m)?.[1] ?? 0);
}
