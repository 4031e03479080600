// A program in a terminal that runs the tool `run` of one plugin: node terminal-host.mjs <plugin folder> <answer file>

import { openSync, writeFileSync, writeSync } from "node:fs";
import { Runtime } from "../../bindings-node/index.js";

const [folder, answerFile] = process.argv.slice(2);
writeSync(openSync("/dev/tty", "w"), "a terminal is here\n");
const runtime = await Runtime.open({ pluginDirs: [folder] });
const began = Date.now();
const reply = await runtime.callTool("agent_tools_x_call", { toolName: "run", arguments: {} });
writeFileSync(answerFile, JSON.stringify({ ms: Date.now() - began, reply }));
await runtime.close();
