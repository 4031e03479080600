import assert from "node:assert/strict";
import { assertForwarded, assertShows } from "../runners.js";

const CALL = "agent_tools_x_call";

/**
 * What the cases about the shape of a call say in words.
 *
 * @type {Record<string, import("../run-case.js").Check>}
 */
export const CHECKS = {
	C001: async ({ input, open, answers }) => {
		assertRan(answers[0]);
		assertShows(notes(answers[0]), /arguments.*text/);

		const optional = structuredClone(input.upstream_tools);
		delete optional[0].inputSchema.required;
		const door = await open({ scenario: { tools: optional } });
		for (const blank of ["", " \n\t "]) {
			assertRan(await door.call(CALL, { toolName: "get_repo", arguments: blank }));
		}
		assertForwarded(door, [{}, {}]);
		for (const [index, text] of ["[1]", "5", "null", "true", "repo=a/b", '{"repo":', '"plain"'].entries()) {
			const answer = await door.call(CALL, { toolName: "get_repo", arguments: text }, { session: `text-${index}` });
			assertRefused(answer, "BAD_CALL_SHAPE");
			const example = answer.failure.hint.match(/agent_tools_x_call (\{.*\})/)?.[1];
			assert.equal(JSON.parse(example ?? "{}").toolName, "get_repo", answer.text);
		}
		assertForwarded(door, [{}, {}]);
	},

	C005: async ({ input, open, answers }) => {
		assertRan(answers[0]);
		const door = await open({ scenario: { tools: input.upstream_tools } });
		const inner = { toolName: "get_repo", arguments: { repo: "a/b" } };
		const text = JSON.stringify(inner);
		const shapes = [
			inner,
			{ toolName: "get_repo", arguments: JSON.stringify(inner.arguments) },
			{ arguments: inner },
			{ arguments: { arguments: inner } },
			{ arguments: { arguments: text } },
			{ arguments: JSON.stringify({ arguments: inner }) },
			{ arguments: JSON.stringify(text) },
			{ toolName: text },
			{ toolName: inner },
			{ request: inner },
			{ [text]: null },
			text,
			{},
		];
		let ran = 0;
		for (const [index, shape] of shapes.entries()) {
			const answer = await door.call(CALL, shape, { session: `shape-${index}` }).catch((error) => ({
				...error,
				isError: true,
			}));
			if (!answer.isError) ran += 1;
			// Whatever is said to have gone well was really done, with the real arguments.
			assertForwarded(door, Array(ran).fill({ repo: "a/b" }), [shape, answer]);
			if (!answer.isError) assert.equal(JSON.parse(answer.text).result.raw, "ok", answer.text);
		}
		assert.ok(ran >= 3, `only ${ran} shapes were understood`);
	},

	C007: async ({ input, door, answers }) => {
		assertRan(answers[0]);
		for (const args of input.also) {
			const answer = await door.call(CALL, args);
			assertRefused(answer);
			const [key] = Object.keys(args.arguments);
			assertShows(answer.failure.error, JSON.stringify(key));
		}
		const threefold = JSON.stringify(JSON.stringify(JSON.stringify(input.upstream_arguments)));
		assertRefused(await door.call(CALL, { toolName: "get_repo", arguments: threefold }), "BAD_CALL_SHAPE");
		assertForwarded(door, [input.upstream_arguments]);
	},

	C009: ({ answers: [first, ...others] }) => {
		assertRan(first);
		assertShows(notes(first), "/limit");
		assert.equal(others.length, 6);
		// The path is a JSON pointer into `arguments`.
		for (const answer of others) assertField(answer, "/limit", "integer");
	},

	C011: ({ answers }) => {
		for (const answer of answers.slice(0, 2)) assertRan(answer);
		for (const answer of answers.slice(2)) assertField(answer, "/draft", "boolean");
	},

	C013: async ({ open, answers }) => {
		assertRan(answers[0]);
		const properties = {
			list: { type: ["string", "null"] },
			any_of: { anyOf: [{ type: "string" }, { type: "null" }] },
			one_of: { oneOf: [{ type: "integer" }, { type: "null" }] },
			choice: { enum: ["a", null] },
			constant: { const: null },
			nullable: { type: "string", nullable: true },
			untyped: { description: "anything" },
		};
		const tool = { name: "update", description: "test tool", inputSchema: { type: "object", properties } };
		const door = await open({ scenario: { tools: [tool] } });
		const nulls = Object.fromEntries(Object.keys(properties).map((name) => [name, null]));
		assertRan(await door.call(CALL, { toolName: "update", arguments: nulls }));
		assertForwarded(door, [nulls]);
	},

	C015: async ({ open, answers }) => {
		assertRan(answers[0]);
		const properties = {
			list: { type: "array" },
			deep: { type: "object", properties: { tags: { type: "array", items: { type: "object" } } } },
			both: { type: ["string", "array"] },
			either: { anyOf: [{ type: "object" }, { type: "string" }] },
			text: { type: "string" },
		};
		const tool = { name: "t", description: "test tool", inputSchema: { type: "object", properties } };
		const door = await open({ scenario: { tools: [tool] } });
		const call = (args, session) => door.call(CALL, { toolName: "t", arguments: args }, { session });
		assertRan(
			await call({ deep: { tags: ['{"a":1}'] }, both: "[1]", either: '{"a":1}', text: "[1]", list: "[]" }, "first"),
		);
		assertRan(await call({ deep: '{"tags":"[{}]"}' }, "second"));
		for (const [index, wrong] of ['{"a":1}', "5", "null", "[1", "x,y", '"[1]"'].entries()) {
			assertField(await call({ list: wrong }, `wrong-${index}`), "/list", "array");
		}
		assertForwarded(door, [
			{ deep: { tags: [{ a: 1 }] }, both: "[1]", either: '{"a":1}', text: "[1]", list: [] },
			{ deep: { tags: [{}] } },
		]);
	},
};

/** @param {import("../doors.js").Answer} answer */
export function assertRan({ isError, text }) {
	assert.equal(isError, false, text);
	assert.equal(JSON.parse(text).isError, false, text);
}

/**
 * @param {import("../doors.js").Answer} answer
 * @param {string} [code]
 */
export function assertRefused({ isError, code, failure, text }, wanted = code) {
	assert.equal(isError, true, text);
	assert.equal(code, wanted, text);
	assert.ok(failure.hint, text);
}

function assertField(answer, pointer, type) {
	assertRefused(answer, "ARG_VALIDATION_FAILED");
	assert.equal(answer.failure.details.length, 1, answer.text);
	assertShows(answer.failure.details[0], `${pointer}: `);
	assertShows(answer.failure.details[0], type);
}

/** @param {import("../doors.js").Answer} answer */
export function notes({ text }) {
	return (JSON.parse(text).notes ?? []).join("\n");
}
