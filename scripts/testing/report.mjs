/** @typedef {{stage: string} & import("./run-task.mjs").Result} Done */

/** Enough to see what failed; all of it has been printed before. */
const TAIL_LINES = 80;

/**
 * Prints what failed and a table of everything; the last line is the total.
 *
 * @param {Done[]} done
 * @returns {0 | 1} the exit code
 */
export function report(done) {
	for (const { stage, title, failed, output } of done) {
		if (failed > 0) console.log(`\n=== failed: ${stage}: ${title}\n${essence(output)}`);
	}

	console.log("\n=== summary");
	const width = Math.max(...done.map(({ stage, title }) => `${stage}: ${title}`.length));
	for (const { stage, title, passed, failed, skipped, ms } of done) {
		const name = `${stage}: ${title}`.padEnd(width);
		console.log(
			`${failed ? "FAILED" : "ok    "} ${name}  ${counts(passed, failed, skipped)}, ${(ms / 1000).toFixed(1)} s`,
		);
	}

	const total = (/** @type {"passed" | "failed" | "skipped"} */ key) => done.reduce((sum, each) => sum + each[key], 0);
	console.log(`\n${counts(total("passed"), total("failed"), total("skipped"))}`);
	return total("failed") > 0 ? 1 : 0;
}

/**
 * @param {number} passed
 * @param {number} failed
 * @param {number} skipped
 */
function counts(passed, failed, skipped) {
	return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}

/**
 * The part in which test runners repeat what failed, else the end.
 *
 * @param {string} output
 */
function essence(output) {
	const lines = output.trimEnd().split("\n");
	const repeated = lines.findIndex((line) => /^(✖ failing tests:|failures:)$/.test(line));
	return lines.slice(repeated === -1 ? -TAIL_LINES : repeated).join("\n");
}
