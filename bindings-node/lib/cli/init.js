import { AgentToolsError } from "../agent-tools-error.js";
import { calledAs } from "./called-as.js";
import { choose, someoneIsThere } from "./init/ask.js";
import { isInstalled, SCOPES } from "./init/client.js";
import { clients } from "./init/clients/all.js";
import { connect } from "./init/connect.js";
import { failed, finish, NOT_ASKED } from "./init/outcome.js";
import { Place } from "./init/place.js";
import { serverOf } from "./init/server.js";
import { takeBack } from "./init/take-back.js";
import { checkKnown } from "./known-plugin.js";
import { say, sayAs } from "./report.js";
import { runRuntime } from "./run-runtime.js";
import { didYouMean, suggest } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./init/client.js").Client} Client
 * @typedef {import("./init/client.js").Scope} Scope
 * @typedef {import("./init/outcome.js").Outcome} Outcome
 */

/**
 * @param {CommandOptions} options
 * @param {...string} typed
 */
export async function run(options, ...typed) {
	const names = [...new Set(typed)];
	const place = Place.ofThisUser();
	const scope = scopeOf(options.scope);
	if (options.undo) {
		if (names.length === 0 && !options.all)
			throw new UsageError("--undo needs a client", `${calledAs()} init --undo CLIENT`);
		const chosen = names.length > 0 ? names.map(named) : clients;
		return finish(options, await each(chosen, (client) => takeBack(client, scope, options, place)));
	}
	const server = serverOf(options, place);
	const chosen = names.length > 0 ? names.map(named) : await found(options, scope, place);
	for (const client of chosen) checkScope(client, scope);
	/** @param {import("./init/client.js").Context["plugins"]} plugins */
	const connectAll = async (plugins) => {
		const context = { place, server, local: options.local === true, plugins };
		const outcomes = await each(chosen, (client) => {
			const own = scope ?? /** @type {Scope} */ (Object.keys(client.files)[0]);
			return connect(client, { ...context, scope: own }, options);
		});
		await finish(options, outcomes);
	};
	if (!chosen.some(({ name }) => name === "eve")) return connectAll([]);
	await runRuntime(options, async (runtime) => {
		const { plugins } = await runtime.status();
		if (options.plugin !== undefined) checkKnown(options.plugin, plugins);
		await connectAll(plugins.filter(({ prefix }) => options.plugin === undefined || prefix === options.plugin));
	});
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
		throw new AgentToolsError("NO_CLIENT", "no client was found", {
			hint: `Name it: ${calledAs()} init CLIENT. Known are ${names}.`,
		});
	}
	if (options.all || options["dry-run"]) return installed;
	if (!options.json && someoneIsThere()) {
		const chosen = await choose("Which shall use agent-tools? (space chooses, enter goes on)", installed);
		if (chosen.length === 0) say("Nothing was chosen, and nothing was written.");
		return installed.filter(({ name }) => chosen.includes(name));
	}
	say(`Found: ${installed.map(({ name }) => name).join(", ")}`);
	sayAs(
		"hint",
		`Name those that shall use agent-tools: ${calledAs()} init ${installed[0]?.name} --yes; or all of them: --all`,
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
		`${didYouMean(near)}It knows ${names.join(", ")}. Others: docs/init.md`,
	);
}

/** @param {string | undefined} scope @returns {Scope | undefined} */
function scopeOf(scope) {
	const known = SCOPES.find((one) => one === scope);
	if (known || scope === undefined) return known;
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
