// Servers that listen, over Streamable HTTP.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { pythonProgram, withoutPython } from "../harness/python-servers.js";
import { EVERYTHING, npmServer, startListening, testServer } from "./real-server.js";

testServer({
	name: "everything over HTTP",
	...EVERYTHING,
	setUp: async (place) => {
		const server = npmServer("mcp-server-everything", "streamableHttp");
		const url = await startListening(place, (port) => ({ ...server, env: { PORT: `${port}` } }));
		return {
			mcp: { url: `${url}/mcp` },
			tool: "get-structured-content",
			arguments: { location: "Chicago" },
			check: ({ result }) => assert.equal(typeof result.temperature, "number"),
		};
	},
});

testServer({
	name: "system-monitor over HTTP",
	tools: ["get-system-info", "poll-system-stats"],
	offers: ["list_resources", "read_resource"],
	setUp: async (place) => {
		const server = npmServer("mcp-system-monitor-server");
		const url = await startListening(place, (port) => ({ ...server, env: { PORT: `${port}` } }));
		return {
			mcp: { url: `${url}/mcp` },
			tool: "get-system-info",
			arguments: {},
			confirm: true,
			check: ({ result }) => assert.equal(result.hostname, hostname()),
		};
	},
});

testServer({
	name: "excel (Python) over HTTP, with a token",
	skip: withoutPython(),
	tools: [
		..."create_workbook describe_workbook set_workbook_settings list_workbooks export_workbook".split(" "),
		..."import_workbook import_csv export_csv describe_sheet create_sheet rename_sheet copy_sheet".split(" "),
		..."delete_sheet insert_rows_or_columns delete_rows_or_columns read_range write_range clear_range".split(" "),
		..."copy_range sort_range transform_range find_cells replace_cells trace_formula goal_seek".split(" "),
		..."format_range merge_cells set_sheet_layout add_conditional_format add_data_validation set_table".split(" "),
		..."create_chart delete_chart add_sparklines delete_sparklines create_pivot_table".split(" "),
		..."delete_pivot_table add_slicer delete_slicer set_defined_name delete_defined_name set_note".split(" "),
		..."delete_note insert_image delete_image read_vba".split(" "),
	],
	setUp: async (place) => {
		const command = pythonProgram("excel-mcp-server");
		const url = await startListening(place, (port) => ({
			command,
			args: ["streamable-http", "--host", "127.0.0.1", "--port", `${port}`, "--allow-dir", place.folder],
			env: { EXCEL_MCP_AUTH_TOKEN: "not-a-secret" },
		}));
		const file = path.join(place.folder, "a.xlsx");
		return {
			mcp: { url: `${url}/mcp`, headers: { authorization: "Bearer not-a-secret" } },
			tool: "create_workbook",
			arguments: { path: "a.xlsx", sheets: ["Año"] },
			confirm: true,
			// A workbook is a ZIP file.
			check: () => assert.equal(readFileSync(file).subarray(0, 2).toString(), "PK"),
		};
	},
});
