import { calledAs } from "../called-as.js";
import { paint } from "../colour.js";
import { columns } from "../columns.js";
import { plainText } from "../plain-text.js";

/**
 * @typedef {import("../offers.js").Offer} Offer
 * @typedef {import("../../../index.d.ts").PluginStatus} PluginStatus
 */

/** Of a description that is one paragraph only so much is shown. */
const LINE = 100;

/**
 * @param {PluginStatus} plugin
 * @param {Offer[]} offers
 */
export function pluginText({ prefix, name, state, description, reason, heldBack = [] }, offers) {
	const facts = [
		["plugin", plainText(name)],
		["state", reason ? plainText(`${state}: ${reason}`) : state],
		...(description ? [["about", plainText(description)]] : []),
		...(heldBack.length > 0
			? [["held back", `${heldBack.map(plainText).join(", ")}: ${calledAs()} trust ${prefix}`]]
			: []),
	];
	const example = offers.find(({ kind }) => kind === "tool") ?? offers[0];
	return [
		paint("bold", prefix),
		columns(facts),
		...section("Tools:", offers, "tool"),
		...section("Skills:", offers, "skill"),
		...(example ? ["", `All about one: ${calledAs()} describe ${prefix} ${example.name}`] : []),
		"",
	].join("\n");
}

/**
 * @param {string} title
 * @param {Offer[]} offers
 * @param {Offer["kind"]} kind
 */
function section(title, offers, kind) {
	const rows = offers
		.filter((offer) => offer.kind === kind)
		.map((offer) => [plainText(offer.name), changes(offer), plainText(firstLine(offer.description))]);
	return rows.length > 0 ? ["", title, columns(rows)] : [];
}

/** @param {Offer} offer */
function changes({ annotations: { readOnlyHint, destructiveHint } }) {
	if (readOnlyHint) return "reads";
	return destructiveHint ? paint("red", "destroys") : paint("yellow", "changes");
}

/** @param {string} description */
export function firstLine(description) {
	const [line = ""] = description.trim().split("\n");
	const [sentence = ""] = /^.*?[.!?](?=\s|$)/.exec(line) ?? [line];
	return sentence.length > LINE ? `${sentence.slice(0, LINE - 1)}…` : sentence;
}
