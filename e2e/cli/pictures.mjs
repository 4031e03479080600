// Part of `npm run pictures`: takes the pictures of the terminal anew, from what the commands print.

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../harness/paths.js";
import { WITHOUT_TERMINAL } from "../harness/terminal.js";
import { FOLDER, pictureOf, pictures } from "./pictures/shown.js";

if (WITHOUT_TERMINAL) {
	console.error(`error: the pictures of the terminal are taken on Linux: ${WITHOUT_TERMINAL}`);
	process.exit(1);
}
/** @type {(() => unknown)[]} */
const ends = [];
try {
	mkdirSync(FOLDER, { recursive: true });
	for (const shown of pictures) {
		const file = path.join(FOLDER, `${shown.name}.svg`);
		writeFileSync(file, await pictureOf({ after: (end) => void ends.push(end) }, shown));
		console.log(path.relative(ROOT, file));
	}
} finally {
	for (const end of ends.reverse()) await end();
}
