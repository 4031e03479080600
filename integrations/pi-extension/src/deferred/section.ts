import type { PluginStatus } from "@rckflr/agent-tools-runtime";

/** With more plugins than this only their names are said. */
const DESCRIBED = 12;
const ABOUT_CHARS = 80;
/** Names beyond this are counted only. */
const NAMED = 100;

/** What the system prompt says, as the model would not search for tools of services that it has never heard of. */
export function sectionText(plugins: PluginStatus[]): string | undefined {
	if (plugins.length === 0) return undefined;
	const head =
		"Tools and ready-made skills of these services are not declared to you: find them with tool_search. Pass confirm: true only for changes that the user wants.";
	if (plugins.length <= DESCRIBED) return [head, ...plugins.map(line)].join("\n");
	const names = plugins.slice(0, NAMED).map(({ prefix }) => prefix);
	const others = plugins.length - names.length;
	return `${head}\n${names.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

function line({ prefix, description }: PluginStatus): string {
	const about = description?.replaceAll(/\s+/g, " ").trim() ?? "";
	const short = about.length <= ABOUT_CHARS ? about : `${about.slice(0, about.lastIndexOf(" ", ABOUT_CHARS))} …`;
	return short ? `- ${prefix}: ${short}` : `- ${prefix}`;
}
