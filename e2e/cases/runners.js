import assert from "node:assert/strict";
import { makeRest } from "./rest-plugin.js";

const CALL = "agent_tools_x_call";

/**
 * How a case of each kind is done. A runner checks what the case says exactly.
 *
 * @type {Record<string, (run: import("./run-case.js").Run) => Promise<{door: any, answers: any[], rest?: any}>>}
 */
export const RUNNERS = {
	facade_call: async ({ input, open }) => {
		const door = await open({ scenario: scenario(input) });
		const answer = await door.call(input.call.tool, input.call.args);
		// Null: refused here, nothing was sent.
		assertForwarded(door, input.upstream_arguments === null ? [] : [input.upstream_arguments], answer);
		if (input.discover_must_show) {
			const { text } = await door.call("agent_tools_x_discover", { query: input.call.args.toolName });
			for (const wanted of input.discover_must_show) assertShows(text, wanted);
		}
		return { door, answers: [answer] };
	},

	facade_call_many: async ({ input, open }) => {
		const door = await open({ scenario: scenario(input) });
		const answers = [];
		for (const [index, args] of input.calls.entries()) {
			// Each in a session of its own: the guard against repeated failures is not what is looked at.
			answers.push(await door.call(CALL, args, { session: `session-${index}` }));
		}
		assertForwarded(door, input.upstream_arguments, answers);
		return { door, answers };
	},

	facade_call_repeat: async ({ input, open }) => {
		const door = await open({ scenario: scenario(input) });
		const answers = [];
		for (let time = 0; time < input.times; time++) answers.push(await door.call(CALL, input.call));
		assert.equal(door.plugin.sent("tools/call").length, input.upstream_calls);
		return { door, answers };
	},

	stdio_server: async ({ input, open }) => {
		let door;
		const answers = [];
		for (const client of input.client) {
			const manifest = {
				...(client.plugin_timeout_ms && { timeoutMs: client.plugin_timeout_ms }),
				...(client.plugin_max_total_ms && { maxTotalMs: client.plugin_max_total_ms }),
			};
			door = await open({ scenario: { tools: input.tools, steps: input.steps }, manifest });
			answers.push(await CLIENT_OPERATIONS[client.op](door, client));
		}
		return { door, answers };
	},

	/** A tool whose schema it is takes the valid samples, and the invalid ones never reach it. */
	schema: async ({ input, open }) => {
		const tools = [{ name: "t", description: "test tool", inputSchema: input.inputSchema }];
		const door = await open({ scenario: { tools } });
		const samples = [...input.valid, ...input.invalid];
		const answers = [];
		for (const [index, sample] of samples.entries()) {
			const answer = await door.call(CALL, { toolName: "t", arguments: sample }, { session: `session-${index}` });
			assert.equal(answer.code, index < input.valid.length ? undefined : "ARG_VALIDATION_FAILED", answer.text);
			answers.push(answer);
		}
		assertForwarded(door, input.valid, answers);
		return { door, answers };
	},

	/** The check builds each schema from its words. */
	schema_hostile: async () => ({ door: undefined, answers: [] }),

	/** A null among the paths: refused here, nothing was sent. */
	rest: async ({ t, input, open }) => {
		const rest = await makeRest(t, input);
		const door = await open(rest.content);
		const answers = [];
		for (const [index, { op, args, confirm }] of input.call.entries()) {
			const call = { toolName: op, arguments: args, ...(confirm === undefined ? {} : { confirm }) };
			answers.push(await door.call(CALL, call, { session: `session-${index}` }));
		}
		const { received } = rest.service;
		if (input.expect_paths) assertPaths(input.expect_paths, answers, received);
		if (input.expect_query) assert.equal(plainQuery(received.at(-1)?.target), plainQuery(`?${input.expect_query}`));
		if (input.expect_body_hex) {
			const bodies = received.map(({ body }) => body.toString("hex"));
			assert.deepEqual(bodies.slice(0, input.expect_body_hex.length), input.expect_body_hex);
		}
		if (input.expect_request) {
			const [{ method, target, body }] = received;
			assert.equal(`${method} ${target} ${body}`, input.expect_request);
		}
		return { door, answers, rest };
	},

	facade_list: async ({ input, open }) => {
		const door = await open({ scenario: {} });
		const tools = await door.tools();
		for (const { name, inputSchema } of tools) assertKeywords(inputSchema, input.allowed_keywords, name);
		return { door, answers: [] };
	},
};

const CLIENT_OPERATIONS = {
	discover: (door) => door.call("agent_tools_x_discover", {}),
	call: (door, { toolName, arguments: args }) => door.call(CALL, { toolName, arguments: args }),
};

function assertPaths(expected, answers, received) {
	const sent = received.map(({ target }) => target);
	assert.deepEqual(sent, expected.filter(Boolean));
	for (const [index, path] of expected.entries()) {
		assert.equal(answers[index].code, path === null ? "ARG_VALIDATION_FAILED" : undefined, answers[index].text);
	}
}

/** Pipes and brackets may be percent-encoded or not. */
function plainQuery(target) {
	const query = target.split("?")[1] ?? "";
	return query.replaceAll("%7C", "|").replaceAll("%5B", "[").replaceAll("%5D", "]");
}

function scenario({ upstream_tools, upstream_results }) {
	return { tools: upstream_tools, results: upstream_results };
}

/**
 * @param {import("./doors.js").Door} door
 * @param {unknown[]} expected the arguments of each call that reached the server
 * @param {unknown} [answers] to be shown
 */
export function assertForwarded(door, expected, answers) {
	const forwarded = door.plugin.sent("tools/call").map(({ params }) => params.arguments);
	assert.deepEqual(forwarded, expected, JSON.stringify(answers));
}

/**
 * @param {string} text
 * @param {string | RegExp} wanted
 */
export function assertShows(text, wanted) {
	const shown = typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
	assert.ok(shown, `${wanted} is not in ${text}`);
}

/** Walks the schema; the names of properties are no keywords. */
function assertKeywords(schema, allowed, where) {
	for (const keyword of Object.keys(schema)) assert.ok(allowed.includes(keyword), `${keyword} in ${where}`);
	for (const [name, property] of Object.entries(schema.properties ?? {})) {
		assertKeywords(property, allowed, `${where}.${name}`);
	}
	if (schema.items) assertKeywords(schema.items, allowed, `${where}[]`);
}
