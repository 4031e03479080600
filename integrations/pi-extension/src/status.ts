import type { PluginStatus, Status } from "@rckflr/agent-tools-runtime";

export function statusText({ version, plugins, warnings }: Status): string {
	const head = `version ${version}, ${counted(plugins.length, "plugin")}`;
	return [head, ...plugins.map(pluginLine), ...warnings.map((warning) => `  warning: ${warning}`)].join("\n");
}

function pluginLine(plugin: PluginStatus): string {
	return `  ${plugin.prefix.padEnd(12)} ${plugin.state.padEnd(12)} ${about(plugin)}`.trimEnd();
}

/** A plugin counts its tools when it starts, which is on first use. */
function about({ reason, tools, skills, description, name }: PluginStatus): string {
	if (reason) return reason;
	if (tools === undefined) return description ?? name;
	return `${counted(tools, "tool")}, ${counted(skills ?? 0, "skill")}: ${description ?? name}`;
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? "" : "s"}`;
}
