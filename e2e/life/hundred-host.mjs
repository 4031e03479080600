// A program with many servers: `node hundred-host.mjs <options.json> <keep | use>`. It prints one line of JSON.
//
// `keep` starts each once, so that what they offer is kept. `use` lists, calls each once, and waits until all have been
// stopped for want of use.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Runtime } from "../../bindings-node/index.js";

const [optionsFile, what] = process.argv.slice(2);
const options = JSON.parse(readFileSync(optionsFile, "utf8"));
const prefixes = options.plugins.map(({ prefix }) => prefix);
const AT_ONCE = 10;
const STOP_LIMIT_MS = 60_000;

const megabytes = () => {
	globalThis.gc?.();
	const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
	return Math.round(Number(kb) / 1024);
};
/** @param {() => Promise<unknown>} work */
const timed = async (work) => {
	const start = performance.now();
	const result = await work();
	return { result, ms: Math.round(performance.now() - start) };
};

const opened = await timed(() => Runtime.open(options));
const runtime = opened.result;
const children = async () => (await runtime.status()).children;

/** @param {string} prefix */
async function pidOf(prefix) {
	const { content } = await runtime.call(prefix, "look");
	const { isError, result, error } = JSON.parse(content[0].text);
	if (isError) throw new Error(`${prefix}: ${error}`);
	return result;
}

async function use() {
	const facade = await timed(() => runtime.tools());
	const flat = await timed(() => runtime.tools({ kind: "flat" }));
	const seen = {
		openMs: opened.ms,
		facadeMs: facade.ms,
		facade: facade.result.length,
		flatMs: flat.ms,
		flat: flat.result.length,
		childrenAtFirst: await children(),
		mbAtFirst: megabytes(),
	};
	const pids = [];
	for (let n = 0; n < prefixes.length; n += AT_ONCE) {
		pids.push(...(await Promise.all(prefixes.slice(n, n + AT_ONCE).map(pidOf))));
	}
	const used = { pids, childrenAtMost: await children(), mbAtMost: megabytes() };
	const stopped = await timed(async () => {
		for (const end = Date.now() + STOP_LIMIT_MS; (await children()) > 0 && Date.now() < end; ) await sleep(50);
	});
	await sleep(500);
	return { ...seen, ...used, stopMs: stopped.ms, childrenAtLast: await children(), mbAtLast: megabytes() };
}

async function keep() {
	await runtime.loadAll();
	const { plugins } = await runtime.status();
	return { failed: plugins.filter(({ state }) => state !== "ready") };
}

console.log(JSON.stringify(await { keep, use }[what]()));
await runtime.close();
