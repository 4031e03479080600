// Runtimes that are open. One exit hook for them all: a hook each would trip Node's warning about listener leaks.

/** @typedef {{closeNow(): void}} Live */

/** @type {Set<Live>} */
const live = new Set();

/** @param {Live} runtime */
export function keepUntilExit(runtime) {
	if (live.size === 0) process.once("exit", closeAll);
	live.add(runtime);
}

/** @param {Live} runtime */
export function forget(runtime) {
	live.delete(runtime);
	if (live.size === 0) process.off("exit", closeAll);
}

function closeAll() {
	for (const runtime of live) runtime.closeNow();
}
