import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { manifestOf, ROOT } from "./workspace.mjs";

/**
 * Copies what npm would pack of a folder, with the licence.
 *
 * @param {string} folder
 * @param {string} out
 * @param {Record<string, unknown>} [changes] to its package.json
 * @returns {string} its folder
 */
export function stageSourcePackage(folder, out, changes = {}) {
	const manifest = { ...manifestOf(folder), ...changes };
	const dir = path.join(out, path.basename(manifest.name));
	for (const file of packedFiles(folder)) {
		const target = path.join(dir, file);
		mkdirSync(path.dirname(target), { recursive: true });
		copyFileSync(path.join(ROOT, folder, file), target);
	}
	if (!existsSync(path.join(dir, "LICENSE"))) copyFileSync(path.join(ROOT, "LICENSE"), path.join(dir, "LICENSE"));
	writeFileSync(path.join(dir, "package.json"), `${JSON.stringify(manifest, null, "\t")}\n`);
	return dir;
}

/**
 * npm itself says which files it would pack.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function packedFiles(folder) {
	const flags = ["pack", "--dry-run", "--json", "--ignore-scripts", "--workspaces=false"];
	const json = execFileSync("npm", flags, {
		cwd: path.resolve(ROOT, folder),
		encoding: "utf8",
		stdio: ["ignore", "pipe", "ignore"],
		shell: process.platform === "win32",
	});
	const [{ files }] = Object.values(JSON.parse(json));
	return files.map((/** @type {{path: string}} */ file) => file.path);
}
