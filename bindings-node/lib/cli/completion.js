import path from "node:path";
import { calledAs } from "./called-as.js";
import { bash } from "./completion/bash.js";
import { fish } from "./completion/fish.js";
import { grammar } from "./completion/grammar.js";
import { powershell } from "./completion/powershell.js";
import { SHELLS } from "./completion/values.js";
import { zsh } from "./completion/zsh.js";
import { print } from "./report.js";
import { didYouMean, suggest } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/** @type {Record<import("./completion/values.js").Shell, (grammar: import("./completion/grammar.js").Grammar) => string>} */
const scripts = { bash, zsh, fish, powershell };

/** How each is told that it is to read the script. */
const INSTALL = `${calledAs()} completion --help says where the script goes.`;

/**
 * @param {import("./command-line.js").CommandOptions} _options
 * @param {string} [named]
 */
export async function run(_options, named) {
	await print(scripts[shellOf(named)](grammar()));
}

/** @param {string} [named] else the one that the user logs in with */
function shellOf(named) {
	const all = `It completes in ${SHELLS.join(", ")}. ${INSTALL}`;
	const used = process.env.SHELL;
	if (named === undefined && !used) throw new UsageError("no shell is named, and SHELL is not set", all);
	const name = named ?? path.basename(String(used), ".exe");
	const shell = SHELLS.find((one) => one === name || (name === "pwsh" && one === "powershell"));
	if (shell) return shell;
	const near = named === undefined ? undefined : suggest(name, SHELLS);
	throw new UsageError(`there is no completion for the shell \`${name}\``, `${didYouMean(near)}${all}`);
}
