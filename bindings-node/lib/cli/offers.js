import { calledAs } from "./called-as.js";
import { didYouMean, suggest } from "./suggest.js";
import { UsageError } from "./usage-error.js";

/**
 * @typedef {import("../runtime.js").Runtime} Runtime
 * @typedef {"tool" | "skill"} Kind
 *
 * @typedef {object} Offer a tool or skill of one plugin
 * @property {Kind} kind
 * @property {string} name
 * @property {string} flatName how the flat view of its plugin calls it
 * @property {string} [title]
 * @property {string} description
 * @property {Schema} schema what it takes
 * @property {boolean} needsConfirm
 * @property {boolean} ownConfirm whether it has an argument `confirm` of its own
 * @property {import("../../index.d.ts").ToolAnnotations} annotations
 *
 * @typedef {{[key: string]: unknown, properties?: Record<string, unknown>, required?: string[]}} Schema
 */

const SKILL = "skill_";
/** By this the core's own `confirm` is known. */
const CONFIRM = "true when the user wants this change.";

/**
 * What a plugin offers. Starts it.
 *
 * @param {Runtime} runtime
 * @param {string} prefix
 * @returns {Promise<Offer[]>}
 */
export async function offersOf(runtime, prefix) {
	const tools = await runtime.tools({ kind: "flat", plugin: prefix });
	return tools.filter(({ name }) => name !== "read_more").map(offerOf);
}

/**
 * @param {import("../../index.d.ts").Tool} tool
 * @returns {Offer}
 */
function offerOf({ name, title, description = "", inputSchema, annotations = {} }) {
	const isSkill = name.startsWith(SKILL);
	/** @type {Schema} */
	const { properties, ...rest } = inputSchema;
	const { confirm, ...own } = properties ?? {};
	const added = /** @type {{description?: unknown} | undefined} */ (confirm)?.description === CONFIRM;
	return {
		kind: isSkill ? "skill" : "tool",
		name: isSkill ? name.slice(SKILL.length) : name,
		flatName: name,
		...(title !== undefined && { title }),
		description,
		schema: { ...rest, ...(properties && { properties: added ? own : properties }) },
		needsConfirm: confirm !== undefined && annotations.readOnlyHint !== true,
		ownConfirm: confirm !== undefined && !added,
		annotations,
	};
}

/**
 * The offer that is meant: by its name, else by one that differs in upper and lower case alone, or by a name that the view had
 * to change, as it has other characters than letters, digits, `_` and `-`.
 *
 * @param {Offer[]} offers
 * @param {string} name
 * @param {Kind} [kind]
 */
export function findOffer(offers, name, kind) {
	const eligible = offers.filter((offer) => kind === undefined || offer.kind === kind);
	const exact = eligible.find((offer) => offer.name === name);
	if (exact) return exact;
	const alike = eligible.filter((offer) => offer.name.toLowerCase() === name.toLowerCase());
	if (alike.length === 1) return alike[0];
	const changed = eligible.filter((offer) => isChanged(offer.flatName, kind === "skill" ? SKILL + name : name));
	return changed.length === 1 ? changed[0] : undefined;
}

/**
 * @param {string} flatName
 * @param {string} name
 */
function isChanged(flatName, name) {
	const [, kept] = /^(?:t_)?(.+)_[0-9a-z]+$/.exec(flatName) ?? [];
	const clean = [...name].map((character) => (/[\w-]/.test(character) ? character : "_")).join("");
	return kept !== undefined && clean.startsWith(kept) && (clean === kept || flatName.length === 64);
}

/**
 * @param {string} prefix
 * @param {string} name
 * @param {Offer[]} offers
 * @param {Kind} [kind]
 */
export function unknownOffer(prefix, name, offers, kind) {
	const what = kind ?? "tool or skill";
	const names = offers.filter((offer) => kind === undefined || offer.kind === kind).map((offer) => offer.name);
	const other = kind && offers.find((offer) => offer.name === name);
	const near = suggest(name, names);
	const all = `What it has: ${calledAs()} describe ${prefix}`;
	if (other) {
		return new UsageError(
			`${prefix}/${name} is a ${other.kind}`,
			`agent-tools ${other.kind === "skill" ? "skill" : "call"} ${prefix} ${name}`,
		);
	}
	return new UsageError(`\`${prefix}\` has no ${what} \`${name}\``, `${didYouMean(near)}${all}`);
}
