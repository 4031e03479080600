import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./paths.js";

/** A virtual environment of Python with exactly what a file of requirements names, with its hashes. */
export class PythonEnvironment {
	#script;

	/**
	 * @param {string} name of its folder; `install-NAME.mjs` installs it
	 * @param {string} requirements a path in the repository
	 */
	constructor(name, requirements) {
		this.requirements = path.join(ROOT, requirements);
		/** Below the build folder, so that it is kept and thrown away with it. */
		this.folder = path.join(ROOT, "target/tools", name);
		/** What was installed: a copy of the requirements, written last of all. */
		this.stamp = path.join(this.folder, "installed.txt");
		this.#script = `scripts/testing/install-${name}.mjs`;
	}

	/** @param {string} name of a program in it */
	program(name) {
		return process.platform === "win32"
			? path.join(this.folder, "Scripts", `${name}.exe`)
			: path.join(this.folder, "bin", name);
	}

	get isInstalled() {
		return existsSync(this.stamp) && readFileSync(this.stamp, "utf8") === readFileSync(this.requirements, "utf8");
	}

	/**
	 * Why tests of it are skipped; on CI none is.
	 *
	 * @returns {string | false}
	 */
	get missing() {
		return process.env.CI || this.isInstalled ? false : `not installed: node ${this.#script}`;
	}
}
