// What Linux tells of processes. Other systems have no /proc, and then nothing is known.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export const hasProc = process.platform === "linux";

/** @returns {number[]} */
export function pids() {
	return listed("/proc").map(Number).filter(Number.isInteger);
}

/**
 * `T` is one that was stopped.
 *
 * @param {number} pid
 */
export function stateOf(pid) {
	return statOf(pid)[0];
}

/**
 * Seconds since 1970; undefined where there is no such process.
 *
 * @param {number} pid
 */
export function startOf(pid) {
	const ticks = Number(statOf(pid)[19]);
	const boot = Number(/^btime (\d+)/m.exec(read("/proc/stat"))?.[1]);
	const start = boot + ticks / TICKS;
	return Number.isFinite(start) ? start : undefined;
}

/** A second has so many on every Linux that Node runs on. */
const TICKS = 100;

/**
 * The fields behind the name, which may hold spaces and brackets itself.
 *
 * @param {number} pid
 */
function statOf(pid) {
	return read(`/proc/${pid}/stat`)
		.replace(/^.*\) /s, "")
		.split(" ");
}

/**
 * The program and nothing behind it: arguments may hold a secret.
 *
 * @param {number} pid
 */
export function programOf(pid) {
	return read(`/proc/${pid}/comm`).trim() || "a program";
}

/** @param {number} pid @param {string} name */
export function variableOfProcess(pid, name) {
	const entries = read(`/proc/${pid}/environ`).split("\0");
	return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * Processes of another namespace count from another 1.
 *
 * @param {number} pid
 */
export function isOfThisNamespace(pid) {
	return link(`/proc/${pid}/ns/pid`) === link("/proc/self/ns/pid");
}

/**
 * The files and sockets that a process has open: paths, and `socket:[inode]`.
 *
 * @param {number} pid
 */
export function openFiles(pid) {
	return listed(`/proc/${pid}/fd`).map((fd) => link(`/proc/${pid}/fd/${fd}`));
}

/** @param {string} file */
export function read(file) {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}

/** @param {string} dir */
function listed(dir) {
	try {
		return readdirSync(dir);
	} catch {
		return [];
	}
}

/** @param {string} place */
function link(place) {
	try {
		return readlinkSync(place);
	} catch {
		return "";
	}
}
