// A command-line program that writes whatever it was given on stdout and stderr: node echo-program.mjs HOW [arguments]
//
// HOW: `show` ends well, `fail` with code 3, `crash` by a signal, `hang` never.

import { shown, written } from "./shown.js";

const [how, ...args] = process.argv.slice(2);
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const given = [
	...Object.entries(process.env).map(([name, value]) => `${name}=${value}`),
	...args,
	Buffer.concat(chunks).toString(),
];
console.log(JSON.stringify(shown(given, false)));
console.error(written(given).join(" "));
if (how === "fail") process.exitCode = 3;
if (how === "crash") process.kill(process.pid, "SIGSEGV");
if (how === "hang") setInterval(() => {}, 1000);
