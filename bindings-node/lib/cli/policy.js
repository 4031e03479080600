import { columns } from "./columns.js";
import { checkKnown } from "./known-plugin.js";
import { print, printWarnings, say } from "./report.js";
import { runRuntime } from "./run-runtime.js";

/** @typedef {import("../../index.d.ts").PolicyExplanation} PolicyExplanation */

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} prefix
 * @param {string} name
 */
export async function explain(options, prefix, name) {
	await runRuntime(options, async (runtime) => {
		const { plugins, warnings } = await runtime.status();
		printWarnings(warnings);
		checkKnown(prefix, plugins);
		const explanation = await runtime.explainPolicy(prefix, name);
		await print(options.json ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation));
	});
}

/**
 * @param {import("./command-line.js").CommandOptions} options
 * @param {string} prefix
 * @param {string} name
 */
export async function forget(options, prefix, name) {
	await runRuntime(options, async (runtime) => {
		printWarnings((await runtime.status()).warnings);
		const { forgotten } = await runtime.forgetDecision(prefix, name);
		if (options.json) return print(`${JSON.stringify({ plugin: prefix, name, forgotten }, null, 2)}\n`);
		say(forgotten ? `${prefix}/${name} is asked about again.` : `Nothing was remembered of ${prefix}/${name}.`);
	});
}

/** @param {PolicyExplanation} explanation */
export function explanationText(explanation) {
	const { plugin, name, subject, kind, kindBy, trusted, borrowsName, decision, rule, confirm, rules, remembered } =
		explanation;
	const why = borrowsName ? "has the name of one of your own" : "`policy.trust` does not name it";
	const lines = [
		`${plugin}/${name}, a ${subject}`,
		columns([
			["kind:", `${kind}: ${kindBy}`],
			["plugin:", trusted ? "trusted" : `not trusted: it belongs to a project, and ${why}`],
			["decision:", `${decision}, by ${rule}`],
			["confirm:", confirm ? "`confirm: true` is needed" : "not needed"],
			["you said:", saidText(remembered)],
		]),
	];
	const matching = rules.map(({ rule: text, file, author, counts, byName }) => {
		const ignored =
			author === "project"
				? "no stricter than yours"
				: borrowsName && byName
					? "meant for your own plugin of that name"
					: "another one goes before it";
		return [text, `in ${file}${counts ? "" : ` (${ignored})`}`];
	});
	if (matching.length > 0) lines.push("", "Rules that match, the first levels first:", columns(matching));
	return `${lines.join("\n")}\n`;
}

/** @param {PolicyExplanation["remembered"]} remembered */
function saidText(remembered) {
	if (!remembered) return "nothing that is remembered";
	return `always, on ${remembered.at}${remembered.valid ? "" : ", of another definition"}`;
}
