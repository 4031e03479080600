import { spawn } from "node:child_process";
import path from "node:path";
import { ROOT } from "../e2e/harness/paths.js";

/** The example program `minimal_rmcp_server`, which ends when its stdin does. */
export async function startMinimalServer() {
	const program = path.join(
		process.env.CARGO_TARGET_DIR ?? path.join(ROOT, "target"),
		"release/examples/minimal_rmcp_server",
	);
	const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
	const url = await new Promise((resolve, reject) => {
		child.once("error", reject);
		child.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
	});
	return { port: Number(new URL(url).port), pid: child.pid, stop: () => child.stdin.end() };
}
