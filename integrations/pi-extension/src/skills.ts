import type { Runtime, View } from "@rckflr/agent-tools-runtime";

/** Whom the plugins are shown to as Agent Skills; README.md says what each costs. */
export const SKILLS_VARIABLE = "AGENT_TOOLS_SKILLS";
const AUDIENCES = ["commands", "model", "off"] as const;
type Audience = (typeof AUDIENCES)[number];
const DEFAULT: Audience = "commands";

/** With more plugins than this the model is shown one skill that names them, as each costs some 100 tokens in every request. */
const SHOWN_EACH = 8;

/** The audience that the variable names. */
export function chosenAudience(variable: string | undefined): { audience: Audience; complaint?: string } {
	const audience = AUDIENCES.find((known) => known === (variable || DEFAULT));
	if (audience) return { audience };
	const complaint = `${SKILLS_VARIABLE} is one of ${AUDIENCES.join(", ")}, not ${variable}; taken as ${DEFAULT}`;
	return { audience: DEFAULT, complaint };
}

/** Folders with skills for Pi, written from what is known of the plugins. */
export async function skillPaths(runtime: Runtime, view: View, audience: Audience): Promise<string[]> {
	const { plugins } = await runtime.status();
	if (audience === "off" || plugins.length === 0) return [];
	const commandsOnly = audience === "commands";
	const one = !commandsOnly && plugins.length > SHOWN_EACH;
	const { folder } = await runtime.writeAgentSkills({ view, one, commandsOnly });
	return [folder];
}
