import { readFileSync } from "node:fs";

/**
 * Calls `act` when the npm that runs this program has ended. On Windows a process never learns of it.
 *
 * @param {() => void} act
 * @param {number} [everyMs]
 * @returns {() => void} ends the watch
 */
export function whenOrphaned(act, everyMs = 500) {
	const before = parents();
	let gone = false;
	const timer = setInterval(() => {
		// Seen twice, so that a signal which came at the same time is looked at first and may end the watch.
		if (gone) {
			clearInterval(timer);
			act();
		}
		gone = parents() !== before;
	}, everyMs);
	timer.unref();
	return () => clearInterval(timer);
}

/** Who started this process, and, where that is the shell which npm runs a script in, who started the shell. */
function parents() {
	const parent = process.ppid;
	try {
		const isShell = readFileSync(`/proc/${parent}/cmdline`, "utf8").split("\0").includes("-c");
		if (!isShell) return `${parent}`;
		// After the name, which is in brackets and may be anything: the state and the parent.
		const stat = readFileSync(`/proc/${parent}/stat`, "utf8");
		const [, grandparent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		return `${parent} ${grandparent}`;
	} catch {
		return `${parent}`;
	}
}
