import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apply, revert } from "../../lib/cli/edit/edit.js";
import { formats } from "../../lib/cli/edit/formats/formats.js";
import { BrokenText } from "../../lib/cli/edit/formats/text.js";

/** @typedef {import("../../lib/cli/edit/formats/formats.js").FormatName} FormatName */

const VALUE = { command: "npx", args: ["-y", "a b", 'c"\\d'], mode: "\u00e9" };
const ROUNDS = Number(process.env.INIT_ROUNDS ?? 150);

/** The same numbers for the same seed. @param {number} seed */
function numbers(seed) {
	let state = seed;
	/** @param {number} below */
	return (below) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

/** @typedef {ReturnType<typeof numbers>} Pick */

const WORDS = ["files", "notes", "a-b", "x", "servers", "café", "empty"];

/** A JSON text as nobody's formatter would leave it. @param {Pick} pick */
function jsonText(pick) {
	const unit = ["  ", "\t", "    "][pick(3)] ?? "";
	const oneLine = pick(4) === 0;
	const comment = () => {
		const sort = oneLine ? pick(6) : pick(4);
		if (sort === 0) return " /* , } */";
		return sort === 1 && !oneLine ? ` // { "agent-tools": ${pick(9)}` : "";
	};
	/** @param {string} indent @param {number} depth @returns {string} */
	const object = (indent, depth) => {
		const names = WORDS.filter(() => pick(2) === 0);
		const parts = names.map((name, i) => {
			const inner =
				depth > 0 && pick(2) === 0 ? object(indent + unit, depth - 1) : ["1", '"two, }"', "[1, 2]", "{}"][pick(4)];
			const comma = i < names.length - 1 || pick(3) === 0 ? "," : "";
			const between = oneLine ? " " : `\n${indent}${unit}`;
			const said = comment();
			const behind = said.includes("//") || pick(2) ? comma + said : ` ${said}${comma}`;
			return `${between}${JSON.stringify(name)}: ${inner}${behind}`;
		});
		return `{${parts.join("")}${oneLine ? [" ", ""][pick(2)] : `\n${indent}`}}`;
	};
	return object("", 3);
}

/** @param {Pick} pick */
function tomlText(pick) {
	const line = () =>
		[
			`key${pick(1e9)} = [\n  1, # one\n  2,\n]`,
			`"quoted ${pick(1e9)}" = "# no comment" # one`,
			`text${pick(1e9)} = """\n[servers.agent-tools]\n# no comment\n"""`,
			`raw${pick(1e9)} = '''\n[servers]\n'''`,
			`point${pick(1e9)} = { x = 1, y = { z = "}" } }`,
			`dotted.a${pick(1e9)} = 1979-05-27`,
			"# a comment",
			"",
		][pick(8)];
	const lines = (/** @type {number} */ n) => Array.from({ length: pick(n) }, line);
	const tables = WORDS.filter(() => pick(2) === 0).map((name) => [
		`${pick(3) ? "" : "  "}[${pick(2) ? "servers." : "t."}${JSON.stringify(name)}]${pick(2) ? " # of it" : ""}`,
		...lines(4),
	]);
	return `${[...lines(4), ...tables.flat()].join("\n")}${pick(3) ? "\n" : ""}`;
}

/** @param {Pick} pick */
function yamlText(pick) {
	/** @param {string} indent @param {number} depth @returns {string} */
	const map = (indent, depth) => {
		const names = WORDS.filter(() => pick(2) === 0);
		return names
			.map((name) => {
				const before = pick(3) === 0 ? `${indent}# about ${name}\n` : "";
				const after = pick(3) === 0 ? "  # said" : "";
				if (depth > 0 && pick(2) === 0) {
					const inner = map(`${indent}${" ".repeat(1 + pick(4))}`, depth - 1);
					if (inner) return `${before}${indent}${name}:${after}\n${inner}`;
				}
				const values = [
					` '1'${after}`,
					after,
					` { a: 1, "b":   [x, y] }${after}`,
					` {}${after}`,
					` |\n${indent}  agent-tools: text\n${indent}  # no comment`,
					` >-${after}\n${indent}   folded\n${indent}   text`,
					`${after}\n${indent}- a # one\n${indent}-   b: 1\n${indent}    c: 2`,
					` "two\n${indent}  lines"${after}`,
				];
				return `${before}${indent}${name}:${values[pick(8)]}\n`;
			})
			.join("");
	};
	const text = map("", 3);
	return `${pick(3) === 0 ? "---\n" : ""}${text}${pick(3) === 0 ? "# the end\n" : ""}`;
}

/** @type {Record<FormatName, (pick: Pick) => string>} */
const TEXTS = { json: jsonText, toml: tomlText, yaml: yamlText };

/** Whether one piece more makes the second text of the first. @param {string} before @param {string} after */
function isInserted(before, after) {
	let start = 0;
	while (start < before.length && before[start] === after[start]) start += 1;
	return after.endsWith(before.slice(start));
}

/** JSON needs a comma more where something follows. @param {string} before @param {string} after @returns {[string, string]} */
function bare(before, after) {
	return [before.replaceAll(/[\s,]/g, ""), after.replaceAll(/[\s,]/g, "")];
}

/** @param {unknown} value */
const plain = (value) =>
	JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner) ?? null);

for (const format of /** @type {FormatName[]} */ (Object.keys(TEXTS))) {
	test(`${format}: whatever a file holds, the rest of it stays, put in and taken out`, () => {
		const counts = { edited: 0, refused: 0, broken: 0 };
		for (let seed = 1; seed <= ROUNDS; seed += 1) {
			const pick = numbers(seed);
			const text = TEXTS[format](pick).replaceAll("\n", pick(3) ? "\n" : "\r\n");
			const edit = { format, path: ["servers", "agent-tools"], value: VALUE };
			let before;
			try {
				before = formats[format].parse(text);
			} catch (error) {
				assert.ok(error instanceof BrokenText);
				counts.broken += 1;
				continue;
			}
			/** @type {import("../../lib/cli/edit/edit.js").Edited} */
			let edited;
			try {
				edited = apply("file", text, edit);
			} catch (error) {
				const { code, hint } = /** @type {any} */ (error);
				assert.match(code, /^FILE_(UNUSUAL|BROKEN)$/, String(error));
				assert.match(hint, /^Nothing was written/);
				counts.refused += 1;
				continue;
			}
			const after = /** @type {any} */ (formats[format].parse(edited.text));
			assert.deepEqual({ ...after.servers["agent-tools"] }, VALUE, text);
			const shown = `seed ${seed}\n${text}\n---\n${edited.text}`;
			const [was, is] = format === "json" ? bare(text, edited.text) : [text, edited.text];
			assert.ok(isInserted(was, is), shown);
			const back = revert("file", edited.text, edit, edited);
			assert.ok(back !== undefined);
			assert.equal(plain(formats[format].parse(back)), plain(before), `${shown}\n---\n${back}`);
			assert.equal(back.replaceAll(/\s/g, ""), text.replaceAll(/\s/g, ""), `${shown}\n---\n${back}`);
			counts.edited += 1;
		}
		assert.ok(counts.edited > ROUNDS / 2, JSON.stringify(counts));
	});
}

describe("where the entry goes", () => {
	/** @type {[FormatName, string, string, string][]} */
	const cases = [
		["json", "one line", '{ "a": 1 }', '{ "a": 1, "s": {"n":{"k":"v"}} }'],
		["json", "an empty object", "{}\n", '{\n  "s": {\n    "n": {\n      "k": "v"\n    }\n  }\n}\n'],
		[
			"json",
			"only a comment in it",
			'{\n\t"s": {\n\t\t// none\n\t}\n}',
			'{\n\t"s": {\n\t\t// none\n\t\t"n": {\n\t\t\t"k": "v"\n\t\t}\n\t}\n}',
		],
		[
			"json",
			"a trailing comma",
			'{\n  "s": {\n    "a": 1, // one\n  }\n}',
			'{\n  "s": {\n    "a": 1, // one\n    "n": {\n      "k": "v"\n    },\n  }\n}',
		],
		["yaml", "nothing in it", "s:\nz: 1\n", "s:\n  n:\n    k: v\nz: 1\n"],
		["yaml", "an empty flow", "s: {} # none\n", 's: {"n": {"k":"v"}} # none\n'],
		["yaml", "a flow", "s: { a: 1 }\n", 's: {"n": {"k":"v"},  a: 1 }\n'],
		["yaml", "deeper indents", "s:\n    a: 1\n", "s:\n    n:\n      k: v\n    a: 1\n"],
		["toml", "other tables", "[s.a]\nk = 1", '[s.a]\nk = 1\n\n[s.n]\nk = "v"\n'],
	];
	for (const [format, what, text, wanted] of cases) {
		test(`${format}: ${what}`, () => {
			const edit = { format, path: ["s", "n"], value: { k: "v" } };
			assert.equal(apply("file", text, edit).text, wanted);
		});
	}
});

describe("what is refused, with what to paste", () => {
	/** @type {[FormatName, string, string][]} */
	const cases = [
		["toml", "a table in one line", "s = { a = { k = 1 } }\n"],
		["toml", "an entry in one line that differs", '[s]\nn = { k = "other" }\n'],
		["yaml", "a value that is written as null", "s: ~\n"],
		["yaml", "a file in flow style", "{ a: 1 }\n"],
		["json", "a key that is there twice", '{ "s": {}, "s": { "a": 1 } }'],
	];
	for (const [format, what, text] of cases) {
		test(`${format}: ${what}`, () => {
			const edit = { format, path: ["s", "n"], value: { k: "v" } };
			assert.throws(
				() => apply("file", text, edit),
				(/** @type {any} */ error) => {
					assert.equal(error.code, "FILE_UNUSUAL");
					assert.match(error.hint, /yourself:\n[\s\S]*\bn\b[\s\S]*\bk\b[\s\S]*v/);
					return true;
				},
			);
		});
	}

	for (const [format, text] of /** @type {[FormatName, string][]} */ ([
		["json", '{ "s": [] }'],
		["json", '{ "s": { "n": "text" } }'],
		["json", "[]"],
		["toml", "s = 1\n"],
		["yaml", "s: [a]\n"],
		["yaml", "- a\n"],
		["yaml", "a: 1\n---\nb: 2\n"],
		["yaml", "a: 1\na: 2\n"],
	])) {
		test(`${format}: ${JSON.stringify(text)} is no file that can hold it`, () => {
			const edit = { format, path: ["s", "n"], value: { k: "v" } };
			assert.throws(() => apply("file", text, edit), { code: "FILE_BROKEN" });
		});
	}
});
