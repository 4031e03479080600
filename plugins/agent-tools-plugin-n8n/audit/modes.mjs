// What the skill audit-workflows answers, one mode a function.

import { call, N8nError } from "../api/call.mjs";
import { listAll, pageOf } from "../api/pages.mjs";
import { listWorkflows } from "../api/workflows.mjs";
import { findingsOf, SEVERITIES } from "./rules.mjs";
import { secretsOf, withoutSecrets } from "./secrets.mjs";

/**
 * @typedef {import("../api/call.mjs").Adapter} Adapter
 * @typedef {import("../api/workflows.mjs").Workflow} Workflow
 * @typedef {import("../api/executions.mjs").Execution} Execution
 * @typedef {import("./rules.mjs").Finding} Finding
 * @typedef {{all?: boolean, page?: number, pageSize?: number}} Paging
 * @typedef {{title: string, description: string, recommendation: string, location?: object[]}} Section of n8n's own audit
 */

const EXECUTIONS = 1000;
const LOCATIONS = 20;
const WORST = 10;

/** @type {Record<string, (adapter: Adapter, paging: Paging) => Promise<object>>} */
export const MODES = {
	async audit(adapter, paging) {
		const { audited, left } = await auditAll(adapter);
		const bad = audited.filter(({ findings }) => findings.length > 0);
		const { items, about } = paged(bad, paging);
		return { workflowsAudited: audited.length, withFindings: bad.length, ...left, ...about, workflows: items };
	},

	async summary(adapter) {
		const { audited, left } = await auditAll(adapter);
		const findings = audited.flatMap((workflow) => workflow.findings);
		const worst = audited.filter((workflow) => workflow.findings.length > 0).slice(0, WORST);
		return {
			workflowsAudited: audited.length,
			active: audited.filter(({ active }) => active).length,
			...left,
			bySeverity: counted(findings.map(({ severity }) => severity)),
			byRule: counted(findings.map(({ rule }) => rule)),
			worst: worst.map(({ id, name, findings }) => ({
				id,
				name,
				...counted(findings.map(({ severity }) => severity)),
			})),
		};
	},

	async nativeAudit(adapter) {
		/** @type {Record<string, {sections: Section[]}> | []} */
		const reports = await call(adapter, "generate_audit");
		return {
			source: "n8n's own security audit",
			reports: Object.entries(reports).map(([report, { sections }]) => ({ report, sections: sections.map(shortened) })),
		};
	},

	async executions(adapter, paging) {
		const { items: workflows } = await listWorkflows(adapter);
		/** @type {{items: Execution[], more: boolean}} */
		const { items: executions, more } = await listAll(adapter, "list_executions", {}, { enough: EXECUTIONS });
		const names = new Map(workflows.map(({ id, name }) => [id, name]));
		const rows = [...grouped(executions, ({ workflowId }) => workflowId)].map(([id, runs]) => ({
			id,
			name: names.get(id) ?? null,
			...outcomes(runs),
		}));
		rows.sort((a, b) => b.failed - a.failed || b.runs - a.runs);
		const { items, about } = paged(rows, paging);
		const ran = new Set(rows.map(({ id }) => id));
		const idle = workflows.filter(({ id, active }) => active && !ran.has(id));
		return {
			executionsLookedAt: executions.length,
			...(more ? { incomplete: `Only the newest ${EXECUTIONS} were looked at.` } : {}),
			byStatus: counted(executions.map(({ status }) => status)),
			publishedWithoutRun: idle.map(({ id, name }) => ({ id, name })),
			...about,
			workflows: items,
		};
	},

	async credentials(adapter, paging) {
		const { items: workflows, more } = await listWorkflows(adapter);
		const uses = credentialUses(workflows);
		const listed = await listedCredentials(adapter);
		const known = listed?.items ?? [...uses.values()].map(({ id, name, type }) => ({ id, name, type }));
		const rows = known.map(({ id, name, type }) => ({ id, name, type, usedBy: uses.get(id)?.workflows ?? [] }));
		rows.sort((a, b) => a.usedBy.length - b.usedBy.length);
		const { items, about } = paged(rows, paging);
		const ids = new Set(known.map(({ id }) => id));
		const missing = [...uses.values()].filter(({ id }) => !ids.has(id));
		return {
			source: listed
				? "the credentials of the instance, and the nodes that name them"
				: "only the nodes of workflows: this key or this version of n8n cannot list credentials, so that unused ones are not seen",
			...(more || listed?.more ? { incomplete: "There are more than were looked at." } : {}),
			unused: listed ? rows.filter(({ usedBy }) => usedBy.length === 0).length : null,
			missing,
			...about,
			credentials: items,
		};
	},

	async export(adapter, paging) {
		const { items: workflows, more } = await listWorkflows(adapter);
		const { items, about } = paged(workflows, paging);
		return { ...about, ...(more ? { incomplete: "There are more workflows." } : {}), workflows: items.map(exported) };
	},
};

/** @param {Adapter} adapter */
async function auditAll(adapter) {
	const { items, more } = await listWorkflows(adapter, {}, { keep: ({ isArchived }) => !isArchived });
	const now = Date.now();
	const audited = items.map((workflow) => {
		const { id, name, active } = workflow;
		return { id, name, active, findings: findingsOf(workflow, now) };
	});
	audited.sort((a, b) => weight(b.findings) - weight(a.findings));
	return { audited, left: more ? { incomplete: "There are more workflows than were looked at." } : {} };
}

/**
 * One of a severity counts more than any likely number of the next.
 *
 * @param {Finding[]} findings
 */
function weight(findings) {
	return findings.reduce(
		(sum, { severity }) => sum + 1000 ** (SEVERITIES.length - 1 - SEVERITIES.indexOf(severity)),
		0,
	);
}

/**
 * @template T
 * @param {T[]} rows
 * @param {Paging} paging
 */
function paged(rows, { all = false, ...paging }) {
	return all ? { items: rows, about: { total: rows.length } } : pageOf(rows, paging);
}

/** @param {string[]} values */
function counted(values) {
	return Object.fromEntries([...grouped(values, (value) => value)].map(([value, same]) => [value, same.length]));
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @returns {Map<string, T[]>}
 */
function grouped(items, key) {
	/** @type {Map<string, T[]>} */
	const groups = new Map();
	for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
	return groups;
}

/** @param {Section} section */
function shortened({ title, description, recommendation, location = [] }) {
	const left = location.length - LOCATIONS;
	return {
		title,
		description,
		recommendation,
		count: location.length,
		location: location.slice(0, LOCATIONS),
		...(left > 0 ? { notShown: left } : {}),
	};
}

/** @param {Execution[]} runs the newest first */
function outcomes(runs) {
	const failures = runs.filter(({ status }) => status === "error" || status === "crashed");
	const [last] = failures;
	return {
		runs: runs.length,
		failed: failures.length,
		...(last ? { lastFailure: { executionId: last.id, at: last.startedAt ?? null } } : {}),
	};
}

/** @param {Workflow[]} workflows */
function credentialUses(workflows) {
	/** @type {Map<string, {id: string, name: string, type: string, workflows: {id: string, name: string}[]}>} */
	const uses = new Map();
	for (const { id: workflowId, name: workflowName, nodes } of workflows) {
		for (const [type, { id, name = "" }] of nodes.flatMap(({ credentials }) => Object.entries(credentials ?? {}))) {
			if (!id) continue;
			const use = uses.get(id) ?? { id, name, type, workflows: [] };
			if (!use.workflows.some((workflow) => workflow.id === workflowId))
				use.workflows.push({ id: workflowId, name: workflowName });
			uses.set(id, use);
		}
	}
	return uses;
}

/**
 * `undefined` where n8n does not list them.
 *
 * @param {Adapter} adapter
 * @returns {Promise<{items: {id: string, name: string, type: string}[], more: boolean} | undefined>}
 */
async function listedCredentials(adapter) {
	try {
		return await listAll(adapter, "list_credentials");
	} catch (error) {
		// Versions without the listing know the path for POST only; a key may lack the scope.
		const isMissing = error instanceof N8nError && (error.status === 404 || error.status === 405);
		const isForbidden = /\b403\b/.test(/** @type {Error} */ (error).message);
		if (isMissing || isForbidden) return undefined;
		throw error;
	}
}

/** @param {Workflow} workflow */
function exported({ id, name, active, nodes, connections, settings, tags }) {
	const hidden = nodes.reduce((count, node) => count + secretsOf(node).length, 0);
	return {
		id,
		name,
		active,
		nodes: nodes.map(withoutSecrets),
		connections,
		settings,
		tags,
		...(hidden > 0 ? { secretsHidden: hidden } : {}),
	};
}
