// Publishes the packed packages in their order, and skips those that are published already: what failed midway is done
// by running it again.
//
//   node scripts/release/publish.mjs dist/packages
//   node scripts/release/publish.mjs dist/packages --provenance     in a workflow, which vouches for where they come from

import { parseArgs } from "node:util";
import { npm } from "./npm.mjs";
import { packedIn } from "./tarballs.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { provenance: { type: "boolean" } } });
try {
	const [dir] = positionals;
	if (!dir) throw new Error("the folder of the packed packages is needed: publish.mjs dist/packages");
	for (const tarball of packedIn(dir)) publish(tarball);
} catch (error) {
	console.error(`error: ${/** @type {Error} */ (error).message}`);
	process.exitCode = 1;
}

/** @param {import("./tarballs.mjs").Tarball} tarball */
function publish({ name, version, file }) {
	const id = `${name}@${version}`;
	if (isPublished(name, version)) {
		console.log(`${id} is published already`);
		return;
	}
	// A version for trying out must not become what `npm install` takes.
	const tag = version.includes("-") ? "next" : "latest";
	const flags = ["--access=public", "--ignore-scripts", `--tag=${tag}`, ...(values.provenance ? ["--provenance"] : [])];
	const published = npm(["publish", file, ...flags]);
	if (!published.ok) {
		throw new Error(
			`${id} could not be published:\n${published.stderr}\nhint: Run this again; what is published is skipped.`,
		);
	}
	console.log(`${id} published as ${tag}`);
}

/**
 * @param {string} name
 * @param {string} version
 */
function isPublished(name, version) {
	const asked = npm(["view", name, "versions", "--json", "--prefer-online"]);
	if (asked.ok) return [JSON.parse(asked.stdout)].flat().includes(version);
	if (/\bE404\b/.test(asked.stderr + asked.stdout)) return false;
	throw new Error(`the registry does not say whether ${name} is there:\n${asked.stderr}`);
}
