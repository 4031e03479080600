/**
 * Calls `act` when the process that started this one has ended. On Windows a process never learns of it.
 *
 * @param {() => void} act
 * @param {number} [everyMs]
 * @returns {() => void} ends the watch
 */
export function whenOrphaned(act, everyMs = 500) {
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(timer);
		act();
	}, everyMs);
	timer.unref();
	return () => clearInterval(timer);
}
