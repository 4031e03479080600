// How well tool search ranks, over the sets of bench/retrieval.
//
//   npm run bench:retrieval               the table
//   npm run bench:retrieval -- --check    fails when a score has fallen
//   npm run bench:retrieval -- --update   keeps the scores of now in bench/retrieval/scores.json
//
// The same sources give the same scores, on every machine.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fallen, table } from "./retrieval/scores.mjs";

const KEPT = new URL("../bench/retrieval/scores.json", import.meta.url);
const [way] = process.argv.slice(2);
if (way !== undefined && way !== "--check" && way !== "--update") {
	console.error(`\`${way}\` is unknown; there are --check and --update`);
	process.exit(2);
}

const output = execFileSync(
	"cargo",
	["run", "--quiet", "--locked", "-p", "agent-tools-runtime", "--example", "retrieval"],
	{ cwd: fileURLToPath(new URL("..", import.meta.url)), encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
);
const lines = output.trim().split("\n");
/** @type {import("./retrieval/scores.mjs").Scores} */
const scores = Object.fromEntries(
	lines.map((line) => {
		const { set, scores } = JSON.parse(line);
		return [set, scores];
	}),
);
console.log(table(scores));

if (way === "--update") {
	writeFileSync(KEPT, `${JSON.stringify(scores, null, "\t")}\n`);
} else if (way === "--check") {
	const problems = fallen(JSON.parse(readFileSync(KEPT, "utf8")), scores);
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
}
