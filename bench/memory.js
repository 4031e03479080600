import { readFileSync } from "node:fs";

/** @param {number | undefined} pid */
export function residentMegabytes(pid) {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}
