import { AgentToolsError } from "../agent-tools-error.js";
import { agrees, choose, someoneIsThere } from "./init/ask.js";
import { carryOut } from "./init/carry-out.js";
import { isInstalled } from "./init/client.js";
import { clients } from "./init/clients/all.js";
import { diffOf, painted } from "./init/diff.js";
import { Place } from "./init/place.js";
import { plan } from "./init/plan.js";
import { recordsOf } from "./init/record.js";
import { PACKAGE, serverOf } from "./init/server.js";
import { carryOutUndo, planUndo } from "./init/undo.js";
import { checkKnown } from "./known-plugin.js";
import { print, printError, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { suggest } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./init/client.js").Client} Client
 * @typedef {import("./init/client.js").Scope} Scope
 *
 * @typedef {object} Outcome of a client; one for each file
 * @property {string} client
 * @property {Scope} scope
 * @property {string} file
 * @property {"written" | "undone" | "same" | "kept" | "not written" | "failed"} state
 * @property {string} [diff]
 * @property {string[]} [command]
 * @property {string} [error]
 * @property {string} [hint]
 */

/** Nobody was there to be asked, and nothing was written. */
const NOT_ASKED = 3;

/**
 * @param {CommandOptions} options
 * @param {...string} names
 */
export async function run(options, ...names) {
	const place = Place.ofThisUser();
	const scope = scopeOf(options.scope);
	if (options.undo) {
		if (names.length === 0 && !options.all)
			throw new UsageError("--undo needs a client", "agent-tools init --undo CLIENT");
		const chosen = names.length > 0 ? names.map(named) : clients;
		return finish(options, await each(chosen, (client) => undo(client, scope, options, place)));
	}
	const server = serverOf(options, place);
	const chosen = names.length > 0 ? names.map(named) : await found(options, scope, place);
	for (const client of chosen) checkScope(client, scope);
	/** @param {import("./init/client.js").Context["plugins"]} plugins */
	const connect = async (plugins) => {
		const context = { place, server, local: options.local === true, plugins };
		const outcomes = await each(chosen, (client) => {
			const own = scope ?? /** @type {Scope} */ (Object.keys(client.files)[0]);
			return init(client, { ...context, scope: own }, options);
		});
		await finish(options, outcomes);
	};
	if (!chosen.some(({ name }) => name === "eve")) return connect([]);
	await runRuntime(options, async (runtime) => {
		const { plugins } = await runtime.status();
		if (options.plugin !== undefined) checkKnown(options.plugin, plugins);
		await connect(plugins.filter(({ prefix }) => options.plugin === undefined || prefix === options.plugin));
	});
}

/**
 * @param {Client} client
 * @param {import("./init/client.js").Context} context
 * @param {CommandOptions} options
 * @returns {Promise<Outcome[]>}
 */
async function init(client, context, options) {
	const { place, scope } = context;
	const changes = await plan(client, context);
	/** @type {Outcome[]} */
	const outcomes = changes.map(({ step, was, text, state }) => ({
		client: client.name,
		scope,
		file: step.file,
		state: state === "new" ? "not written" : state,
		...(step.kind === "run"
			? { command: step.command }
			: state === "new" && { diff: diffOf(step.file, was.text, text) }),
	}));
	for (const outcome of outcomes) await show(client, outcome, options);
	if (!(await mayGoOn(`Write this for ${client.title}?`, outcomes, options))) return outcomes;
	for (const [i, change] of changes.entries()) {
		if (change.state !== "new") continue;
		await carryOut(client, scope, change, place);
		Object.assign(/** @type {Outcome} */ (outcomes[i]), { state: "written" });
	}
	if (outcomes.some(({ state }) => state === "written")) {
		say(`${client.title}: written. ${client.next ?? ""}\nTo take it back: ${command()} init --undo ${client.name}`);
	}
	return outcomes;
}

/**
 * @param {Client} client
 * @param {Scope | undefined} scope
 * @param {CommandOptions} options
 * @param {Place} place
 * @returns {Promise<Outcome[]>}
 */
async function undo(client, scope, options, place) {
	const ours = recordsOf(place, client.name).filter(
		(record) => (!scope || record.scope === scope) && (record.scope === "user" || isInside(record.file, place)),
	);
	if (ours.length === 0 && !options.all) {
		throw new AgentToolsError("NOTHING_TO_UNDO", `init has written nothing for ${client.title} here`, {
			hint: "What it has written for a project is undone in that project's folder.",
		});
	}
	/** @type {Outcome[]} */
	const failures = [];
	const plans = ours.flatMap((record) => {
		try {
			return [planUndo(record)];
		} catch (error) {
			failures.push(failed(client, record.scope, record.file, error));
			return [];
		}
	});
	/** @type {Outcome[]} */
	const outcomes = plans.map(({ record, was, text, gone }) => ({
		client: client.name,
		scope: record.scope,
		file: record.file,
		state: "not written",
		...(!gone && { diff: diffOf(record.file, was.text, text) }),
	}));
	const all = [...outcomes, ...failures];
	for (const outcome of outcomes) await show(client, outcome, options);
	if (plans.some(({ gone }) => !gone) && !(await mayGoOn(`Take this back for ${client.title}?`, outcomes, options)))
		return all;
	if (options["dry-run"]) return all;
	for (const [i, one] of plans.entries()) {
		await carryOutUndo(one, place);
		Object.assign(/** @type {Outcome} */ (outcomes[i]), { state: "undone" });
	}
	if (outcomes.length > 0) say(`${client.title}: taken back.`);
	return all;
}

/** As it was called: npx leaves no `agent-tools` behind. */
function command() {
	return process.env.npm_command === "exec" ? `npx ${PACKAGE}` : "agent-tools";
}

/**
 * @param {string} file
 * @param {Place} place
 */
function isInside(file, { path, cwd }) {
	return file.startsWith(cwd.endsWith(path.sep) ? cwd : cwd + path.sep);
}

/**
 * @param {Client} client
 * @param {Outcome} outcome
 * @param {CommandOptions} options
 */
async function show({ title }, { state, file, diff, command }, { json }) {
	if (state === "same") say(`${title}: already there: ${file}`);
	if (state === "kept") say(`${title}: left alone: ${file} is there and differs; remove it to have it written anew`);
	if (command && state === "not written") say(`${title}: to be run: ${command.join(" ")}`);
	if (diff && !json) await print(painted(diff));
}

/**
 * @param {string} question
 * @param {Outcome[]} outcomes
 * @param {CommandOptions} options
 */
async function mayGoOn(question, outcomes, { "dry-run": dryRun, yes, json }) {
	if (dryRun || outcomes.every(({ state }) => state !== "not written")) return false;
	if (yes) return true;
	if (!json && someoneIsThere()) {
		if (await agrees(question)) return true;
		say("Nothing was written.");
		return false;
	}
	say("Nothing was written, as nobody could be asked.\nhint: To write it: the same with --yes");
	process.exitCode = NOT_ASKED;
	return false;
}

/**
 * One that fails keeps no other from its turn.
 *
 * @param {Client[]} chosen
 * @param {(client: Client) => Promise<Outcome[]>} work
 */
async function each(chosen, work) {
	/** @type {Outcome[]} */
	const outcomes = [];
	for (const client of chosen) {
		try {
			outcomes.push(...(await work(client)));
		} catch (error) {
			const [scope = "user"] = /** @type {Scope[]} */ (Object.keys(client.files));
			outcomes.push(failed(client, scope, "", error));
		}
	}
	return outcomes;
}

/**
 * Says so, and goes on: what is no fault of the user's or of a file is thrown.
 *
 * @param {Client} client
 * @param {Scope} scope
 * @param {string} file
 * @param {unknown} error
 * @returns {Outcome}
 */
function failed(client, scope, file, error) {
	if (!(error instanceof AgentToolsError) && !isOfSystem(error)) throw error;
	const known = isOfSystem(error) ? new AgentToolsError("FILE_FAILED", error.message) : error;
	printError(known);
	process.exitCode = 1;
	return { client: client.name, scope, file, state: "failed", error: known.message, hint: known.hint };
}

/** @param {unknown} error @returns {error is NodeJS.ErrnoException} */
function isOfSystem(error) {
	return error instanceof Error && "syscall" in error;
}

/**
 * @param {CommandOptions} options
 * @param {Outcome[]} outcomes
 */
async function finish({ json }, outcomes) {
	if (json) await print(`${JSON.stringify(outcomes, null, 2)}\n`);
}

/**
 * @param {CommandOptions} options
 * @param {Scope | undefined} scope
 * @param {Place} place
 */
async function found(options, scope, place) {
	const installed = clients.filter((client) => (!scope || client.files[scope]) && isInstalled(client, place));
	const names = clients.map(({ name }) => name).join(", ");
	if (installed.length === 0) {
		throw new AgentToolsError("NO_CLIENT", "no client was found", { hint: `Name it: agent-tools init ${names}` });
	}
	if (options.all || options["dry-run"]) return installed;
	if (!options.json && someoneIsThere()) {
		const chosen = await choose("Which shall use agent-tools? (space chooses, enter goes on)", installed);
		if (chosen.length === 0) say("Nothing was chosen, and nothing was written.");
		return installed.filter(({ name }) => chosen.includes(name));
	}
	say(`Found: ${installed.map(({ name }) => name).join(", ")}`);
	say(
		`hint: Name those that shall use agent-tools: agent-tools init ${installed[0]?.name} --yes; or all of them: --all`,
	);
	process.exitCode = NOT_ASKED;
	return [];
}

/** @param {string} name */
function named(name) {
	const client = clients.find((one) => one.name === name);
	if (client) return client;
	const names = clients.map((one) => one.name);
	const near = suggest(name, names);
	throw new UsageError(
		`there is no client \`${name}\` that init knows`,
		`${near ? `Did you mean \`${near}\`? ` : ""}It knows ${names.join(", ")}. Others: docs/init.md`,
	);
}

/** @param {string | undefined} scope @returns {Scope | undefined} */
function scopeOf(scope) {
	if (scope === undefined || scope === "user" || scope === "project") return scope;
	throw new UsageError(`there is no scope \`${scope}\``, "Pass --scope user or --scope project.");
}

/**
 * @param {Client} client
 * @param {Scope | undefined} scope
 */
function checkScope({ title, files }, scope) {
	if (!scope || files[scope]) return;
	throw new UsageError(`${title} has no configuration of a ${scope}`, `Leave out --scope ${scope}.`);
}
