import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { restService } from "./rest-service.js";

/** What a case may send by its path; larger than any buffer on the way. */
export const BIG_FILE = Buffer.alloc(8 * 1024 * 1024, "agent-tools ");

/**
 * The services of a case and the plugin's manifest for them. `{p}` and `{p2}` are the ports of two services.
 *
 * @param {import("node:test").TestContext} t
 * @param {any} input
 * @param {Record<string, unknown>} [settings] more of the manifest's `openapi`
 */
export async function makeRest(t, input, settings = {}) {
	const [service, other] = [await restService(t), await restService(t)];
	const known = JSON.parse(
		JSON.stringify({ openapi: input.openapi, rules: input.rules ?? [] })
			.replaceAll("{p}", `${service.port}`)
			.replaceAll("{p2}", `${other.port}`),
	);
	service.rules.push(...known.rules);
	const folder = mkdtempSync(path.join(tmpdir(), "agent-tools-rest-"));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	const document = path.join(folder, "openapi.json");
	const files = path.join(folder, "files");
	mkdirSync(files);
	writeFileSync(document, JSON.stringify(known.openapi));
	const openapi = { document, ...inWordsOfTheManifest(input, files), ...settings };
	return {
		service,
		other,
		files,
		content: { scenario: {}, manifest: { mcp: undefined, requireConfirm: true, openapi } },
	};
}

/**
 * @param {any} input
 * @param {string} files
 */
function inWordsOfTheManifest({ auth, call }, files) {
	const sendsFiles = call.some(({ args }) => args.body?.path);
	if (sendsFiles) writeFileSync(path.join(files, "big.bin"), BIG_FILE);
	return {
		...(auth?.header && { headers: auth.header }),
		...(auth?.query && { query: auth.query }),
		...(sendsFiles && { filesFolder: files }),
	};
}
