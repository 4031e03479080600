import { spawnSync } from "node:child_process";

/**
 * Runs npm. On Windows it is a script, which only a shell can start: no argument may come from outside there.
 *
 * @param {string[]} args
 * @param {{cwd?: string}} [options]
 */
export function npm(args, options = {}) {
	const { status, stdout, stderr } = spawnSync("npm", args, {
		...options,
		encoding: "utf8",
		shell: process.platform === "win32",
		maxBuffer: 64 * 1024 * 1024,
	});
	return { ok: status === 0, stdout: stdout ?? "", stderr: stderr ?? "" };
}
