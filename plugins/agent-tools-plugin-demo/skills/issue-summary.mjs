export const meta = {
	description: "Count the issues by state and label and name the open ones: an overview in one call",
	args: "none",
	inputSchema: { type: "object", properties: {}, additionalProperties: false },
	readOnly: true,
};

/** @param {any} adapter */
export async function run(adapter) {
	const reply = await adapter.call("list_issues", { state: "all" });
	/** @type {{issues: Pick<import("../tracker.mjs").Issue, "number" | "title" | "state" | "labels">[]}} */
	const { issues } = JSON.parse(reply.content[0].text);
	const open = issues.filter(({ state }) => state === "open");
	return {
		total: issues.length,
		open: open.length,
		closed: issues.length - open.length,
		openByLabel: countLabels(open),
		openIssues: open.map(({ number, title }) => ({ number, title })),
	};
}

/** @param {{labels: string[]}[]} issues */
function countLabels(issues) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const label of issues.flatMap(({ labels }) => labels)) counts.set(label, (counts.get(label) ?? 0) + 1);
	return Object.fromEntries(counts);
}
