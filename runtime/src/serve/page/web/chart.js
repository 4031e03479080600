// A chart of bars that lie on their side, each with its words: it is read without its colours.

import { svg } from "./dom.js";

const WIDTH = 640;
const ROW = 46;
const BAR = 14;

/**
 * @typedef {{label: string, value: number, note: string, main?: boolean}} Bar
 * @param {string} title
 * @param {Bar[]} bars
 */
export function chart(title, bars) {
	const most = Math.max(1, ...bars.map(({ value }) => value));
	const height = bars.length * ROW;
	const rows = bars.map(({ label, value, note, main }, at) => {
		const top = at * ROW;
		const length = Math.max(2, Math.round((value / most) * WIDTH));
		return svg(
			"g",
			{},
			svg("text", { x: 0, y: top + 14, class: "bar-label" }, label),
			svg("text", { x: WIDTH, y: top + 14, class: "bar-value", "text-anchor": "end" }, note),
			svg("rect", { x: 0, y: top + 21, width: WIDTH, height: BAR, rx: 4, class: "bar-ground" }),
			svg("rect", { x: 0, y: top + 21, width: length, height: BAR, rx: 4, class: main ? "bar main" : "bar" }),
		);
	});
	const said = bars.map(({ label, note }) => `${label}: ${note}`).join("; ");
	return svg(
		"svg",
		{ viewBox: `0 0 ${WIDTH} ${height}`, class: "chart", role: "img", "aria-label": `${title}. ${said}.` },
		...rows,
	);
}
