// A program that embeds the runtime and makes all calls at once:
//
//   node host.mjs <plugins> <calls.json>
//
// It prints a JSON line for each answer as it comes, then one with its own memory, closes the runtime and ends.

import { readFileSync } from "node:fs";
import { Runtime } from "../../bindings-node/index.js";

const [pluginDir, callsFile] = process.argv.slice(2);
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const runtime = await Runtime.open({ pluginDirs: [pluginDir] });
const calls = JSON.parse(readFileSync(callsFile, "utf8"));
await Promise.all(
	calls.map(async ({ prefix, value }, number) => {
		const call = { toolName: "echo", arguments: { value } };
		const { isError, content } = await runtime.callTool(`agent_tools_${prefix}_call`, call);
		print({ number, isError, text: content[0].text });
	}),
);
const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
print({ peakKb: Number(peak) });
await runtime.close();
