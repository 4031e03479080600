// Prints how Rust calls a system: node scripts/release/rust-target.mjs linux-x64-gnu

import { rustTarget } from "./targets.mjs";

console.log(rustTarget(process.argv[2] ?? ""));
