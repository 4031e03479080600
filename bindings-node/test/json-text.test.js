import assert from "node:assert/strict";
import { test } from "node:test";
import { errEnvelope, okEnvelope, reasonOf } from "../lib/envelope.js";
import { jsonText, parseExactly } from "../lib/json-text.js";

const HALF = "🎉".slice(0, 1);

test("half a surrogate pair becomes U+FFFD, in values and in keys; everything else stays", () => {
	assert.equal(jsonText(`party ${HALF}`), '"party \ufffd"');
	assert.equal(jsonText(`${"🎉".slice(1)}${HALF} 🎉`), '"\ufffd\ufffd 🎉"');
	assert.equal(jsonText({ [`k${HALF}`]: [HALF, 1] }), '{"k\ufffd":["\ufffd",1]}');
	const text = { plain: "a\\ud83c", before: `\\${HALF}`, control: "\u0001\u2028", pair: "🎉" };
	assert.deepEqual(JSON.parse(jsonText(text)), { ...text, before: "\\\ufffd" });
	assert.equal(
		jsonText(() => 1),
		"null",
	);
});

test("both envelopes are UTF-8", () => {
	assert.equal(okEnvelope({ text: HALF }), '{"ok":{"text":"\ufffd"}}');
	const error = Object.assign(new Error(`no ${HALF}`), { code: HALF, hint: HALF });
	assert.equal(errEnvelope(error), '{"err":{"message":"no \ufffd","code":"\ufffd","hint":"\ufffd","name":"Error"}}');
});

test("whatever was thrown can be told", () => {
	const circle = { self: {} };
	circle.self = circle;
	const evil = new Proxy({}, { get: () => assert.fail("read") });
	for (const thrown of [circle, evil, Symbol("x"), 1n, null, undefined, Object.create(null), { toString: 5 }]) {
		assert.equal(typeof reasonOf(thrown), "string");
		assert.equal(typeof JSON.parse(errEnvelope(thrown)).err.message, "string");
	}
});

test("an integer that a number cannot hold is refused by name", () => {
	assert.throws(() => parseExactly('{"id":9007199254740993}'), {
		code: "ARG_VALIDATION_FAILED",
		message: /9007199254740993 .* would arrive as 9007199254740992/,
		hint: /as a string/,
	});
	assert.throws(() => parseExactly("[-18446744073709551615]"), { code: "ARG_VALIDATION_FAILED" });
});

test("every other number and text passes", () => {
	for (const json of [
		'{"id":9007199254740991,"even":9007199254740992,"power":1152921504606846976}',
		'{"text":"9007199254740993","\\"9007199254740993":"\\\\"}',
		'{"float":0.12345678901234567,"large":1.2345678901234567e19,"whole":12345678901234567e3}',
	]) {
		assert.deepEqual(parseExactly(json), JSON.parse(json));
	}
});
