import { NAMES } from "./names.js";

/**
 * Old enough for the bash of macOS, 3.2.
 *
 * @param {import("./grammar.js").Grammar} grammar
 */
export function bash({ places, valued, values }) {
	return `# Completion of agent-tools for bash, made by \`agent-tools completion bash\`.
_agent_tools() {
	local current="\${COMP_WORDS[COMP_CWORD]}" at="" expects="" path="" candidates="" before="" word i
	local behind=0 IFS=$' \\t\\n'
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		word="\${COMP_WORDS[i]}"
		# bash takes \`--view=flat\` and \`NAME=VALUE\` apart into three words.
		if [[ $word == "=" ]]; then expects="\${expects:-=}"; continue; fi
		if [[ -n $expects ]]; then expects=""; continue; fi
		case "$word" in
		--) path=file; break ;;
		${valued.join(" | ")}) expects="$word" ;;
		-*) ;;
		*)
			case "\${at:+$at }$word" in
			${places.flatMap(({ at }) => (at ? [quoted(at)] : [])).join(" | ")}) at="\${at:+$at }$word" ;;
			*) ((behind += 1)) ;;
			esac
			;;
		esac
	done
	if [[ $current == "=" ]]; then expects="\${expects:-=}"; current=""; fi
	if [[ -z $path && $current == --*=* ]]; then
		expects="\${current%%=*}"; before="$expects="; current="\${current#*=}"
	fi
	if [[ -n $path ]]; then :
	elif [[ -n $expects ]]; then
		case "$at:$expects" in
${values.map(valuesOf).join("")}		esac
	elif [[ $current == -* ]]; then
		case "$at" in
${places.map(({ at, options }) => `		${quoted(at)}) candidates="${words(options)}" ;;\n`).join("")}		esac
	else
		case "$at:$behind" in
${places.map(argumentsOf).join("")}		esac
	fi
	if [[ -n $path ]]; then compopt -o filenames 2>/dev/null; fi
	while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
		case "$path" in
		file) compgen -f -P "$before" -- "$current" ;;
		folder) compgen -d -P "$before" -- "$current" ;;
		*) compgen -P "$before" -W "$candidates" -- "$current" ;;
		esac
	)
}
complete -F _agent_tools ${NAMES.join(" ")}
`;
}

/** @param {import("./grammar.js").Grammar["values"][number]} of */
function valuesOf({ at, option, values }) {
	const found = Array.isArray(values) ? `candidates="${values.join(" ")}"` : `path=${values}`;
	return `		${at}:${option}) ${found} ;;\n`;
}

/** @param {import("./grammar.js").Place} place */
function argumentsOf({ at, words: next, path, repeats }) {
	const pattern = `${quoted(`${at}:`)}${repeats ? "*" : "0"}`;
	if (path) return `		${pattern}) path=${path} ;;\n`;
	return next.length > 0 ? `		${pattern}) candidates="${words(next)}" ;;\n` : "";
}

/** @param {import("./grammar.js").Candidate[]} candidates */
function words(candidates) {
	return candidates.map(({ word }) => word).join(" ");
}

/** @param {string} text */
function quoted(text) {
	return `"${text}"`;
}
