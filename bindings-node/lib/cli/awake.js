/**
 * What the core or a person is waited for runs on no timer of Node's: it would end in the middle.
 *
 * @template T
 * @param {() => Promise<T>} work
 */
export async function awake(work) {
	const waiting = setInterval(() => {}, 2 ** 30);
	try {
		return await work();
	} finally {
		clearInterval(waiting);
	}
}
