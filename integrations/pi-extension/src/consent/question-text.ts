import type { Question } from "@rckflr/agent-tools-runtime";
import { bounded, visible } from "./visible.ts";

/** How much of the arguments is shown. */
interface Extent {
	/** Arguments by themselves; those beyond are counted. */
	lines: number;
	/** Characters of one argument. */
	chars: number;
}

/** What fits a terminal. */
const SHORT: Extent = { lines: 12, chars: 240 };
/** What a person gets who asks for everything. */
const FULL: Extent = { lines: 500, chars: 20_000 };
/** The longest name, and the longest sentence about what a yes means. */
const NAME_CHARS = 100;
const SENTENCE_CHARS = 400;

/**
 * What a person reads before they answer. All of it but the headings was written by others, so nothing in it may hide or
 * begin a line of its own.
 */
export function questionText(question: Question, whole = false): string {
	const { plugin, name, subject, consequence } = question;
	const what = subject === "skill" ? "Run the skill" : "Call";
	return [
		`agent-tools: ${what} ${part(name, NAME_CHARS)} of ${part(plugin, NAME_CHARS)}?`,
		part(consequence, SENTENCE_CHARS),
		...argumentLines(question, whole ? FULL : SHORT),
	].join("\n");
}

/** Whether the short text leaves something out of the arguments. */
export function isCut(question: Question): boolean {
	return argumentLines(question, SHORT).join("\n") !== argumentLines(question, FULL).join("\n");
}

function argumentLines({ arguments: args }: Question, { lines, chars }: Extent): string[] {
	const entries = Object.entries(args);
	if (entries.length === 0) return ["Without arguments."];
	const shown = entries.slice(0, lines).map(([key, value]) => {
		return `  ${part(key, NAME_CHARS)}: ${part(JSON.stringify(value), chars)}`;
	});
	const others = entries.length - shown.length;
	return ["Arguments:", ...shown, ...(others > 0 ? [`  and ${others} more arguments that are not shown`] : [])];
}

function part(text: string, chars: number): string {
	return bounded(visible(text), chars);
}
