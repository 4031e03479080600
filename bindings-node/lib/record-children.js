import { subscribe } from "node:diagnostics_channel";
import { readlinkSync } from "node:fs";

/** @typedef {import("node:child_process").ChildProcess & {spawn?: (options: {detached?: boolean}) => unknown}} Child */

/**
 * Worker side: keeps `registry` up to date with every process that this thread starts.
 *
 * @param {import("./child-registry.js").ChildRegistry} registry
 * @param {(pid: number, running: boolean) => void} announce
 */
export function recordChildren(registry, announce) {
	registry.setThread(kernelThreadId());
	subscribe("child_process", (message) =>
		record(registry, announce, /** @type {{process: Child}} */ (message).process),
	);
}

/**
 * The channel announces a child before it has a process id, and the `spawn` event comes too late if the plugin never
 * returns to the event loop. So look right after the child's own `spawn` method.
 *
 * @param {import("./child-registry.js").ChildRegistry} registry
 * @param {(pid: number, running: boolean) => void} announce
 * @param {Child} child
 */
function record(registry, announce, child) {
	const spawn = child.spawn;
	if (!spawn) return;
	child.spawn = (options) => {
		delete child.spawn;
		// It leads a group, so that all its descendants can be killed with it. On Windows this would open a console.
		if (process.platform !== "win32") options.detached = true;
		const result = spawn.call(child, options);
		const { pid } = child;
		if (pid !== undefined) {
			child.once("exit", () => {
				registry.remove(pid);
				announce(pid, false);
			});
			announce(pid, true);
			const kept = registry.add(pid);
			if (!kept) console.error(`process ${pid} is not recorded, too many run already; it may outlive the runtime`);
			if (registry.closing) child.kill("SIGKILL");
		}
		return result;
	};
}

/** 0 where the system does not tell. */
function kernelThreadId() {
	try {
		return Number(readlinkSync("/proc/thread-self").split("/").at(-1)) || 0;
	} catch {
		return 0;
	}
}
