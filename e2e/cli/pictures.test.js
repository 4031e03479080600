import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { ON_TERMINAL } from "./desk.js";
import { Screen } from "./pictures/screen.js";
import { FOLDER, pictureOf, pictures } from "./pictures/shown.js";
import { textOf } from "./pictures/svg.js";

describe("the pictures of the terminal are what the commands print: else `npm run pictures`", ON_TERMINAL, () => {
	for (const shown of pictures) {
		test(shown.name, async (t) => {
			const kept = readFileSync(path.join(FOLDER, `${shown.name}.svg`), "utf8");
			const now = await pictureOf(t, shown);
			assert.ok(textOf(now).startsWith(`$ ${shown.typed}\n`), now);
			assert.equal(textOf(now), textOf(kept));
			assert.equal(now, kept);
		});
	}
});

test("a screen shows what is left of what was written", () => {
	const left = (/** @type {string} */ written) =>
		Screen.lines(written).map((runs) => runs.map(({ text }) => text).join(""));
	assert.deepEqual(left("| waiting\r\u001b[2Kdone\nnext"), ["done", "next"]);
	assert.deepEqual(left("Call? \u001b[1G\u001b[0JCall? y\u001b[7Gn"), ["Call? n"]);
	assert.deepEqual(Screen.lines("a\u001b[31mb\u001b[1mc\u001b[22;39md"), [
		[
			{ text: "a", look: {} },
			{ text: "b", look: { colour: 31 } },
			{ text: "c", look: { colour: 31, bold: true } },
			{ text: "d", look: { colour: undefined, bold: false } },
		],
	]);
	assert.throws(() => Screen.lines("\u001b[5A"), /does not know/);
});
