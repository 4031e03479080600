import { manifestOf, packageFolders, read, workspaceVersion } from "./workspace.mjs";

/**
 * Where a version differs from the workspace's, one line each. Packages that need each other name the exact version:
 * a core and a binding of two versions were never tested together.
 *
 * @returns {string[]}
 */
export function versionMismatches() {
	const version = workspaceVersion();
	const folders = packageFolders();
	const own = new Set(folders.map((folder) => manifestOf(folder).name));
	const wrong = [];

	for (const folder of folders) {
		const { name, version: its, dependencies, peerDependencies, optionalDependencies } = manifestOf(folder);
		if (its !== version) wrong.push(`${folder}/package.json: version ${its}`);
		const needs = Object.entries({ ...dependencies, ...peerDependencies, ...optionalDependencies });
		for (const [needed, range] of needs) {
			if (own.has(needed) && range !== version) wrong.push(`${folder}/package.json: ${name} needs ${needed} ${range}`);
		}
	}

	const core = /^agent-tools-runtime = \{.*version = "(.+?)"/m.exec(read("Cargo.toml"))?.[1];
	if (core !== version) wrong.push(`Cargo.toml: [workspace.dependencies] agent-tools-runtime ${core}`);
	for (const crate of ["agent-tools-runtime", "agent-tools-runtime-node"]) {
		const locked = new RegExp(`^name = "${crate}"\\nversion = "(.+)"$`, "m").exec(read("Cargo.lock"))?.[1];
		if (locked !== version) wrong.push(`Cargo.lock: ${crate} ${locked}`);
	}
	return wrong.map((line) => `${line}, but the workspace is ${version}`);
}
