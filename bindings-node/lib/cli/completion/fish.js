import { NAMES } from "./names.js";

/** @param {import("./grammar.js").Grammar} grammar */
export function fish({ places, valued, values }) {
	return `# Completion of agent-tools for fish, made by \`agent-tools completion fish\`.
function __agent_tools_complete
	set -l typed (commandline -opc)
	set -e typed[1]
	set -l current (commandline -ct)
	set -l at ''
	set -l expects ''
	set -l before ''
	set -l behind 0
	for word in $typed
		if test -n "$expects"
			set expects ''
			continue
		end
		switch $word
			case --
				__fish_complete_path "$current"
				return
			case ${valued.join(" ")}
				set expects $word
			case '-*'
			case '*'
				switch (string trim "$at $word")
					case ${places.flatMap(({ at }) => (at ? [quoted(at)] : [])).join(" ")}
						set at (string trim "$at $word")
					case '*'
						set behind (math $behind + 1)
				end
		end
	end
	if string match -q -- '--*=*' "$current"
		set expects (string replace -r '=.*' '' -- "$current")
		set before "$expects="
		set current (string replace -r '^[^=]*=' '' -- "$current")
	end
	if test -n "$expects"
		switch "$at:$expects"
${values.map(valuesOf).join("")}		end
	else if string match -q -- '-*' "$current"
		switch $at
${places.map(({ at, options }) => clause(at, listed(options))).join("")}		end
	else
		switch "$at:$behind"
${places.map(argumentsOf).join("")}		end
	end
end
${NAMES.map((name) => `complete -c ${name} -f -a '(__agent_tools_complete)'`).join("\n")}
`;
}

/** @param {import("./grammar.js").Grammar["values"][number]} of */
function valuesOf({ at, option, values }) {
	const all = Array.isArray(values) ? values.join(" ") : `(${pathsOf(values)})`;
	return clause(`${at}:${option}`, `string replace -r -- '^' "$before" ${all}`);
}

/** @param {import("./grammar.js").Place} place */
function argumentsOf({ at, words: next, path, repeats }) {
	const pattern = `${at}:${repeats ? "*" : "0"}`;
	if (path) return clause(pattern, pathsOf(path));
	return next.length > 0 ? clause(pattern, listed(next)) : "";
}

/** @param {"file" | "folder"} kind */
function pathsOf(kind) {
	return kind === "folder" ? `__fish_complete_directories "$current" ''` : `__fish_complete_path "$current"`;
}

/**
 * @param {string} pattern
 * @param {string} command
 */
function clause(pattern, command) {
	return `			case ${quoted(pattern)}\n				${command}\n`;
}

/** @param {import("./grammar.js").Candidate[]} candidates */
function listed(candidates) {
	const pairs = candidates.map(({ word, summary }) => `${quoted(word)} ${quoted(summary)}`);
	return `printf '%s\\t%s\\n' ${pairs.join(" ")}`;
}

/** @param {string} text */
function quoted(text) {
	return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
