// A program that embeds the runtime and goes on: `node killed-host.mjs <plugin folder>…`. It has each plugin start its
// server, and says `ready`.

import { Runtime } from "../../bindings-node/index.js";

const pluginDirs = process.argv.slice(2);
const runtime = await Runtime.open({ pluginDirs, packageRoot: pluginDirs[0] });
await runtime.loadAll();
console.log("ready");
setInterval(() => {}, 1 << 30);
