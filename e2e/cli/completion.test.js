// `agent-tools completion`, in the shells themselves. PowerShell is in no registry that these tests may use: where it is not
// installed its test is skipped, and says so.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { allCommands } from "../../bindings-node/lib/cli/commands.js";
import { clients } from "../../bindings-node/lib/cli/init/clients/all.js";
import { GENERAL } from "../../bindings-node/lib/cli/options.js";
import { kinds } from "../../bindings-node/lib/cli/plugin/kinds.js";
import { CLI } from "../harness/paths.js";
import { ended } from "./desk.js";

const FOLDER = fileURLToPath(new URL("completion", import.meta.url));
const LIMIT_MS = 120_000;
const SHELLS = [
	{ shell: "bash", program: "bash", file: "complete.bash" },
	{ shell: "zsh", program: "zsh", file: "complete.zsh", options: ["-f"] },
	{ shell: "fish", program: "fish", file: "complete.fish", options: ["--no-config"] },
	{ shell: "powershell", program: "pwsh", file: "complete.ps1", options: ["-NoProfile", "-File"] },
];
const HEADS = [...new Set(Object.keys(allCommands).map((name) => name.split(" ", 1)[0]))];
const optionsOf = (/** @type {string} */ name) =>
	[...(allCommands[name]?.options ?? []), ...GENERAL].map((option) => `--${option}`);

/** What is typed before Tab, and what is offered then. @type {[string, string[]][]} */
const LINES = [
	["agent-tools ", HEADS],
	["agent-tools-runtime pol", ["policy"]],
	["agent-tools policy ", ["explain", "forget"]],
	["agent-tools audit v", ["verify"]],
	["agent-tools help audit ", ["stats", "receipt", "verify"]],
	["agent-tools help pol", ["policy"]],
	["agent-tools completion ", ["bash", "zsh", "fish", "powershell"]],
	["agent-tools init ", clients.map(({ name }) => name)],
	["agent-tools init codex --yes cu", ["cursor"]],
	["agent-tools mcp --view ", ["auto", "unified", "facade", "flat"]],
	["agent-tools --view unified mcp --view=f", ["facade", "flat"]],
	["agent-tools plugin new words --from ", Object.keys(kinds)],
	["agent-tools import --from pl", ["plugin.json", "plugins"]],
	["agent-tools import codex win", ["windsurf"]],
	["agent-tools init --scope ", ["user", "project"]],
	["agent-tools audit stats --cl", ["--client"]],
	["agent-tools call github list_issues --arg owner=me --con", ["--config", "--confirm"]],
	["agent-tools -", optionsOf("http")],
	["agent-tools policy explain --", optionsOf("policy explain")],
	["agent-tools validate pl", ["plugin.json", "plugins"]],
	["agent-tools list --plugins-dir pl", ["plugins"]],
	["agent-tools plugin new git --from cli -- pl", ["plugin.json", "plugins"]],
];
/** Names of plugins and tools are not known to a script. PowerShell offers files where it is offered nothing. */
const NOTHING = ["agent-tools call github ", "agent-tools completion bash ", "agent-tools mcp --pin "];

describe("completion", { timeout: LIMIT_MS }, () => {
	for (const { shell, program, file, options = [] } of SHELLS) {
		const missing = spawnSync(program, ["--version"]).error && `there is no ${program} here`;
		test(`in ${shell}`, { skip: missing }, async (t) => {
			const { dir, cwd } = place(t);
			const script = path.join(dir, "script.ps1");
			writeFileSync(script, (await ran(process.execPath, [CLI, "completion", shell], { cwd })).out);
			const lines = shell === "powershell" ? LINES : [...LINES, ...NOTHING.map((line) => [line, []])];
			const input = lines.map(([line]) => `${line}\n`).join("");
			const { out, err, code } = await ran(program, [...options, path.join(FOLDER, file), script], { cwd, input });
			assert.equal(err, "");
			assert.equal(code, 0);
			const offered = out.split(/^\.\n/m).map((words) => words.split("\n").filter(Boolean));
			for (const [i, [line, expected]] of lines.entries()) {
				// A shell marks folders, puts back what stands before `=`, and has an order of its own.
				const words = new Set(offered[i]?.map((word) => word.replace(/^--view=|^\.\/|\/$/g, "")));
				assert.deepEqual([...words].sort(), [...expected].sort(), `${shell}: ${line}`);
			}
		});
	}

	test("bash offers the options of each command, and no others", async (t) => {
		const { dir, cwd } = place(t);
		const script = path.join(dir, "script");
		writeFileSync(script, (await ran(process.execPath, [CLI, "completion", "bash"], { cwd })).out);
		const names = Object.keys(allCommands);
		const input = names.map((name) => `agent-tools ${name} --\n`).join("");
		const { out, err } = await ran("bash", [path.join(FOLDER, "complete.bash"), script], { cwd, input });
		assert.equal(err, "");
		const expected = names.map((name) => `${optionsOf(name).join("\n")}\n`);
		assert.deepEqual(out.split(/^\.\n/m).slice(0, -1), expected);
	});

	test("without a name it is that of the shell that is used; another is refused with what there is", async (t) => {
		const { cwd } = place(t);
		/** @param {string[]} args @param {string | undefined} SHELL */
		const completion = (args, SHELL) => ran(process.execPath, [CLI, "completion", ...args], { cwd, env: { SHELL } });
		const named = await completion(["fish"], undefined);
		assert.equal((await completion([], "/usr/bin/fish")).out, named.out);
		for (const [args, SHELL, message] of /** @type {[string[], string | undefined, RegExp][]} */ ([
			[[], undefined, /^error: no shell is named, and SHELL is not set\nhint: .*bash, zsh, fish, powershell.*--help/],
			[[], "/bin/tcsh", /^error: there is no completion for the shell `tcsh`\nhint: .*bash, zsh/],
			[["bsh"], "/bin/bash", /^error: there is no completion for the shell `bsh`\nhint: Did you mean `bash`\?/],
		])) {
			const { code, out, err } = await completion(args, SHELL);
			assert.equal(code, 2);
			assert.equal(out, "");
			assert.match(err, message);
		}
		const { out: help } = await completion(["--help"], undefined);
		for (const { shell } of SHELLS) assert.match(help, new RegExp(`agent-tools completion ${shell}\\b`));
	});
});

/** @param {import("node:test").TestContext} t */
function place(t) {
	const dir = mkdtempSync(path.join(tmpdir(), "agent-tools-completion-"));
	t.after(() => rmSync(dir, { recursive: true, force: true }));
	const cwd = path.join(dir, "work");
	mkdirSync(path.join(cwd, "plugins"), { recursive: true });
	writeFileSync(path.join(cwd, "plugin.json"), "{}");
	return { dir, cwd };
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{cwd: string, input?: string, env?: Record<string, string | undefined>}} how
 */
async function ran(program, args, { cwd, input = "", env }) {
	const child = spawn(program, args, { cwd, env: { ...process.env, HOME: cwd, NO_COLOR: "1", ...env } });
	child.stdin.on("error", () => {});
	child.stdin.end(input);
	return ended(child);
}
