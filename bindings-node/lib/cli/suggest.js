/**
 * The candidate that was probably meant, if one is near enough.
 *
 * @param {string} typed
 * @param {string[]} candidates
 * @returns {string | undefined}
 */
export function suggest(typed, candidates) {
	const [best] = candidates
		.map((candidate) => ({ candidate, distance: distance(typed, candidate) }))
		.sort((a, b) => a.distance - b.distance);
	return best && best.distance <= Math.max(1, Math.floor(best.candidate.length / 2)) ? best.candidate : undefined;
}

/**
 * The beginning of a hint, where there is something near.
 *
 * @param {string | undefined} near
 */
export function didYouMean(near) {
	return near === undefined ? "" : `Did you mean \`${near}\`? `;
}

/**
 * Levenshtein's.
 *
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
	let row = Array.from({ length: b.length + 1 }, (_, i) => i);
	for (const [i, letter] of [...a].entries()) {
		const next = [i + 1];
		for (let j = 0; j < b.length; j++) {
			const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
			next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}
