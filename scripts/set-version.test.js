import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NEW = "987.6.5";
/** Manifests, lock files, the scripts, and the sources without which cargo takes no manifest. */
const NEEDED =
	/(^|\/)(package(-lock)?|plugin)\.json$|(^|\/)Cargo\.(toml|lock)$|^CHANGELOG|^scripts\/.*\.mjs$|(lib|benches\/.*)\.rs$/;

/**
 * A copy of what says a version, or reads it.
 *
 * @param {import("node:test").TestContext} t
 */
function copy(t) {
	const root = mkdtempSync(path.join(tmpdir(), "set-version-"));
	t.after(() => rmSync(root, { recursive: true }));
	const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT })
		.toString()
		.split("\0")
		.filter((file) => NEEDED.test(file) && !file.startsWith("e2e/"));
	for (const file of files) cpSync(path.join(ROOT, file), path.join(root, file), { force: true });

	const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), "utf8");
	const edit = (/** @type {string} */ file, /** @type {string} */ from, /** @type {string} */ to) => {
		assert.ok(read(file).includes(from), `${file} has no ${from}`);
		writeFileSync(path.join(root, file), read(file).replace(from, to));
	};
	const run = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
		spawnSync(command, args, { cwd: root, encoding: "utf8", shell: command === "npm" && process.platform === "win32" });
	const changed = () =>
		files.filter((file) => !readFileSync(path.join(ROOT, file)).equals(readFileSync(path.join(root, file))));
	return { root, read, edit, run, changed };
}

const { version: OLD } = JSON.parse(readFileSync(path.join(ROOT, "bindings-node/package.json"), "utf8"));

test("one command sets the version everywhere", (t) => {
	const { read, edit, run, changed } = copy(t);
	edit("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n- Something that is new.\n");
	const set = run("node", "scripts/set-version.mjs", NEW);
	assert.equal(set.status, 0, set.stderr);

	assert.equal(run("node", "scripts/check-versions.mjs").status, 0);
	const cargo = run("cargo", "metadata", "--locked", "--offline", "--no-deps", "--format-version=1");
	assert.equal(cargo.status, 0, cargo.stderr);
	assert.ok(JSON.parse(cargo.stdout).packages.every((/** @type {{version: string}} */ { version }) => version === NEW));
	const npm = run("npm", "ci", "--dry-run", "--ignore-scripts", "--offline", "--no-audit", "--no-fund");
	assert.equal(npm.status, 0, npm.stderr);

	for (const file of changed()) {
		// Nothing but the version is another.
		const [before, after] = [readFileSync(path.join(ROOT, file), "utf8"), read(file)];
		if (file !== "CHANGELOG.md") assert.equal(after.replaceAll(NEW, OLD), before, file);
	}
	assert.match(read("CHANGELOG.md"), /## Unreleased\n\n## 987\.6\.5 - \d{4}-\d\d-\d\d\n\n- Something that is new\.\n/);

	const notes = run("node", "scripts/release/release-notes.mjs", `v${NEW}`);
	assert.equal(notes.status, 0, notes.stderr);
	assert.match(notes.stdout, /^- Something that is new\./);
});

test("each manifest and each lock file is set", (t) => {
	const { edit, run, changed } = copy(t);
	edit("CHANGELOG.md", "## Unreleased\n", "## Unreleased\n\n- Something that is new.\n");
	run("node", "scripts/set-version.mjs", NEW);
	const missing = [
		"Cargo.toml",
		"Cargo.lock",
		"fuzz/Cargo.lock",
		"package-lock.json",
		"bindings-node/package.json",
		"integrations/eve/example/package.json",
		"integrations/eve/package.json",
		"integrations/pi-extension/package.json",
		"plugins/agent-tools-plugin-demo/package.json",
		"plugins/agent-tools-plugin-demo/plugin.json",
	].filter((file) => !changed().includes(file));
	assert.deepEqual(missing, []);
});

for (const [title, file, from, to] of /** @type {[string, string, string, string][]} */ ([
	["a package", "plugins/agent-tools-plugin-demo/package.json", `"version": "${OLD}"`, '"version": "0.0.1"'],
	["a plugin's manifest", "plugins/agent-tools-plugin-n8n/plugin.json", `"version": "${OLD}"`, '"version": "0.0.1"'],
	["what a package needs", "integrations/pi-extension/package.json", `runtime": "${OLD}"`, `runtime": "^${OLD}"`],
	["what the example needs", "integrations/eve/example/package.json", `runtime": "${OLD}"`, 'runtime": "0.0.1"'],
	["npm's lock file", "package-lock.json", `runtime": "${OLD}"`, 'runtime": "0.0.1"'],
	["the fuzz targets' lock file", "fuzz/Cargo.lock", `runtime"\nversion = "${OLD}"`, 'runtime"\nversion = "0.0.1"'],
])) {
	test(`another version is found, and nothing is written over it: ${title}`, (t) => {
		const { read, edit, run } = copy(t);
		edit(file, from, to);
		const check = run("node", "scripts/check-versions.mjs");
		assert.equal(check.status, 1);
		assert.match(check.stderr, new RegExp(`^${file}:\\d+: .*, but the workspace is ${OLD}$`, "m"));
		const set = run("node", "scripts/set-version.mjs", NEW);
		assert.equal(set.status, 1);
		assert.match(set.stderr, /^error: the versions do not agree/);
		assert.match(read("Cargo.toml"), new RegExp(`^version = "${OLD}"$`, "m"));
	});
}

test("what is no version is refused", (t) => {
	const { run, changed } = copy(t);
	for (const args of [[], ["v1.2.3"], ["1.2"], ["1.2.3-beta"], ["01.2.3"], ["latest"], [NEW, NEW]]) {
		const set = run("node", "scripts/set-version.mjs", ...args);
		assert.equal(set.status, 1, args.join(" "));
		assert.match(set.stderr, /^error: a version is needed, like 1\.2\.3/);
		assert.deepEqual(changed(), []);
	}
});

test("a tag that is not the version of the sources is refused, with what to do", (t) => {
	const { run } = copy(t);
	const { status, stderr } = run("node", "scripts/release/release-notes.mjs", `v${NEW}`);
	assert.equal(status, 1);
	assert.match(stderr, new RegExp(`^error: the tag is v${NEW}, but the sources are ${OLD}$`, "m"));
	assert.match(stderr, /^hint: Run `npm run version:set/m);
});
