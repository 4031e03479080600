import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { TRIPLES } from "../../bindings-node/lib/platform.js";
import { MAIN_FOLDER, manifestOf, ROOT } from "./workspace.mjs";

/**
 * The systems whose binary has been built, or all of them.
 *
 * @param {{all: boolean}} options
 * @returns {string[]}
 */
export function stagedTriples({ all }) {
	const built = TRIPLES.filter((triple) => existsSync(binary(triple)));
	if (built.length === 0) throw new Error("no binary has been built; run `npm run build`");
	const missing = TRIPLES.filter((triple) => !built.includes(triple));
	if (all && missing.length > 0) throw new Error(`no binary for ${missing.join(", ")}`);
	return built;
}

/** @param {string} triple */
export function platformPackageName(triple) {
	return `${manifestOf(MAIN_FOLDER).name}-${triple}`;
}

/**
 * Writes the package that holds one binary. npm installs it only on the system it names.
 *
 * @param {string} triple
 * @param {string} out
 * @returns {string} its folder
 */
export function stagePlatformPackage(triple, out) {
	const main = manifestOf(MAIN_FOLDER);
	const name = platformPackageName(triple);
	const file = path.basename(binary(triple));
	const dir = path.join(out, path.basename(name));
	mkdirSync(dir, { recursive: true });
	copyFileSync(binary(triple), path.join(dir, file));
	copyFileSync(path.join(ROOT, "LICENSE"), path.join(dir, "LICENSE"));
	writeFileSync(
		path.join(dir, "README.md"),
		`# ${name}\n\nThe binary of [${main.name}](https://www.npmjs.com/package/${main.name}) for ${triple}.\n`,
	);
	const manifest = {
		name,
		version: main.version,
		description: `The binary of ${main.name} for ${triple}`,
		license: main.license,
		repository: main.repository,
		...system(triple),
		main: file,
		files: [file],
		engines: main.engines,
		preferUnplugged: true,
	};
	writeFileSync(path.join(dir, "package.json"), `${JSON.stringify(manifest, null, "\t")}\n`);
	return dir;
}

/** @param {string} triple */
export function binary(triple) {
	return path.join(ROOT, MAIN_FOLDER, `agent-tools-runtime.${triple}.node`);
}

/**
 * The fields by which npm decides whether a package fits a system.
 *
 * @param {string} triple
 */
function system(triple) {
	const [os, cpu, abi] = triple.split("-");
	const libc = { gnu: "glibc", musl: "musl" }[abi ?? ""];
	return { os: [os], cpu: [cpu], ...(libc ? { libc: [libc] } : {}) };
}
