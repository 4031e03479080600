import assert from "node:assert/strict";
import { test } from "node:test";
import { wrapped } from "../lib/cli/wrapped.js";

const stream = { isTTY: true, columns: 24 };

test("sentences are broken between words, and go on further in", () => {
	assert.equal(wrapped("hint: one two three four five", { stream, hang: 2 }), "hint: one two three four\n  five");
	assert.equal(wrapped("one two three four five six", { stream, indent: 4 }), "    one two three four\n    five six");
});

test("what is copied stays whole, and blanks are as they were", () => {
	assert.equal(
		wrapped("To accept it: agent-tools trust github --yes; or all.", { stream }),
		"To accept it:\nagent-tools trust github --yes;\nor all.",
	);
	assert.equal(
		wrapped("To try it: npx @rckflr/agent-tools-runtime list; or not.", { stream }),
		"To try it:\nnpx @rckflr/agent-tools-runtime list;\nor not.",
	);
	assert.equal(wrapped("Did you mean to say `policy explain`?", { stream }), "Did you mean to say\n`policy explain`?");
	assert.equal(wrapped("see https://tracker.example/a/b now", { stream }), "see\nhttps://tracker.example/a/b\nnow");
	assert.equal(wrapped("a  b   c which is far too long", { stream }), "a  b   c which is far\ntoo long");
});

test("colour takes no room", () => {
	const text = "\u001b[31merror:\u001b[39m one two three fou";
	assert.equal(wrapped(text, { stream }), text);
});

test("lines that are laid out and what is piped are not broken", () => {
	const text = `  ${"word ".repeat(10)}end\n\nshort`;
	assert.equal(wrapped(text, { stream }), text);
	assert.equal(wrapped("word ".repeat(10), { stream: {} }), "word ".repeat(10));
});
