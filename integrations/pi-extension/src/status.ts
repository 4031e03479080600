import type { PluginStatus, Status } from "@rckflr/agent-tools-runtime";

export function statusText({ plugins, warnings }: Status): string {
	const count = plugins.length === 1 ? "1 plugin" : `${plugins.length} plugins`;
	return [count, ...plugins.map(pluginLine), ...warnings.map((warning) => `  warning: ${warning}`)].join("\n");
}

function pluginLine({ prefix, state, description, name }: PluginStatus): string {
	return `  ${prefix.padEnd(12)} ${state.padEnd(12)} ${description ?? name ?? ""}`.trimEnd();
}
