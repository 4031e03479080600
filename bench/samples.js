/**
 * Times of `n` runs one after the other, in microseconds, in ascending order.
 *
 * @param {number} n
 * @param {() => unknown} run
 */
export async function sample(n, run) {
	const times = [];
	for (let i = 0; i < n; i++) {
		const start = process.hrtime.bigint();
		await run();
		times.push(Number(process.hrtime.bigint() - start) / 1000);
	}
	return times.sort((a, b) => a - b);
}

/**
 * Several things measured in turns, so that a machine that grows slower meanwhile is no advantage to the first.
 *
 * @template {string} Name
 * @param {Record<Name, () => unknown>} runs
 * @param {{rounds: number, each: number}} size
 * @returns {Promise<Record<Name, number[]>>}
 */
export async function sampleInTurns(runs, { rounds, each }) {
	const names = /** @type {Name[]} */ (Object.keys(runs));
	const times = /** @type {Record<Name, number[]>} */ ({});
	for (const name of names) {
		await sample(Math.ceil(each / 4), runs[name]);
		times[name] = [];
	}
	for (let round = 0; round < rounds; round++) {
		for (const name of names) times[name].push(...(await sample(each, runs[name])));
	}
	for (const name of names) times[name].sort((a, b) => a - b);
	return times;
}

/**
 * @param {number[]} ascending
 * @param {number} percent
 */
export function percentile(ascending, percent) {
	return ascending[Math.min(ascending.length - 1, Math.floor((ascending.length * percent) / 100))] ?? Number.NaN;
}
