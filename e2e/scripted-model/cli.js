#!/usr/bin/env node
// Runs the scripted model as a process of its own; see README.md.
import { appendFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ScriptedModel } from "./scripted-model.js";

const { values: options } = parseArgs({
	options: {
		script: { type: "string" },
		log: { type: "string" },
		port: { type: "string", default: "0" },
		"port-file": { type: "string" },
		"max-ms": { type: "string", default: "120000" },
	},
});
const { script, log, "port-file": portFile } = options;
if (!script || !log) {
	console.error("usage: cli.js --script FILE|FOLDER --log FILE [--port N] [--port-file FILE] [--max-ms N]");
	process.exit(2);
}

writeFileSync(log, "");
const model = await ScriptedModel.start(script, {
	port: Number(options.port),
	onRequest: (request) => appendFileSync(log, `${JSON.stringify(request)}\n`),
});
if (portFile) writeFileSync(portFile, String(model.port));
console.error(`scripted model: ${model.baseUrl}`);

/** @param {string[]} [more] */
async function end(more = []) {
	await model.stop();
	const complaints = [...model.complaints, ...more];
	for (const complaint of complaints) console.error(`scripted model: ${complaint}`);
	process.exit(complaints.length > 0 ? 1 : 0);
}

model.stopped.then(() => end());
process.on("SIGTERM", () => void end());
process.on("SIGINT", () => void end());
setTimeout(() => void end(["--max-ms is over"]), Number(options["max-ms"])).unref();
