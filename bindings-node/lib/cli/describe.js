import { offerText } from "./describe/offer-text.js";
import { pluginText } from "./describe/plugin-text.js";
import { chosenPrefix } from "./known-plugin.js";
import { findOffer, offersOf, unknownOffer } from "./offers.js";
import { print } from "./report.js";
import { runRuntime } from "./run-runtime.js";

/**
 * @typedef {import("../runtime.js").Runtime} Runtime
 * @typedef {import("./command-line.js").CommandOptions} CommandOptions
 * @typedef {import("./offers.js").Offer} Offer
 *
 * @typedef {object} Described all about one tool or skill
 * @property {string} plugin
 * @property {Offer["kind"]} kind
 * @property {string} name
 * @property {string} [title]
 * @property {string} description
 * @property {string} [signature] what it takes, as TypeScript would have it
 * @property {import("../../index.d.ts").PolicyExplanation["kind"]} changes
 * @property {boolean} needsConfirm
 * @property {string} [policy]
 * @property {import("./offers.js").Schema} inputSchema
 */

/**
 * @param {CommandOptions} options
 * @param {string} given
 * @param {string} [name]
 */
export async function run(options, given, name) {
	await runRuntime(options, async (runtime) => {
		const prefix = chosenPrefix(given, await runtime.status());
		await (name === undefined
			? describePlugin(runtime, prefix, options.json)
			: describeOffer(runtime, prefix, name, options.json));
	});
}

/**
 * A plugin that does not start is described as far as it is known, and fails.
 *
 * @param {Runtime} runtime
 * @param {string} prefix
 * @param {boolean} [json]
 */
async function describePlugin(runtime, prefix, json) {
	/** @type {Offer[]} */
	let offers = [];
	/** @type {unknown} */
	let failed;
	try {
		// Starts it, so that its state is what a call would meet.
		await runtime.trust(prefix);
		offers = await offersOf(runtime, prefix);
	} catch (error) {
		failed = error;
	}
	const plugin = (await runtime.status()).plugins.find((each) => each.prefix === prefix);
	if (!plugin) throw failed;
	await print(
		json ? `${JSON.stringify({ ...plugin, offers: offers.map(listed) }, null, 2)}\n` : pluginText(plugin, offers),
	);
	if (failed) throw failed;
}

/** @param {Offer} offer */
function listed({ kind, name, title, description, needsConfirm, annotations }) {
	return { kind, name, ...(title !== undefined && { title }), description, needsConfirm, annotations };
}

/**
 * @param {Runtime} runtime
 * @param {string} prefix
 * @param {string} name
 * @param {boolean} [json]
 */
async function describeOffer(runtime, prefix, name, json) {
	const offers = await offersOf(runtime, prefix);
	const offer = findOffer(offers, name);
	if (!offer) throw unknownOffer(prefix, name, offers);
	const described = await allAbout(runtime, prefix, offer);
	await print(json ? `${JSON.stringify(described, null, 2)}\n` : offerText(described));
}

/**
 * @param {Runtime} runtime
 * @param {string} plugin
 * @param {Offer} offer
 * @returns {Promise<Described>}
 */
async function allAbout(runtime, plugin, offer) {
	const { kind, name, title, description, schema, needsConfirm, annotations } = offer;
	const { _meta } = await runtime.discover(plugin, name);
	const matches = _meta?.["agent-tools/discover"]?.matches ?? [];
	const signature = matches.find((match) => match.name === name && match.kind === kind)?.arguments;
	// A name that the view had to change is not the plugin's own, so that only what the list says is known.
	const policy = await runtime.explainPolicy(plugin, name).catch(() => undefined);
	const hinted = annotations.readOnlyHint ? "read-only" : annotations.destructiveHint ? "destructive" : "mutating";
	return {
		plugin,
		kind,
		name,
		...(title !== undefined && { title }),
		description,
		...(signature !== undefined && { signature }),
		changes: policy?.kind ?? hinted,
		needsConfirm: policy?.confirm ?? needsConfirm,
		...(policy && policy.rules.length > 0 && { policy: `${policy.decision}, by ${policy.rule}` }),
		inputSchema: schema,
	};
}
