/** @type {import("./tracker.mjs").Data} */
export const sample = {
	issues: [
		{
			number: 1,
			title: "Search finds nothing for words with an accent",
			body: 'Searching for "café" gives no result, though three pages have the word.',
			state: "open",
			labels: ["bug", "search"],
			createdAt: "2026-09-01T08:00:00.000Z",
			closedAt: null,
		},
		{
			number: 2,
			title: "Export notes as Markdown",
			body: "One file with all notes would do.",
			state: "open",
			labels: ["feature"],
			createdAt: "2026-09-03T10:30:00.000Z",
			closedAt: null,
		},
		{
			number: 3,
			title: "Typo on the start page",
			body: 'It says "recieve".',
			state: "closed",
			labels: ["bug", "docs"],
			createdAt: "2026-09-05T14:12:00.000Z",
			closedAt: "2026-09-05T15:00:00.000Z",
		},
	],
	notes: [{ id: 1, text: "Releases are made on Thursdays.", createdAt: "2026-09-02T09:00:00.000Z" }],
};
