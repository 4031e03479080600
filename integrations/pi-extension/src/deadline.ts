/** The result of `work`, or a rejection after `ms`. The timer ends with the race, so it never keeps Pi from exiting. */
export async function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`${what} took more than ${ms / 1000} s`)), ms);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
