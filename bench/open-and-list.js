// What a host does before its model's first word.

import { Runtime } from "../bindings-node/index.js";

const runtime = await Runtime.open();
await runtime.tools({ kind: process.argv[2] === "flat" ? "flat" : "facade" });
await runtime.close();
