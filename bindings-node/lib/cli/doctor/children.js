import { checksOf } from "./check.js";
import { hasProc, isOfThisNamespace, pids, programOf, startOf, variableOfProcess } from "./processes.js";

const { ok, warning } = checksOf("Processes");

/** Every child inherits it from the runtime that started it: runtime/src/adapter/watchdog.rs. */
const MARK = "AGENT_TOOLS_CHILD_OF";
const FORM = /^(\d+)-\d+-([0-9a-f]+)\.$/;
/** How exactly the system knows when a process has started, in seconds. */
const EXACTNESS = 2;

/** Processes whose runtime has gone without them. */
export function childChecks() {
	const id = "processes.left";
	if (!hasProc) return [ok(id, "left over processes are looked for on Linux alone")];
	const left = pids().filter(isLeft);
	if (left.length === 0) return [ok(id, "no process is left over from a runtime that has ended")];
	const named = left.map((pid) => `${pid} (${programOf(pid)})`).join(", ");
	const message = `${left.length === 1 ? "a process is" : `${left.length} processes are`} left over: ${named}`;
	return [warning(id, `${message}; the runtime that started them has ended`, `kill -9 ${left.join(" ")}`)];
}

/** @param {number} pid */
function isLeft(pid) {
	const mark = FORM.exec(variableOfProcess(pid, MARK) ?? "");
	if (!mark || !isOfThisNamespace(pid)) return false;
	const opened = Number.parseInt(String(mark[2]), 16) / 1e9;
	const start = startOf(Number(mark[1]));
	// One that started later has only the number of the runtime.
	return start === undefined || start > opened + EXACTNESS;
}
