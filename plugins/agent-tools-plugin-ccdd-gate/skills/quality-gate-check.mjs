import { answerOf } from "../answer.mjs";

/** @typedef {{outcome: "passed" | "failed" | "not checked", complaints?: unknown[], reason?: string}} Result */

/**
 * What each check asks, and what it complains about; nothing means that it passes.
 *
 * @type {Record<string, {ofFunction: boolean, tool: string, complaints: (answer: any) => unknown}>}
 */
const CHECKS = {
	complexity: {
		ofFunction: false,
		tool: "measure_complexity",
		complaints: ({ findings }) => findings.filter((/** @type {any} */ finding) => finding.exceeds_threshold),
	},
	guardrails: {
		ofFunction: false,
		tool: "scan_guardrails",
		complaints: ({ guardrails }) => guardrails.filter((/** @type {any} */ guardrail) => guardrail.fired),
	},
	dependencies: { ofFunction: false, tool: "scan_dependencies", complaints: ({ unauthorized }) => unauthorized },
	purity: { ofFunction: true, tool: "check_purity", complaints: ({ impurities }) => impurities },
	"mutable-defaults": {
		ofFunction: true,
		tool: "check_mutable_defaults",
		complaints: ({ mutable_defaults }) => mutable_defaults,
	},
	"bare-except": {
		ofFunction: true,
		tool: "check_bare_except",
		complaints: ({ bare_except_lines }) => bare_except_lines,
	},
	asserts: { ofFunction: true, tool: "check_asserts", complaints: ({ assert_lines }) => assert_lines },
	"none-cmp": { ofFunction: true, tool: "check_none_cmp", complaints: ({ none_eq_lines }) => none_eq_lines },
};

export const meta = {
	description:
		"Run the quality gate over Python code: complexity, guardrails, dependencies, and the checks of one function, as one verdict",
	args: "code (required), fnName?, checks?",
	inputSchema: {
		type: "object",
		properties: {
			code: { type: "string", minLength: 1, description: "Python" },
			fnName: { type: "string", minLength: 1, description: "The function that the checks of functions look at" },
			checks: {
				type: "array",
				items: { enum: Object.keys(CHECKS) },
				minItems: 1,
				uniqueItems: true,
				description: "Only these; else all, those of a function where fnName is given",
			},
		},
		required: ["code"],
		additionalProperties: false,
	},
	readOnly: true,
};

/**
 * @param {any} adapter
 * @param {{code: string, fnName?: string, checks?: string[]}} args
 */
export async function run(adapter, { code, fnName, checks }) {
	const chosen = checks ?? Object.keys(CHECKS).filter((name) => fnName || !CHECKS[name]?.ofFunction);
	/** @type {({check: string} & Result)[]} */
	const results = [];
	for (const name of chosen) results.push({ check: name, ...(await result(adapter, name, code, fnName)) });
	const count = (/** @type {string} */ outcome) => results.filter((result) => result.outcome === outcome).length;
	const failed = count("failed");
	const notChecked = count("not checked");
	// What could not be looked at is no pass.
	const verdict = failed > 0 ? "FAIL" : notChecked > 0 ? "INCOMPLETE" : "PASS";
	return { verdict, passed: count("passed"), failed, notChecked, results };
}

/**
 * @param {any} adapter
 * @param {string} name
 * @param {string} code
 * @param {string | undefined} fnName
 * @returns {Promise<Result>}
 */
async function result(adapter, name, code, fnName) {
	const check = CHECKS[name];
	if (!check) return { outcome: "not checked", reason: "there is no such check" };
	if (check.ofFunction && !fnName) return { outcome: "not checked", reason: "it needs fnName" };
	try {
		const answer = await answerOf(adapter, check.tool, check.ofFunction ? { source: code, fn_name: fnName } : { code });
		if (answer.parse_error) return { outcome: "failed", complaints: [answer.parse_error] };
		const complaints = [check.complaints(answer)].flat().filter(Boolean);
		return complaints.length > 0 ? { outcome: "failed", complaints } : { outcome: "passed" };
	} catch (error) {
		return { outcome: "not checked", reason: /** @type {Error} */ (error).message };
	}
}
