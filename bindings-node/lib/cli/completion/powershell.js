import { NAMES } from "./names.js";

/**
 * Where nothing is offered, PowerShell itself offers files.
 *
 * @param {import("./grammar.js").Grammar} grammar
 */
export function powershell({ places, valued, values }) {
	const described = (/** @type {import("./grammar.js").Candidate[]} */ candidates) =>
		candidates.map(({ word, summary }) => `@(${quoted(word)}, ${quoted(summary || word)})`).join(", ");
	const list = (/** @type {import("./grammar.js").Candidate[]} */ candidates) =>
		candidates.length === 1 ? `@(,${described(candidates)})` : `@(${described(candidates)})`;
	return `# Completion of agent-tools for PowerShell, made by \`agent-tools completion powershell\`.
$agentToolsPlaces = @{
${places
	.map(
		({ at, words, repeats, options }) =>
			`	${quoted(at)} = @{ Repeats = $${repeats}; Words = ${list(words)}; Options = ${list(options)} }\n`,
	)
	.join("")}}
$agentToolsValued = @(${valued.map(quoted).join(", ")})
$agentToolsValues = @{
${values
	.map(
		({ at, option, values: all }) =>
			`	${quoted(`${at}:${option}`)} = @(${Array.isArray(all) ? all.map(quoted).join(", ") : ""})\n`,
	)
	.join("")}}
Register-ArgumentCompleter -Native -CommandName ${NAMES.join(", ")} -ScriptBlock {
	param($current, $line, $cursor)
	$at = ''; $expects = ''; $before = ''; $behind = 0
	$typed = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor })
	foreach ($element in $typed) {
		$word = $element.Extent.Text
		if ($expects) { $expects = ''; continue }
		if ($word -eq '--') { return }
		if ($agentToolsValued -contains $word) { $expects = $word; continue }
		if ($word.StartsWith('-')) { continue }
		$next = "$at $word".Trim()
		if ($agentToolsPlaces.ContainsKey($next)) { $at = $next } else { $behind += 1 }
	}
	if ($current -match '^(--[^=]+)=(.*)$') { $expects = $Matches[1]; $before = "$expects="; $current = $Matches[2] }
	$candidates = @()
	if ($expects) {
		$of = if ($agentToolsValues.ContainsKey("\${at}:$expects")) { $at } else { '*' }
		$candidates = @($agentToolsValues["\${of}:$expects"] | Where-Object { $_ } | ForEach-Object { ,@($_, $_) })
	}
	elseif ($current.StartsWith('-')) { $candidates = $agentToolsPlaces[$at].Options }
	elseif ($behind -eq 0 -or $agentToolsPlaces[$at].Repeats) { $candidates = $agentToolsPlaces[$at].Words }
	foreach ($candidate in $candidates) {
		if (-not $candidate[0].StartsWith($current)) { continue }
		[System.Management.Automation.CompletionResult]::new($before + $candidate[0], $candidate[0], 'ParameterValue', $candidate[1])
	}
}.GetNewClosure()
`;
}

/** @param {string} text */
function quoted(text) {
	return `'${text.replaceAll("'", "''")}'`;
}
