import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onNode } from "../harness/node-versions.js";

/**
 * A person's machine that has nothing yet: an empty home, an empty cache, an empty folder to work in. Install scripts are
 * off, as careful people have them.
 *
 * @param {string} dir where such homes are made
 * @param {string} registry
 * @param {number} nodeMajor
 */
export function newcomer(dir, registry, nodeMajor) {
	const home = mkdtempSync(path.join(dir, `home-node${nodeMajor}-`));
	const work = path.join(home, "work");
	mkdirSync(work);
	// npm insists on a token to publish; this registry takes any.
	const token = `//${new URL(registry).host}/:_authToken=any`;
	writeFileSync(
		path.join(home, ".npmrc"),
		`registry=${registry}\n${token}\nignore-scripts=true\nupdate-notifier=false\n`,
	);

	const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
	const env = onNode(nodeMajor, { ...Object.fromEntries(own), HOME: home, npm_config_cache: path.join(home, ".npm") });

	/**
	 * @param {string} command
	 * @param {string[]} args
	 * @param {{cwd?: string, env?: NodeJS.ProcessEnv}} [options]
	 * @returns {Promise<{code: number, stdout: string, stderr: string}>}
	 */
	const run = (command, args, options = {}) =>
		new Promise((resolve) => {
			const all = { cwd: work, ...options, env: { ...env, ...options.env }, maxBuffer: 64 * 1024 * 1024 };
			const child = execFile(command, args, all, (error, stdout, stderr) =>
				resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
			);
			child.stdin?.end();
		});
	return { home, work, env, run };
}
