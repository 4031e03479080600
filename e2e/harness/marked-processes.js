import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Children inherit it, so that whatever a test started is found however it was re-parented. */
export const MARKER = "AGENT_TOOLS_E2E_MARKER";

/**
 * Every living process whose environment holds the marker.
 *
 * @param {string} marker
 * @returns {{pid: number, command: string}[]}
 */
export function markedProcesses(marker) {
	const wanted = `${MARKER}=${marker}`;
	return readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.flatMap((pid) => {
			try {
				// A zombie has no environment left, so it is not found: it has ended.
				if (!readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(wanted)) return [];
				const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
				return [{ pid: Number(pid), command }];
			} catch {
				return [];
			}
		});
}

/**
 * What is left of the marked processes when they had `ms` to go.
 *
 * @param {string} marker
 * @param {number} ms
 */
export async function leftAfter(marker, ms) {
	const end = Date.now() + ms;
	let left = markedProcesses(marker);
	while (left.length > 0 && Date.now() < end) {
		await sleep(25);
		left = markedProcesses(marker);
	}
	return left;
}

/**
 * The fixture plugins' processes, as soon as there are `count`: a grandchild starts later than its parent answers.
 *
 * @param {string} marker
 * @param {number} count
 */
export async function fixtureServers(marker, count) {
	const end = Date.now() + 30_000;
	for (;;) {
		const servers = markedProcesses(marker).filter(isFixtureServer);
		if (servers.length === count) return servers;
		if (Date.now() > end) throw new Error(`expected ${count} processes, but there are ${JSON.stringify(servers)}`);
		await sleep(25);
	}
}

/**
 * Whether it is one of the processes that the fixture plugins start, and not the host or its watchdog.
 *
 * @param {{command: string}} process
 */
function isFixtureServer({ command }) {
	return /\/(mcp-server\.mjs|stubborn\.mjs|server-everything\/)/.test(command);
}

/** @param {string} marker */
export function killMarked(marker) {
	for (const { pid } of markedProcesses(marker)) {
		try {
			process.kill(pid, "SIGKILL");
		} catch {
			// It ended by itself meanwhile.
		}
	}
}
