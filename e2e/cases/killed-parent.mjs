// A client of the runtime over stdio that is killed some day: `node killed-parent.mjs <cli>`. What it reads on stdin goes
// to the runtime, and what that answers to stdout.

import { spawn } from "node:child_process";

const child = spawn(process.execPath, [process.argv[2], "mcp"], { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
