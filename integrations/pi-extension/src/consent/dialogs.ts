import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Answer, Ask, Question } from "@rckflr/agent-tools-runtime";
import { isCut, questionText } from "./question-text.ts";

type Ui = ExtensionContext["ui"];

/** In the order in which they are shown. What an Enter that was meant for something else hits is the first, so it is the no. */
const LABELS: [Answer, string][] = [
	["no", "No"],
	["once", "Yes, this once"],
	["session", "Yes, for the rest of this session"],
	["always", "Yes, always, as long as it is defined as it is now"],
];
const SHOW_ALL = "Show all of the arguments";

/** The longest that a timer of Node waits. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Asks a person in Pi's own dialogs, one after the other: two at once would lie on top of each other. */
export class Dialogs {
	#last: Promise<unknown> = Promise.resolve();

	/** The way to ask in this mode of Pi, and none where there is nobody: then the core's rules for that hold. */
	askIn({ hasUI, ui }: Pick<ExtensionContext, "hasUI" | "ui">, signal: AbortSignal | undefined): Ask | undefined {
		if (!hasUI) return undefined;
		return (question) => {
			// The core counts from now on, whether the dialog is shown already or another one is.
			const deadline = Date.now() + Math.min(question.timeoutMs, MAX_TIMER_MS);
			const answer = this.#last.then(() => show(question, ui, deadline, signal));
			this.#last = answer.catch(() => {});
			return answer;
		};
	}
}

/** Closing the dialog means no. So does its end, when the time is over or the turn was cancelled. */
async function show(question: Question, ui: Ui, deadline: number, signal: AbortSignal | undefined): Promise<Answer> {
	const answers = LABELS.filter(([answer]) => answer === "no" || question.choices.includes(answer));
	const labels = answers.map(([, label]) => label);
	let whole = !isCut(question);
	for (;;) {
		const timeout = deadline - Date.now();
		if (timeout <= 0) return "unanswered";
		const options = whole ? labels : [...labels, SHOW_ALL];
		const chosen = await ui.select(questionText(question, whole), options, { timeout, ...(signal ? { signal } : {}) });
		if (!whole && chosen === SHOW_ALL) {
			whole = true;
			continue;
		}
		const [answer] = answers.find(([, label]) => label === chosen) ?? [];
		return answer ?? (Date.now() < deadline ? "no" : "unanswered");
	}
}
