import { paint } from "../colour.js";
import { columns } from "../columns.js";
import { plainText } from "../plain-text.js";
import { exampleOf } from "./example.js";

/** @type {Record<import("../describe.js").Described["changes"], string>} */
const CHANGES = {
	"read-only": "nothing: it only reads",
	mutating: "it may change something",
	destructive: "it may destroy something",
};
const CONSENT = "needed: on a terminal you are asked, elsewhere --confirm says yes";

/** @param {import("../describe.js").Described} described */
export function offerText(described) {
	const { plugin, kind, name, title, description, signature, changes, needsConfirm, policy, inputSchema } = described;
	const facts = [
		[kind, plainText(title ?? name)],
		...(signature ? [["takes", plainText(signature)]] : []),
		["changes", CHANGES[changes]],
		["consent", needsConfirm ? CONSENT : "not needed"],
		...(policy ? [["policy", plainText(policy)]] : []),
	];
	return [
		paint("bold", plainText(`${plugin}/${name}`)),
		columns(facts),
		...(description ? ["", columns([[plainText(description)]])] : []),
		"",
		"Schema:",
		plainText(JSON.stringify(inputSchema, null, 2)).replaceAll(/^/gm, "  "),
		"",
		"Example:",
		`  ${plainText(exampleOf(described))}`,
		"",
	].join("\n");
}
