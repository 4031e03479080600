import { execFileSync } from "node:child_process";
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import path from "node:path";
import { ROOT } from "../../../e2e/harness/paths.js";

/** Below the build folder, so that it is thrown away with it. */
export const COPY = path.join(ROOT, "target/guards");

/**
 * Copies what git knows or would take, with changes. A file that stays the same keeps its time, so that cargo builds
 * only what has changed.
 *
 * @param {(file: string, text: string) => string} change of sources
 */
export function copyTree(change) {
	const files = git("ls-files", "--cached", "--others", "--exclude-standard").filter((file) =>
		existsSync(path.join(ROOT, file)),
	);
	for (const file of files) {
		const from = path.join(ROOT, file);
		const mode = statSync(from).mode;
		const bytes = readFileSync(from);
		writeChanged(
			file,
			/\.(rs|[cm]?[jt]s)$/.test(file) ? Buffer.from(change(file, bytes.toString("utf8"))) : bytes,
			mode,
		);
	}
	const kept = new Set(files);
	for (const file of tracked()) if (!kept.has(file)) rmSync(path.join(COPY, file), { force: true });
	linkPackages();
}

/**
 * @param {string} file
 * @param {string | Buffer} content
 * @param {number} [mode]
 */
export function writeChanged(file, content, mode) {
	const to = path.join(COPY, file);
	if (existsSync(to) && readFileSync(to).equals(Buffer.from(content))) return;
	mkdirSync(path.dirname(to), { recursive: true });
	writeFileSync(to, content, { mode });
}

/** Sources in the copy, where an earlier run may have left what is gone since. */
function tracked() {
	return ["runtime", "bindings-node", "integrations", "e2e"].flatMap((folder) => below(path.join(COPY, folder)));
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function below(folder) {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const file = path.join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === "node_modules" ? [] : below(file);
		return /\.(rs|[cm]?[jt]s)$/.test(entry.name) ? [path.relative(COPY, file)] : [];
	});
}

/** The installed packages, but those of the workspace as they are in the copy. */
function linkPackages() {
	link(path.join(ROOT, "e2e/node_modules"), path.join(COPY, "e2e/node_modules"));
	// Programs that tests use.
	const tools = path.join(ROOT, "target/tools");
	if (existsSync(tools)) link(tools, path.join(COPY, "target/tools"));
	const installed = path.join(ROOT, "node_modules");
	for (const name of readdirSync(installed)) {
		const names = name.startsWith("@")
			? readdirSync(path.join(installed, name)).map((each) => `${name}/${each}`)
			: [name];
		for (const each of names) {
			const real = path.relative(realpathSync(ROOT), realpathSync(path.join(installed, each)));
			const ours = /^(bindings-node|integrations|plugins)/.test(real);
			link(path.join(ours ? COPY : ROOT, ours ? real : `node_modules/${each}`), path.join(COPY, "node_modules", each));
		}
	}
}

/**
 * @param {string} to
 * @param {string} at
 */
function link(to, at) {
	if (lstatSync(at, { throwIfNoEntry: false })) {
		if (readlinkSync(at) === to) return;
		rmSync(at);
	}
	mkdirSync(path.dirname(at), { recursive: true });
	symlinkSync(to, at);
}

/** @param {...string} args */
function git(...args) {
	return execFileSync("git", [...args, "-z"], { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 })
		.split("\0")
		.filter(Boolean);
}
