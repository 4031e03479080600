/**
 * How many tests a run reports, in the closing lines of node's and cargo's test runners. Several runs may follow each
 * other.
 *
 * @param {string} output
 * @returns {{passed: number, failed: number, skipped: number}}
 */
export function countTests(output) {
	const sum = (/** @type {RegExp} */ line) =>
		[...output.matchAll(line)].reduce((total, [, count]) => total + Number(count), 0);
	return {
		passed: sum(/^[ℹ#] pass (\d+)$/gm) + sum(/^test result: .*?(\d+) passed;/gm),
		failed: sum(/^[ℹ#] (?:fail|cancelled) (\d+)$/gm) + sum(/^test result: .*?(\d+) failed;/gm),
		skipped: sum(/^[ℹ#] (?:skipped|todo) (\d+)$/gm) + sum(/^test result: .*?(\d+) ignored;/gm),
	};
}
