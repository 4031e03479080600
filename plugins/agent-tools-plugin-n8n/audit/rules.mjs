// What may be wrong with a workflow, one rule a function.

import { isTrigger, shortType } from "../api/workflows.mjs";
import { secretsOf } from "./secrets.mjs";

/**
 * @typedef {import("../api/workflows.mjs").Workflow} Workflow
 * @typedef {import("../api/workflows.mjs").Node} Node
 * @typedef {import("../api/workflows.mjs").Connections} Connections
 * @typedef {"high" | "medium" | "low" | "info"} Severity
 * @typedef {{rule: string, severity: Severity, message: string, nodes?: string[]}} Finding
 * @typedef {{workflow: Workflow, nodes: Node[], connections: Connections, now: number}} Audited what runs of the workflow
 */

/** @type {Severity[]} */
export const SEVERITIES = ["high", "medium", "low", "info"];
const RECENTLY_DAYS = 7;
const DAY_MS = 86_400_000;
/** Nodes that run commands or code, or reach the server's files. */
const UNSAFE = new Map(
	/** @type {[string, Severity][]} */ ([
		["executeCommand", "high"],
		["ssh", "medium"],
		["readWriteFile", "medium"],
		["readBinaryFile", "medium"],
		["readBinaryFiles", "medium"],
		["writeBinaryFile", "medium"],
		["localFileTrigger", "medium"],
		["code", "low"],
		["function", "low"],
		["functionItem", "low"],
	]),
);
/** Nodes that n8n has given up, and what it has instead. */
const DEPRECATED = new Map([
	["function", "code"],
	["functionItem", "code"],
	["start", "manualTrigger"],
	["cron", "scheduleTrigger"],
	["interval", "scheduleTrigger"],
	["htmlExtract", "html"],
	["itemLists", "splitOut, aggregate, limit, sort, removeDuplicates or summarize"],
	["moveBinaryData", "convertToFile or extractFromFile"],
	["spreadsheetFile", "convertToFile or extractFromFile"],
	["readPDF", "extractFromFile"],
	["readBinaryFile", "readWriteFile"],
	["readBinaryFiles", "readWriteFile"],
	["writeBinaryFile", "readWriteFile"],
	["orbit", "nothing; the service has ended"],
]);
const NOTE = "stickyNote";

/**
 * @param {Workflow} workflow
 * @param {number} now
 * @returns {Finding[]} the worst first
 */
export function findingsOf(workflow, now) {
	const { nodes, connections } = (workflow.active && workflow.activeVersion) || workflow;
	const audited = { workflow, nodes: nodes.filter((node) => shortType(node.type) !== NOTE), connections, now };
	const findings = RULES.flatMap((rule) => rule(audited));
	return findings.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** @type {((audited: Audited) => Finding[])[]} */
const RULES = [
	openEntrances,
	hardCodedSecrets,
	unsafeNodes,
	deprecatedNodes,
	unconnectedNodes,
	disabledNodes,
	errorWorkflow,
	timeout,
	unpublishedChanges,
	forgotten,
];

/** @param {Audited} audited */
function openEntrances({ workflow, nodes }) {
	const open = nodes.filter((node) => !node.disabled && isOpen(node));
	const severity = workflow.active ? "high" : "low";
	return finding(
		"unauthenticated-webhook",
		severity,
		"Anybody who knows the URL can start it: no authentication is set",
		open,
	);
}

/** @param {Node} node */
function isOpen({ type, parameters = {} }) {
	const { authentication = "none", public: isPublic } = parameters;
	if (authentication !== "none") return false;
	const kind = shortType(type);
	return (
		kind === "webhook" ||
		kind === "formTrigger" ||
		kind === "mcpTrigger" ||
		(kind === "chatTrigger" && isPublic === true)
	);
}

/** @param {Audited} audited */
function hardCodedSecrets({ nodes }) {
	return nodes.flatMap((node) => {
		const paths = secretsOf(node);
		return paths.length === 0
			? []
			: finding(
					"hard-coded-secret",
					"high",
					`A secret stands in the parameters, at ${paths.join(", ")}; make it a credential`,
					[node],
				);
	});
}

/** @param {Audited} audited */
function unsafeNodes({ nodes }) {
	return SEVERITIES.flatMap((severity) => {
		const found = nodes.filter(({ type, disabled }) => !disabled && UNSAFE.get(shortType(type)) === severity);
		return finding("unsafe-node", severity, "Runs commands or code, or reaches the server's files", found);
	});
}

/** @param {Audited} audited */
function deprecatedNodes({ nodes }) {
	return nodes.flatMap((node) => {
		const instead = DEPRECATED.get(shortType(node.type));
		return instead === undefined
			? []
			: finding("deprecated-node", "low", `${node.type} is deprecated; instead: ${instead}`, [node]);
	});
}

/** @param {Audited} audited */
function unconnectedNodes({ nodes, connections }) {
	const targets = new Set();
	for (const kinds of Object.values(connections)) {
		for (const target of Object.values(kinds).flat(2)) targets.add(target?.node);
	}
	const found = nodes.filter((node) => {
		const kinds = Object.entries(connections[node.name] ?? {}).filter(([, outputs]) => outputs.flat().length > 0);
		if (isTrigger(node)) return kinds.length === 0 && nodes.length > 1;
		// Models, memories and tools of an agent have no input: their own kind of output leads to it.
		return !targets.has(node.name) && !kinds.some(([kind]) => kind !== "main");
	});
	return finding(
		"unconnected-node",
		"medium",
		"No connection leads here, so it never runs (a trigger: it starts nothing)",
		found,
	);
}

/** @param {Audited} audited */
function disabledNodes({ nodes }) {
	return finding(
		"disabled-node",
		"low",
		"Switched off, and passed over",
		nodes.filter(({ disabled }) => disabled),
	);
}

/** @param {Audited} audited */
function errorWorkflow({ workflow, nodes }) {
	const handlesErrors = nodes.some(({ type }) => shortType(type) === "errorTrigger");
	if (workflow.settings?.errorWorkflow || handlesErrors) return [];
	return whole(
		"missing-error-workflow",
		workflow.active ? "medium" : "low",
		"Nobody is told when it fails: settings.errorWorkflow is not set",
	);
}

/** @param {Audited} audited */
function timeout({ workflow }) {
	const seconds = workflow.settings?.executionTimeout;
	if (typeof seconds === "number" && seconds > 0) return [];
	return whole(
		"no-timeout",
		"low",
		"A run may last as long as the instance allows: settings.executionTimeout is not set",
	);
}

/** @param {Audited} audited */
function unpublishedChanges({ workflow: { active, versionId, activeVersionId } }) {
	if (!active || !versionId || !activeVersionId || versionId === activeVersionId) return [];
	return whole(
		"unpublished-changes",
		"info",
		"What runs is the published version, which this audit looked at; there are later changes",
	);
}

/** @param {Audited} audited */
function forgotten({ workflow: { active, isArchived, updatedAt }, now }) {
	const days = (now - Date.parse(updatedAt ?? "")) / DAY_MS;
	if (active || isArchived || !(days <= RECENTLY_DAYS)) return [];
	return whole("inactive-recently-edited", "info", `Edited in the last ${RECENTLY_DAYS} days, and not published`);
}

/**
 * @param {string} rule
 * @param {Severity} severity
 * @param {string} message
 * @param {Node[]} nodes
 * @returns {Finding[]} none without nodes
 */
function finding(rule, severity, message, nodes) {
	return nodes.length === 0 ? [] : [{ rule, severity, message, nodes: nodes.map(({ name }) => name) }];
}

/**
 * @param {string} rule
 * @param {Severity} severity
 * @param {string} message
 * @returns {Finding[]}
 */
function whole(rule, severity, message) {
	return [{ rule, severity, message }];
}
