// A server whose clients ask their users by themselves: their `confirm` is a person's yes, and nobody else reaches it.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { startHttp } from "../harness/cli-http.js";
import { CLI } from "../harness/paths.js";
import { headers, request } from "../harness/protocol.js";
import { shop } from "./shop.js";

const run = promisify(execFile);
const TOKEN = "token-of-the-one-client";

/**
 * @param {import("node:test").TestContext} t
 * @param {{args?: string[], policy?: object, place?: ReturnType<typeof shop>}} [how]
 */
async function serve(t, { args = ["--approved-by-client"], policy, place = shop(t, policy) } = {}) {
	const { url } = await startHttp(t, {
		args: ["--config", place.config, "--token", TOKEN, "--view", "flat", ...args],
		env: place.env,
	});
	const send = async (/** @type {string} */ method, params = {}, token = TOKEN) => {
		const response = await fetch(url, {
			method: "POST",
			headers: { ...headers("modern", method, params), authorization: `Bearer ${token}` },
			body: JSON.stringify(request("modern", 1, method, params)),
		});
		return { status: response.status, result: (await response.json()).result };
	};
	const call = async (/** @type {string} */ name, confirm = true) => {
		const { result } = await send("tools/call", { name: `shop_${name}`, arguments: { item: "tea", confirm } });
		return result.isError ? JSON.parse(result.content[0].text).code : "ok";
	};
	return { ...place, send, call };
}

describe("--approved-by-client", { timeout: 120_000 }, () => {
	test("takes confirm for a person's yes, and nothing else", async (t) => {
		const { call, calls } = await serve(t, { policy: { headless: "refuse" } });
		assert.equal(await call("order"), "ok");
		assert.equal(await call("wipe"), "ok");
		assert.equal(await call("wipe", false), "CONFIRM_REQUIRED");
		assert.deepEqual(calls(), ["order tea", "wipe tea"]);
	});

	test("without it, confirm destroys nothing", async (t) => {
		const { call, calls } = await serve(t, { args: [] });
		assert.equal(await call("wipe"), "POLICY_DENIED");
		assert.deepEqual(calls(), []);
	});

	test("lifts no rule that denies", async (t) => {
		const { send, calls } = await serve(t, { policy: { groups: { destructive: "deny" } } });
		const wipe = { toolName: "wipe", arguments: { item: "tea" }, confirm: true };
		const { result } = await send("tools/call", { name: "agent_tools_shop_call", arguments: wipe });
		assert.equal(JSON.parse(result.content[0].text).code, "POLICY_DENIED");
		assert.deepEqual(calls(), []);
	});

	test("answers nobody without the token", async (t) => {
		const { send, calls } = await serve(t);
		const params = { name: "shop_wipe", arguments: { confirm: true } };
		assert.equal((await send("tools/call", params, "another")).status, 401);
		assert.deepEqual(calls(), []);
	});

	test("does not start where anybody could consent", async (t) => {
		const { config, env } = shop(t);
		const args = [CLI, "http", "--port", "0", "--config", config, "--approved-by-client"];
		const open = { ...env, AGENT_TOOLS_HTTP_TOKEN: "" };
		await assert.rejects(run(process.execPath, args, { env: open, timeout: 60_000 }), ({ code, stderr }) => {
			assert.equal(code, 1, stderr);
			assert.match(stderr, /no token is set/);
			return true;
		});
	});

	test("a yes to a skill is none to what that destroys", async (t) => {
		const place = shop(t);
		const plugin = path.join(place.folder, "agent-tools-plugin-shop");
		mkdirSync(path.join(plugin, "skills"), { recursive: true });
		const skill = `export const meta = { description: "Clears up" };
			export const run = (adapter) => adapter.call("wipe", { item: "all" });`;
		writeFileSync(path.join(plugin, "skills/clear.mjs"), skill);
		const extension = { prefix: "shop", mcp: place.server, skills: ["./skills/clear.mjs"] };
		writeFileSync(
			path.join(plugin, "plugin.json"),
			JSON.stringify({
				$schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
				name: "agent-tools-plugin-shop",
				version: "0.0.0",
				extensions: { "dev.agent-tools-runtime": extension },
			}),
		);
		writeFileSync(place.config, "{}");
		const { send, calls } = await serve(t, { place, args: ["--approved-by-client", "--plugins-dir", place.folder] });
		const { result } = await send("tools/call", { name: "shop_skill_clear", arguments: { confirm: true } });
		assert.match(JSON.stringify(result), /POLICY_DENIED|nobody can be asked/);
		assert.deepEqual(calls(), []);
	});

	test("what is to be asked about is not marked as reading only, as clients ask by that", async (t) => {
		const marks = async (policy) => {
			const { send } = await serve(t, { policy });
			const { result } = await send("tools/list");
			return result.tools.find(({ name }) => name === "shop_look").annotations.readOnlyHint;
		};
		assert.equal(await marks({}), true);
		assert.equal(await marks({ tools: { "shop/look": "ask" } }), false);
	});
});
