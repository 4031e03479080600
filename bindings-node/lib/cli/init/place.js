import { accessSync, constants, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Whose files are looked for, and where: this machine's user, or one that a test made up.
 *
 * @typedef {object} Whose
 * @property {string} platform as `process.platform`
 * @property {string} home
 * @property {string} cwd the project
 * @property {NodeJS.ProcessEnv} env
 */

export class Place {
	/** @param {Whose} whose */
	constructor({ platform, home, cwd, env }) {
		this.platform = platform;
		this.home = home;
		this.cwd = cwd;
		this.env = env;
		this.windows = platform === "win32";
		this.path = this.windows ? path.win32 : path.posix;
	}

	static ofThisUser() {
		return new Place({ platform: process.platform, home: os.homedir(), cwd: process.cwd(), env: process.env });
	}

	/** @param {...string} parts */
	inHome(...parts) {
		return this.path.join(this.home, ...parts);
	}

	/** @param {...string} parts */
	inProject(...parts) {
		return this.path.join(this.cwd, ...parts);
	}

	/** Below the folder that a variable names, else below another. @param {string} name @param {string} otherwise */
	folderOf(name, otherwise) {
		return this.env[name] || otherwise;
	}

	/** Where programs with windows keep their settings. @param {...string} parts */
	inSettings(...parts) {
		return this.path.join(this.#settings(), ...parts);
	}

	#settings() {
		if (this.windows) return this.folderOf("APPDATA", this.inHome("AppData", "Roaming"));
		if (this.platform === "darwin") return this.inHome("Library", "Application Support");
		return this.inConfig();
	}

	/** `~/.config`, or where it is instead. @param {...string} parts */
	inConfig(...parts) {
		return this.path.join(this.folderOf("XDG_CONFIG_HOME", this.inHome(".config")), ...parts);
	}

	/** The runtime's own data, as `folders.rs` has them. @param {...string} parts */
	inData(...parts) {
		const { AGENT_TOOLS_DATA_DIR: named } = this.env;
		if (named) return this.path.join(named, ...parts);
		if (this.windows) return this.inSettings("agent-tools-runtime", "agent-tools", "data", ...parts);
		const data = this.folderOf("XDG_DATA_HOME", this.inHome(".local", "share"));
		return this.path.join(data, "agent-tools", ...parts);
	}

	/** The program that a shell would start. @param {string} name @returns {string | undefined} */
	command(name) {
		const folders = (this.env.PATH ?? this.env.Path ?? "").split(this.path.delimiter).filter(Boolean);
		const endings = this.windows ? (this.env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";") : [""];
		const files = folders.flatMap((folder) => endings.map((ending) => this.path.join(folder, name + ending)));
		return files.find(isProgram);
	}
}

/** @param {string} file */
function isProgram(file) {
	try {
		accessSync(file, constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}
