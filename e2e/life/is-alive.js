import { readFileSync } from "node:fs";

/** Whether a process runs; one that has ended and was not collected yet does not. @param {number} pid */
export function isAlive(pid) {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
	} catch {
		return false;
	}
}
