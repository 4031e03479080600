import { NAMES } from "./names.js";

/** @param {import("./grammar.js").Grammar} grammar */
export function zsh({ places, valued, values }) {
	return `#compdef ${NAMES.join(" ")}
# Completion of agent-tools for zsh, made by \`agent-tools completion zsh\`.
_agent_tools() {
	local at= expects= path_of= word
	local -a candidates
	integer behind=0
	for word in "\${(@)words[2,CURRENT-1]}"; do
		if [[ -n $expects ]]; then expects=; continue; fi
		case "$word" in
		--) path_of=file; break ;;
		${valued.join("|")}) expects="$word" ;;
		-*) ;;
		*)
			case "\${at:+$at }$word" in
			${places.flatMap(({ at }) => (at ? [quoted(at)] : [])).join("|")}) at="\${at:+$at }$word" ;;
			*) (( behind += 1 )) ;;
			esac
			;;
		esac
	done
	if [[ -z $path_of && $PREFIX == --*=* ]]; then
		expects="\${PREFIX%%=*}"
		compset -P 1 '*='
	fi
	if [[ -n $path_of ]]; then :
	elif [[ -n $expects ]]; then
		case "$at:$expects" in
${values.map(valuesOf).join("")}		esac
	elif [[ $PREFIX == -* ]]; then
		case "$at" in
${places.map(({ at, options }) => `		${quoted(at)}) candidates=(${described(options)}) ;;\n`).join("")}		esac
	else
		case "$at:$behind" in
${places.map(argumentsOf).join("")}		esac
	fi
	case "$path_of" in
	file) _files ;;
	folder) _files -/ ;;
	*) (( $#candidates )) && _describe -V 'agent-tools' candidates ;;
	esac
}
# Read by the completion system from a file of its own, or by .zshrc.
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then
	_agent_tools "$@"
else
	(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
	compdef _agent_tools ${NAMES.join(" ")}
fi
`;
}

/** @param {import("./grammar.js").Grammar["values"][number]} of */
function valuesOf({ at, option, values }) {
	if (!Array.isArray(values)) return `		${at}:${option}) path_of=${values} ;;\n`;
	const candidates = values.map((word) => ({ word, summary: "" }));
	return `		${at}:${option}) candidates=(${described(candidates)}) ;;\n`;
}

/** @param {import("./grammar.js").Place} place */
function argumentsOf({ at, words, path, repeats }) {
	const pattern = `${quoted(`${at}:`)}${repeats ? "*" : "0"}`;
	if (path) return `		${pattern}) path_of=${path} ;;\n`;
	return words.length > 0 ? `		${pattern}) candidates=(${described(words)}) ;;\n` : "";
}

/** @param {import("./grammar.js").Candidate[]} candidates */
function described(candidates) {
	return candidates.map(({ word, summary }) => quoted(summary ? `${word}:${summary}` : word)).join(" ");
}

/** @param {string} text */
function quoted(text) {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
