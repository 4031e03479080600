import { offsetPage } from "./pages.js";
import { existing, Refusal, withStatus } from "./refusal.js";

const AT = "2026-12-01T10:00:00.000Z";
const CONDITIONS = {
	eq: (a, b) => a === b,
	neq: (a, b) => a !== b,
	gt: (a, b) => a > b,
	gte: (a, b) => a >= b,
	lt: (a, b) => a < b,
	lte: (a, b) => a <= b,
	like: (a, b) => String(a).includes(String(b).replaceAll("%", "")),
	ilike: (a, b) => String(a).toLowerCase().includes(String(b).toLowerCase().replaceAll("%", "")),
};

/**
 * A data table as n8n keeps it, with its rows.
 *
 * @param {{id: string, name: string, columns?: {name: string, type: string}[], rows?: object[]}} fields
 */
export function dataTable({ id, name, columns = [], rows = [] }) {
	return {
		id,
		name,
		columns: columns.map((column, index) => ({ id: `col${index}`, ...column, index })),
		projectId: "p1",
		sizeBytes: 16384,
		createdAt: AT,
		updatedAt: AT,
		rows: rows.map((row, index) => ({ id: index + 1, ...row, createdAt: AT, updatedAt: AT })),
	};
}

/**
 * @param {Required<import("../n8n.js").State>} state
 * @returns {import("../n8n.js").Routes}
 */
export function dataTableRoutes({ tables }) {
	let last = 10;
	const find = (id) => {
		if (!/^[A-Za-z0-9]{16}$/.test(id)) throw new Refusal(400, 'request/params/dataTableId must match format "nanoid"');
		return existing(
			tables.find((one) => one.id === id),
			`Could not find the data table: '${id}'`,
		);
	};
	const shown = ({ rows, ...table }) => table;
	const returned = (rows, { returnData, dryRun }) =>
		String(returnData) === "true" || String(dryRun) === "true" ? rows : true;

	return {
		"GET /data-tables": {
			query: ["limit", "cursor", "filter", "sortBy"],
			run: ({ query }) => {
				const { data, nextCursor } = offsetPage(tables, query);
				return { data: data.map(shown), nextCursor };
			},
		},
		"POST /data-tables": {
			body: { name: "string*", columns: "array*", projectId: "string" },
			run: ({ body }) => {
				if (tables.some(({ name }) => name === body.name)) {
					throw new Refusal(409, `Data table with name '${body.name}' already exists in this project`);
				}
				tables.push(dataTable({ ...body, id: `newDataTable${String(++last).padStart(4, "0")}` }));
				return withStatus(201, shown(tables.at(-1)));
			},
		},
		"GET /data-tables/*": { run: ({ ids: [id] }) => shown(find(id)) },
		"PATCH /data-tables/*": {
			body: { name: "string*" },
			run: ({ ids: [id], body }) => shown(Object.assign(find(id), body)),
		},
		"DELETE /data-tables/*": {
			run: ({ ids: [id] }) => {
				tables.splice(tables.indexOf(find(id)), 1);
			},
		},
		"POST /data-tables/*/columns": {
			body: { name: "string*", type: "string*", index: "number" },
			run: ({ ids: [id], body }) => {
				const { columns } = find(id);
				columns.push({ id: `col${columns.length}`, ...body, index: columns.length });
				return withStatus(201, { ...columns.at(-1), dataTableId: id });
			},
		},
		"GET /data-tables/*/rows": {
			query: ["limit", "cursor", "filter", "sortBy", "search"],
			run: ({ ids: [id], query }) => {
				const { search = "" } = query;
				const rows = matching(find(id), query.filter === undefined ? undefined : JSON.parse(query.filter));
				return offsetPage(
					rows.filter((row) => Object.values(row).some((value) => String(value).includes(search))),
					query,
				);
			},
		},
		"POST /data-tables/*/rows": {
			body: { data: "array*", returnType: "string" },
			run: ({ ids: [id], body: { data, returnType = "count" } }) => {
				const { rows, columns } = find(id);
				const added = data.map((row, index) => ({
					id: rows.length + index + 1,
					...blank(columns),
					...typed(columns, row),
					createdAt: AT,
					updatedAt: AT,
				}));
				rows.push(...added);
				return { count: { count: added.length }, id: added.map(({ id }) => ({ id })), all: added }[returnType];
			},
		},
		"PATCH /data-tables/*/rows/update": {
			body: { filter: "object*", data: "object*", returnData: "boolean", dryRun: "boolean" },
			run: ({ ids: [id], body }) => {
				const rows = matching(find(id), body.filter);
				const change = typed(find(id).columns, body.data);
				if (body.dryRun) return rows.map((row) => ({ ...row, ...change }));
				for (const row of rows) Object.assign(row, change);
				return returned(rows, body);
			},
		},
		"POST /data-tables/*/rows/upsert": {
			body: { filter: "object*", data: "object*", returnData: "boolean", dryRun: "boolean" },
			run: ({ ids: [id], body }) => {
				const { rows, columns } = find(id);
				const [row = { id: rows.length + 1, ...blank(columns), createdAt: AT, updatedAt: AT }] = matching(
					find(id),
					body.filter,
				);
				if (!rows.includes(row)) rows.push(row);
				Object.assign(row, typed(columns, body.data));
				return returned([row], body);
			},
		},
		"DELETE /data-tables/*/rows/delete": {
			query: ["filter", "returnData", "dryRun"],
			run: ({ ids: [id], query }) => {
				if (query.filter === undefined) throw new Refusal(400, "request/query must have required property 'filter'");
				const table = find(id);
				const rows = matching(table, JSON.parse(query.filter));
				if (query.dryRun !== "true") table.rows = table.rows.filter((row) => !rows.includes(row));
				return returned(rows, query);
			},
		},
	};
}

/**
 * @param {{rows: any[]}} table
 * @param {{type?: string, filters: {columnName: string, condition: string, value: unknown}[]}} [filter]
 */
function matching({ rows }, filter) {
	if (filter === undefined) return rows;
	if (!Array.isArray(filter.filters) || filter.filters.length === 0) throw new Refusal(400, "filter must have filters");
	const holds = (row) => (one) => CONDITIONS[one.condition](row[one.columnName], one.value);
	return rows.filter((row) =>
		filter.type === "or" ? filter.filters.some(holds(row)) : filter.filters.every(holds(row)),
	);
}

/**
 * Values in the types of their columns, as n8n stores them.
 *
 * @param {{name: string, type: string}[]} columns
 * @param {Record<string, any>} values
 */
function typed(columns, values) {
	const entries = Object.entries(values).map(([name, value]) => {
		const type = columns.find((column) => column.name === name)?.type;
		if (!type) throw new Refusal(400, `unknown column name '${name}'`);
		if (value === null || type === "string") return [name, value];
		if (type === "date") return [name, new Date(value).toISOString()];
		if (type === "number" && Number.isNaN(Number(value))) {
			throw new Refusal(400, `value '${value}' does not match column type 'number'`);
		}
		return [name, type === "number" ? Number(value) : value];
	});
	return Object.fromEntries(entries);
}

/** @param {{name: string}[]} columns a new row has a value for each */
function blank(columns) {
	return Object.fromEntries(columns.map(({ name }) => [name, null]));
}
