import assert from "node:assert/strict";
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { NODE24 } from "../../processes/places.js";
import { Spawned } from "../../processes/spawned.js";

const LIMIT_MS = 120_000;

/** Who does what the page says, in a home that holds nothing but the address of the registry. */
export class Reader {
	#t;
	#env;

	/**
	 * @param {import("node:test").TestContext} t
	 * @param {ReturnType<typeof import("../npm-client.js").newcomer>} newcomer
	 * @param {string} cache npm's. Not by a variable: some clients start programs with few of theirs
	 */
	constructor(t, { home, work, env: { PATH } }, cache) {
		this.#t = t;
		this.home = home;
		this.work = work;
		this.programs = path.join(home, "bin");
		mkdirSync(this.programs);
		appendFileSync(path.join(home, ".npmrc"), `cache=${cache}\n`);
		this.#env = { HOME: home, PATH: `${this.programs}${path.delimiter}${PATH}` };
	}

	/** Nothing of this machine's settings. */
	get env() {
		return this.#env;
	}

	/**
	 * A client that is installed.
	 *
	 * @param {{name: string, program: string}} client
	 */
	has({ name, program }) {
		const file = path.join(this.programs, name);
		const isScript = /\.c?js$/.test(program);
		writeFileSync(file, `#!/bin/sh\nexec ${isScript ? `"${NODE24}" ` : ""}"${program}" "$@"\n`);
		chmodSync(file, 0o755);
	}

	/**
	 * What stands on the page, word for word.
	 *
	 * @param {import("./page.js").Block} block
	 * @returns {Promise<string>} what the reader sees
	 */
	async types({ text, goesOn }) {
		const shell = this.#start("sh", ["-euc", text]);
		if (goesOn) {
			await shell.until("an address", () => /http:\/\/[^\s"]+\/mcp/.test(shell.output), LIMIT_MS);
			return shell.output;
		}
		const { code } = await shell.exitWithin(LIMIT_MS);
		assert.equal(code, 0, `${text}\n${shell.output}`);
		return shell.stdout + shell.stderr;
	}

	/**
	 * @param {string} program
	 * @param {string[]} args
	 * @param {NodeJS.ProcessEnv} [env]
	 */
	async runs(program, args, env) {
		const child = this.#start(program, args, env);
		const { code } = await child.exitWithin(LIMIT_MS);
		assert.equal(code, 0, child.output);
	}

	/**
	 * @param {string} program
	 * @param {string[]} args
	 * @param {NodeJS.ProcessEnv} [more]
	 */
	#start(program, args, more = {}) {
		return new Spawned(this.#t, program, args, { cwd: this.work, env: { ...this.#env, ...more } });
	}

	get testContext() {
		return this.#t;
	}

	/** @param {string} file below the home */
	path(file) {
		return path.join(this.home, file);
	}
}
