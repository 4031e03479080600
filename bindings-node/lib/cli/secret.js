// Keeps, names and removes the secrets that an agent-tools.json takes from the keyring. Values are never shown.

import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { isatty } from "node:tty";
import { AgentToolsError } from "../agent-tools-error.js";
import { native } from "../native.js";
import { columns } from "./columns.js";
import { print, say, sayAs } from "./report.js";
import { UsageError } from "./usage-error.js";

/** @typedef {{name: string, keptIn: "keyring" | "file", path?: string}} Kept */

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} name
 */
export async function set(options, name) {
	const value = isatty(0) ? await ask(`Value of ${name} (it is not shown): `) : await piped();
	/** @type {Kept} */
	const kept = JSON.parse(known(() => native().secretSet(name, value)));
	if (options.json) return print(`${JSON.stringify(kept, null, 2)}\n`);
	say(`The secret ${name} is kept in ${place(kept)}.`);
	if (kept.keptIn === "file") {
		sayAs("warning", "There is no keyring for it here: whoever can read your files can read it.");
	}
	say(`Name it in agent-tools.json: "secrets": {"${name}": {"keyring": "${name}"}}, then \${secret:${name}}.`);
}

/** @param {import("./command-line.js").CommandOptions} options */
export async function list(options) {
	/** @type {Kept[]} */
	const kept = JSON.parse(known(() => native().secretList()));
	if (options.json) return print(`${JSON.stringify(kept, null, 2)}\n`);
	await print(
		kept.length > 0
			? `${columns(
					kept.map((one) => [one.name, place(one)]),
					{ indent: 0 },
				)}\n`
			: "",
	);
	if (process.platform !== "linux")
		say("Secrets in the system's keyring are not listed; look there for agent-tools-runtime.");
}

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} name
 */
export async function remove(options, name) {
	known(() => native().secretRemove(name));
	if (options.json) return print(`${JSON.stringify({ name, removed: true }, null, 2)}\n`);
	say(`The secret ${name} is removed.`);
}

/** @param {Kept} kept */
function place({ keptIn, path }) {
	return keptIn === "keyring" ? "the system's keyring" : `the file ${path}`;
}

/**
 * A failure of the core, as such.
 *
 * @template T
 * @param {() => T} work
 */
function known(work) {
	try {
		return work();
	} catch (error) {
		const { code, message, hint } = /** @type {AgentToolsError} */ (error);
		throw code ? new AgentToolsError(code, message, { hint }) : error;
	}
}

async function piped() {
	const chunks = [];
	for await (const chunk of process.stdin) chunks.push(chunk);
	return Buffer.concat(chunks).toString("utf8");
}

/**
 * @param {string} question
 * @returns {Promise<string>}
 */
function ask(question) {
	process.stderr.write(question);
	const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
	return new Promise((resolve, reject) => {
		lines.on("line", (line) => {
			resolve(line);
			lines.close();
		});
		lines.on("close", () => {
			process.stderr.write("\n");
			reject(new UsageError("no value was given"));
		});
	});
}
