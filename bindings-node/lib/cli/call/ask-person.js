import { paint } from "../colour.js";
import { plainText } from "../plain-text.js";
import { say } from "../report.js";
import { askOnTerminal } from "../terminal-question.js";

/**
 * @typedef {import("../../../index.d.ts").Answer} Answer
 * @typedef {import("../../../index.d.ts").Question} Question
 */

/** By what a person types. @type {[RegExp, Answer, string][]} */
const ANSWERS = [
	[/^(y|yes|o|once)$/i, "once", "[y]es"],
	[/^(s|session)$/i, "session", "for this [s]ession"],
	[/^(a|always)$/i, "always", "[a]lways"],
	[/^(n|no|)$/i, "no", "[N]o"],
];

/**
 * Asks the person at the terminal about a call that is about to be sent.
 *
 * @param {Question} question
 * @param {(question: string, how: {timeoutMs: number}) => Promise<string | undefined>} [ask]
 * @returns {Promise<Answer>}
 */
export async function askPerson(
	{ plugin, name, subject, kind, consequence, arguments: given, timeoutMs, choices },
	ask = askOnTerminal,
) {
	const offered = ANSWERS.filter(([, answer]) => answer === "no" || choices.includes(answer));
	const style = kind === "destructive" ? "red" : "yellow";
	say(`${paint(style, `${plainText(`${plugin}/${name}`)}`, process.stderr)}, a ${subject}: ${plainText(consequence)}`);
	say(plainText(JSON.stringify(given, null, 2)).replaceAll(/^/gm, "  "));
	const until = Date.now() + timeoutMs;
	for (;;) {
		const typed = await ask(`Call it? ${offered.map(([, , label]) => label).join(", ")}: `, {
			timeoutMs: Math.max(1, until - Date.now()),
		});
		if (typed === undefined) return Date.now() >= until ? "unanswered" : "no";
		const [, answer] = offered.find(([pattern]) => pattern.test(typed)) ?? [];
		if (answer) return answer;
	}
}
