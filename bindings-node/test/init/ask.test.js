// A person at a terminal, who is asked.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { newUser } from "./user.js";

const BIN = fileURLToPath(new URL("../../bin/agent-tools-runtime.js", import.meta.url));
const TERMINAL = fileURLToPath(new URL("../fixtures/on-a-terminal.py", import.meta.url));
const [ENTER, SPACE, DOWN, CTRL_C] = ["\r", " ", "\x1b[B", "\x03"];

const PYTHON = spawnSync("python3", ["-c", "import pty, sys; print(sys.executable)"], {
	encoding: "utf8",
}).stdout?.trim();
const withoutPython = !PYTHON && "there is no Python to make a terminal with";

describe("on a terminal", { skip: withoutPython }, () => {
	/**
	 * @param {import("node:test").TestContext} t
	 * @param {[string, string][]} steps what is waited for, and then typed
	 * @param {string[]} args
	 */
	function type(t, steps, ...args) {
		const place = newUser(t);
		for (const name of [".codex", ".cursor"]) mkdirSync(place.inHome(name));
		writeFileSync(place.inHome(".cursor", "mcp.json"), "{}");
		const env = {
			...process.env,
			HOME: place.home,
			XDG_CONFIG_HOME: "",
			XDG_DATA_HOME: "",
			CODEX_HOME: "",
			TERM: "xterm",
			NO_COLOR: "1",
		};
		const command = [TERMINAL, JSON.stringify(steps), process.execPath, BIN, "init", ...args];
		const { status, stdout } = spawnSync(String(PYTHON), command, {
			cwd: place.cwd,
			env: { ...env, PATH: "" },
			encoding: "utf8",
			timeout: 60_000,
		});
		const has = (/** @type {string[]} */ ...parts) => {
			const file = place.inHome(...parts);
			return existsSync(file) && readFileSync(file, "utf8").includes("agent-tools");
		};
		return {
			status,
			shown: stripVTControlCharacters(stdout),
			codex: has(".codex", "config.toml"),
			cursor: has(".cursor", "mcp.json"),
		};
	}

	test("the clients that are found are offered, and each chosen one asked about", (t) => {
		const { status, shown, codex, cursor } = type(t, [
			["Cursor", SPACE],
			["Codex", ENTER],
			["Write this for Codex?", "y"],
		]);
		assert.equal(status, 0, shown);
		assert.match(shown, /Codex: written/);
		assert.deepEqual({ codex, cursor }, { codex: true, cursor: false });
	});

	test("the first answer is no", (t) => {
		const { status, shown, cursor } = type(t, [["Write this for Cursor?", ENTER]], "cursor");
		assert.equal(status, 0);
		assert.match(shown, /\+ {4}"agent-tools": \{[\s\S]*Nothing was written/);
		assert.equal(cursor, false);
	});

	test("Ctrl-C ends it all: nobody else is asked about", (t) => {
		const { status, shown, codex, cursor } = type(t, [["Write this for Cursor?", CTRL_C]], "cursor", "codex");
		assert.equal(status, 130, shown);
		assert.doesNotMatch(shown, /for Codex/);
		assert.deepEqual({ codex, cursor }, { codex: false, cursor: false });
	});

	test("Ctrl-C at the choice ends it too", (t) => {
		const { status, shown, codex, cursor } = type(t, [["Cursor", SPACE + CTRL_C]]);
		assert.equal(status, 130, shown);
		assert.doesNotMatch(shown, /Write this/);
		assert.deepEqual({ codex, cursor }, { codex: false, cursor: false });
	});

	test("who chooses nothing gets nothing", (t) => {
		const { status, shown, codex, cursor } = type(t, [["Cursor", DOWN + ENTER]]);
		assert.equal(status, 0);
		assert.match(shown, /Nothing was chosen/);
		assert.deepEqual({ codex, cursor }, { codex: false, cursor: false });
	});
});
