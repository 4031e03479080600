/** How Pi's model is shown the plugins; README.md explains each. */
export type ViewName = (typeof VIEWS)[number];

const VIEWS = ["facade", "unified", "flat", "auto"] as const;

/** The flag of Pi's command line, without its dashes. */
export const VIEW_FLAG = "agent-tools-view";
export const VIEW_VARIABLE = "AGENT_TOOLS_VIEW";

const DEFAULT: ViewName = "facade";

/**
 * The view that the flag names, or else the variable. A word that is no view is answered with a complaint, and with the
 * view that holds without it.
 */
export function chosenView(flag: unknown, variable: string | undefined): { view: ViewName; complaint?: string } {
	const [source, word] = typeof flag === "string" && flag ? [`--${VIEW_FLAG}`, flag] : [VIEW_VARIABLE, variable];
	if (!word) return { view: DEFAULT };
	const view = VIEWS.find((known) => known === word);
	if (view) return { view };
	return { view: DEFAULT, complaint: `${source} is one of ${VIEWS.join(", ")}, not ${word}; taken as ${DEFAULT}` };
}
