// The same tool as server.mjs has, as a module.

export class Echo {
	listTools() {
		const inputSchema = { type: "object", properties: { value: { type: "string" } }, required: ["value"] };
		return { tools: [{ name: "echo", inputSchema, annotations: { readOnlyHint: true } }] };
	}

	async call(_name, { value }) {
		await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
		return { content: [{ type: "text", text: `echo ${value}` }] };
	}
}
