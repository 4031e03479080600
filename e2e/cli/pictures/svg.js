/** @typedef {import("./screen.js").Run} Run */

const COLUMNS = 80;
/** Of one letter, in pixels; text is fitted to it, whatever font there is. */
const LETTER = 8.4;
const LINE = 19;
const MARGIN = 20;
const BAR = 34;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Read on this ground with a contrast of 7 to 1 at least, but for the grey. */
const GROUND = "#0d1117";
const EDGE = "#3d444d";
const TEXT = "#d1d7e0";
const BOLD = "#ffffff";
/** By their numbers in SGR. @type {Record<number, string>} */
const COLOURS = {
	31: "#ff8f87",
	32: "#7ee787",
	33: "#e3b341",
	34: "#79c0ff",
	35: "#d2a8ff",
	36: "#76e3ea",
	37: TEXT,
	90: "#9198a1",
};

/**
 * A window of a terminal.
 *
 * @param {Run[][]} lines
 * @param {string} title for who does not see it
 */
export function svg(lines, title) {
	const width = Math.round(COLUMNS * LETTER + 2 * MARGIN);
	const height = BAR + lines.length * LINE + MARGIN;
	const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
		(fill, i) => `<circle cx="${22 + i * 20}" cy="18" r="6" fill="${fill}"/>`,
	);
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
		`<title>${escaped(title)}</title>`,
		`<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${GROUND}" stroke="${EDGE}"/>`,
		dots.join(""),
		`<g font-family="${FONT}" font-size="14" fill="${TEXT}">`,
		...lines.flatMap((runs, i) => (runs.length > 0 ? [lineOf(runs, BAR + (i + 1) * LINE - 5)] : [])),
		"</g>",
		"</svg>",
		"",
	].join("\n");
}

/**
 * @param {Run[]} runs
 * @param {number} y
 */
function lineOf(runs, y) {
	let start = 0;
	const spans = runs.flatMap(({ text, look: { bold, colour } }) => {
		const fill = colour === undefined ? bold && BOLD : COLOURS[colour];
		const looks = `${fill ? ` fill="${fill}"` : ""}${bold ? ' font-weight="bold"' : ""}`;
		const parts = partsOf(text).map(({ part, at }) => {
			const length = rounded([...part].length * LETTER);
			const place = `x="${rounded(MARGIN + (start + at) * LETTER)}" textLength="${length}"`;
			return `<tspan ${place} lengthAdjust="spacingAndGlyphs"${looks}>${escaped(part)}</tspan>`;
		});
		start += [...text].length;
		return parts;
	});
	return `<text y="${y}">${spans.join("")}</text>`;
}

/** What stands between gaps, as a picture may draw several blanks as one. @param {string} text */
function partsOf(text) {
	return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: part, index }) => ({
		part,
		at: [...text.slice(0, index)].length,
	}));
}

/** @param {number} pixels */
function rounded(pixels) {
	return Number(pixels.toFixed(1));
}

/** @param {string} text */
function escaped(text) {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** What can be read in a picture, line by line. @param {string} picture */
export function textOf(picture) {
	const lines = picture.match(/<text .*<\/text>/g) ?? [];
	return lines.map(readLine).join("\n");
}

/** @param {string} line */
function readLine(line) {
	let read = "";
	for (const [, x, part = ""] of line.matchAll(/<tspan x="([\d.]+)"[^>]*>([^<]*)</g)) {
		const column = Math.round((Number(x) - MARGIN) / LETTER);
		read = read.padEnd(column) + part.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
	}
	return read;
}
