import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../harness/free-port.js";
import { installed } from "../harness/paths.js";

/** A first start may have to read much from a cold disk. */
const START_LIMIT_MS = 60_000;

/**
 * A registry of our own on 127.0.0.1. It holds our packages, and fetches all others from the one that npm is set up with.
 *
 * @param {string} dir for its files
 */
export async function startRegistry(dir) {
	const port = await freePort();
	const config = path.join(dir, "verdaccio.yml");
	writeFileSync(config, configuration(path.join(dir, "storage"), npmSetting("registry")));
	const child = spawn(process.execPath, [installed("verdaccio"), "--config", config, "--listen", `127.0.0.1:${port}`], {
		// The certificates that npm trusts are needed to fetch from where npm fetches.
		env: { ...process.env, NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? npmSetting("cafile") },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.on("data", (chunk) => {
			output += chunk;
		});
	}
	const url = `http://127.0.0.1:${port}/`;
	await untilAnswers(url, child, () => output);
	return {
		url,
		async stop() {
			const gone = once(child, "exit");
			child.kill("SIGKILL");
			await gone;
		},
	};
}

/**
 * @param {string} storage
 * @param {string} upstream
 */
function configuration(storage, upstream) {
	return `
storage: ${storage}
uplinks:
  upstream:
    url: ${upstream}
packages:
  "@rckflr/*":
    access: $all
    publish: $all
  "agent-tools-*":
    access: $all
    publish: $all
  "**":
    access: $all
    proxy: upstream
max_body_size: 200mb
web:
  enable: false
log: { type: stdout, format: pretty, level: warn }
`;
}

/** @param {string} key */
function npmSetting(key) {
	const value = execFileSync("npm", ["config", "get", key], { encoding: "utf8" }).trim();
	return value === "null" || value === "undefined" ? "" : value;
}

async function untilAnswers(url, child, output) {
	const end = Date.now() + START_LIMIT_MS;
	while (child.exitCode === null && Date.now() < end) {
		const answered = await fetch(`${url}-/ping`).then(
			({ ok }) => ok,
			() => false,
		);
		if (answered) return;
		await sleep(100);
	}
	child.kill("SIGKILL");
	throw new Error(`the registry did not start:\n${output()}`);
}
