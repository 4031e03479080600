// What nothing could start, or would start otherwise than was meant: said before anything is written.

import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "../usage-error.js";

/** @param {string} program */
export function checkProgram(program) {
	if (program.trim() === "")
		throw new UsageError("the command is empty", "A program stands behind `--`, and its arguments.");
	// A bare name is looked for on PATH, whatever is of that name here.
	const isPath = path.isAbsolute(program) || /[/\\]/.test(program);
	if (isPath && existsSync(program) && statSync(program).isDirectory()) {
		throw new UsageError(`\`${program}\` is no program: it is a folder`, "Name the file in it that is to be started.");
	}
}

/** @param {string[]} env each `NAME=VALUE` or `NAME` */
export function checkVariables(env) {
	const names = env.map((typed) => typed.split("=", 1)[0]);
	const twice = names.find((name, i) => names.indexOf(name) !== i);
	if (twice !== undefined) throw new UsageError(`--env gives ${twice} twice`, "Leave out one of them.");
}
