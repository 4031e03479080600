import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parse } from "../../bindings-node/lib/cli/command-line.js";
import { allCommands } from "../../bindings-node/lib/cli/commands.js";
import { CLI } from "../harness/paths.js";
import { onlyRepositoryPlugins } from "../harness/repository-plugins.js";
import { onTerminal } from "../harness/terminal.js";
import { desk, ON_TERMINAL, withoutControls } from "./desk.js";
import { cases } from "./terminal-cases.js";

// What every command prints: on a terminal of 80 columns, without colour, and in a pipe.

const COLUMNS = 80;
/** What can be copied only whole: one word, such as an address, or a command. */
const ONE_THING = /^\s*(\S+|agent-tools .*)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ERASED = /\r\u001b\[2K/g;
const ESCAPE = "\u001b";

test("every command has a case here", () => {
	assert.deepEqual(Object.keys(cases).sort(), Object.keys(allCommands).sort());
});

describe("what is printed", { ...ON_TERMINAL, concurrency: 2 }, () => {
	for (const [command, all] of Object.entries(cases)) {
		for (const [i, one] of all.entries()) test(one.args.join(" "), (t) => check(t, command, one, i === 0));
	}
});

/**
 * @param {import("node:test").TestContext} t
 * @param {string} command
 * @param {import("./terminal-cases.js").Case} one
 * @param {boolean} fully also what is the same for all cases of the command
 */
async function check(t, command, { args, code = 0, out, err = /(?:)/, input, ...how }, fully) {
	const { reactions, laidOut = /^$(?!)/ } = how;
	const here = desk(t, { plugins: onlyRepositoryPlugins() });
	await how.once?.(here, t);

	await how.before?.(here);
	const seen = await here.onTerminal(args, reactions);
	assert.equal(seen.code, code, seen.shown);
	assert.deepEqual(linesTooLong(seen.shown, laidOut), []);

	await how.before?.(here);
	// How wide the terminal is that a pipe was started on is nothing to it.
	const piped = await here.run(args, { input, reactions, env: { COLUMNS: "40" } });
	assert.equal(piped.code, code, piped.err);
	if (out === "") assert.equal(piped.out, "");
	else assert.match(piped.out, out);
	assert.match(piped.err, err);
	assert.ok(!`${piped.out}${piped.err}`.includes(ESCAPE), `${piped.out}${piped.err}`);
	if (!fully) return;

	await how.before?.(here);
	const plain = await here.onTerminal(args, reactions, { NO_COLOR: "1" });
	const left = plain.shown.replaceAll(ERASED, "\n");
	assert.ok(!left.includes(ESCAPE), left);
	assert.deepEqual(linesTooLong(left, laidOut), []);

	if (!allCommands[command]?.options?.includes("json")) return;
	await how.before?.(here);
	const json = await here.run(withJson(args), { input, reactions });
	assert.equal(json.code, code, json.err);
	assert.doesNotThrow(() => JSON.parse(json.out), json.out);
	assert.ok(!json.out.includes(ESCAPE), json.out);
}

/** What stands behind `--` is another program's. @param {string[]} args */
function withJson(args) {
	const end = args.includes("--") ? args.indexOf("--") : args.length;
	return args.toSpliced(end, 0, "--json");
}

describe("the help of", { ...ON_TERMINAL, concurrency: 2 }, () => {
	for (const name of Object.keys(allCommands)) {
		test(name, async (t) => {
			const words = [process.execPath, CLI, ...name.split(" "), "--help"];
			const { FORCE_COLOR: _force, ...env } = process.env;
			const { code, shown } = await onTerminal(t, words, { cwd: process.cwd(), env, behind: "2>/dev/null" });
			assert.equal(code, 0, shown);
			assert.deepEqual(
				shown.split("\n").filter((line) => line.length > COLUMNS),
				[],
			);
			assert.match(shown, new RegExp(`^Usage: agent-tools ${name}( |$)`, "m"));
			const [, examples = ""] = /^Examples:\n((?: {2}.*\n)+)/m.exec(shown) ?? [];
			assert.match(examples, /^ {2}agent-tools /);
			for (const example of examples.trim().split("\n")) {
				const [program, ...args] = wordsOf(example);
				assert.equal(program, "agent-tools", example);
				assert.equal(parse(args, () => true).command, name, example);
			}
		});
	}
});

/**
 * @param {string} shown
 * @param {RegExp} laidOut
 */
function linesTooLong(shown, laidOut) {
	const lines = withoutControls(shown).split(/[\r\n]+/);
	return lines.filter((line) => line.length > COLUMNS && !ONE_THING.test(line) && !laidOut.test(line));
}

/** As a shell reads it, without what comes from a file. @param {string} line */
function wordsOf(line) {
	const words = line.replace(/ < \S+$/, "").match(/"[^"]*"|\S+/g) ?? [];
	return words.map((word) => word.replace(/^"(.*)"$/, "$1"));
}
