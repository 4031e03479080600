// The policy of real files, through the real command.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { CLI } from "../harness/paths.js";
import { StdioSession } from "../harness/stdio-session.js";
import { shop } from "./shop.js";

const run = promisify(execFile);

/** @param {import("node:test").TestContext} t */
async function session(t, args, options) {
	const session = new StdioSession("legacy", process.execPath, [CLI, "mcp", ...args], options);
	t.after(() => session.child.kill("SIGKILL"));
	await session.open();
	const list = async () => (await session.request("tools/list")).result.tools;
	const call = async (name, args = {}) => {
		const { result, error } = await session.request("tools/call", { name, arguments: args });
		if (error) return error.data?.code ?? error.message;
		return result.isError ? JSON.parse(result.content[0].text) : result.content[0].text;
	};
	return { list, call };
}

describe("the policy", { timeout: 120_000 }, () => {
	for (const view of ["flat", "facade", "unified"]) {
		test(`a denied tool is in no list, found by no search and not callable: ${view}`, async (t) => {
			const { config, env, calls } = shop(t, { tools: { "shop/order": "deny" } });
			const { list, call } = await session(t, ["--config", config, "--view", view], { env });
			if (view === "flat") {
				const names = (await list()).map(({ name }) => name);
				assert.ok(names.includes("shop_look") && !names.includes("shop_order"), names.join(" "));
			}
			const found = await call("agent_tools_shop_discover", { query: "order an item" });
			assert.doesNotMatch(JSON.stringify(found), /Orders an item/);
			const overview = await call("agent_tools_shop_discover");
			assert.doesNotMatch(JSON.stringify(overview), /Orders an item/);
			const nothing = JSON.stringify(await call("agent_tools_shop_discover", { query: "zzzz qqqq" }));
			assert.ok(nothing.includes("look") && !nothing.includes("order"), nothing);
			const refused = await call("agent_tools_shop_call", { toolName: "order", arguments: {}, confirm: true });
			assert.equal(refused.code, "POLICY_DENIED");
			assert.match(refused.rule, /tools\["shop\/order"\]: deny/);
			assert.deepEqual(calls(), []);
		});
	}

	test("headless, destruction is refused with the rule that would allow it, which does", async (t) => {
		const refusing = shop(t);
		const first = await session(t, ["--config", refusing.config], { env: refusing.env });
		const wipe = { toolName: "wipe", arguments: { item: "tea" }, confirm: true };
		const refused = await first.call("agent_tools_shop_call", wipe);
		assert.equal(refused.code, "POLICY_DENIED");
		const rule = /writes (\{.*\}) into/.exec(refused.hint)?.[1] ?? "";
		const allowing = shop(t, JSON.parse(rule).policy);
		const second = await session(t, ["--config", allowing.config], { env: allowing.env });
		assert.doesNotMatch(JSON.stringify(await second.call("agent_tools_shop_call", wipe)), /POLICY_DENIED/);
		assert.deepEqual([refusing.calls(), allowing.calls()], [[], ["wipe tea"]]);
	});

	test("a project's file only tightens, and its plugins are believed nothing", async (t) => {
		const { folder, env, server, calls } = shop(t);
		const project = path.join(folder, "project");
		mkdirSync(project);
		const config = (policy) =>
			JSON.stringify({ mcpServers: { shop: { ...server, requireConfirm: false, readonlyTools: ["order"] } }, policy });
		writeFileSync(path.join(project, "agent-tools.json"), config({ default: "allow", tools: { "shop/*": "allow" } }));
		// The user lets projects start the program, which says nothing about what its tools may do.
		mkdirSync(path.join(folder, "user"));
		const user = (policy) =>
			writeFileSync(
				path.join(folder, "user/agent-tools.json"),
				JSON.stringify({ projects: { commands: [server.command] }, policy }),
			);
		user({});
		const { call } = await session(t, [], { env, cwd: project });
		for (const toolName of ["look", "order", "wipe"]) {
			const refused = await call("agent_tools_shop_call", { toolName, arguments: {} });
			assert.equal(refused.code, "CONFIRM_REQUIRED", toolName);
		}
		assert.deepEqual(calls(), []);
		// Once the user trusts it, its word counts.
		user({ trust: ["shop"] });
		const trusted = await session(t, [], { env, cwd: project });
		await trusted.call("agent_tools_shop_call", { toolName: "order", arguments: { item: "tea" } });
		assert.deepEqual(calls(), ["order tea"]);
	});

	/** The user's file and a project's, with the working folder in the project. */
	const twoFiles = (t, user, project, below = "") => {
		const place = shop(t);
		const write = (folder, content) => {
			mkdirSync(path.join(place.folder, folder), { recursive: true });
			const file = path.join(place.folder, folder, "agent-tools.json");
			writeFileSync(file, JSON.stringify(content));
			return file;
		};
		// The user lets projects start the program, which says nothing about what its tools may do.
		const userFile = write("user", { projects: { commands: [place.server.command] }, ...user(place.server) });
		write("project", project(place.server));
		return { ...place, userFile, write, cwd: path.join(place.folder, "project", below) };
	};
	const explain = async ({ env, cwd }, name, prefix = "shop") => {
		const { stdout } = await run(process.execPath, [CLI, "policy", "explain", prefix, name, "--json"], { env, cwd });
		return JSON.parse(stdout);
	};

	test("a project's plugin inherits nothing by its name", async (t) => {
		const policy = { trust: ["shop"], tools: { "shop/*": "allow" }, readonlyTools: ["shop/order"] };
		const own = twoFiles(
			t,
			(server) => ({ mcpServers: { shop: server }, policy }),
			() => ({}),
		);
		const { decision, trusted, borrowsName } = await explain(own, "wipe");
		assert.deepEqual([decision, trusted, borrowsName], ["allow", true, false]);
		// The project's entry goes before the user's; here with the same program.
		const place = twoFiles(
			t,
			(server) => ({ mcpServers: { shop: server }, policy }),
			(server) => ({ mcpServers: { shop: server } }),
		);
		const { call } = await session(t, [], place);
		for (const toolName of ["look", "order", "wipe"]) {
			const refused = await call("agent_tools_shop_call", { toolName, arguments: {} });
			assert.equal(refused.code, "CONFIRM_REQUIRED", toolName);
		}
		assert.deepEqual(place.calls(), []);
		const explained = await explain(place, "look");
		assert.deepEqual([explained.kind, explained.trusted, explained.borrowsName], ["mutating", false, true]);
		const { stdout } = await run(process.execPath, [CLI, "policy", "explain", "shop", "look"], place);
		assert.match(stdout, /not trusted: it belongs to a project, and has the name of one of your own/);
		assert.match(stdout, /tools\["shop\/\*"\]: allow .*\(meant for your own plugin of that name\)/);
	});

	test("`policy explain` says that a plugin is not trusted where that decides", async (t) => {
		const place = twoFiles(
			t,
			() => ({}),
			(server) => ({ mcpServers: { shop: { ...server, readonlyTools: ["order"] } } }),
		);
		const by = async (name) => (await explain(place, name)).kindBy;
		assert.equal(await by("look"), "the service says that it only reads, and its plugin is not trusted");
		assert.equal(await by("order"), "the plugin says that it only reads, and its plugin is not trusted");
		assert.equal(await by("wipe"), "the service says that it may destroy something");
	});

	test("a rule may have the prefix as it was declared", async (t) => {
		const place = twoFiles(
			t,
			(server) => ({ mcpServers: { "my shop": server }, policy: { tools: { "my shop/order": "deny" } } }),
			() => ({}),
		);
		const { plugins } = JSON.parse((await run(process.execPath, [CLI, "list", "--json"], place)).stdout);
		const { prefix } = plugins[0];
		assert.match(prefix, /^my_shop_/);
		assert.equal((await explain(place, "order", prefix)).decision, "deny");
		const { call } = await session(t, [], place);
		const refused = await call(`agent_tools_${prefix}_call`, { toolName: "order", arguments: {}, confirm: true });
		assert.equal(refused.code, "POLICY_DENIED");
		assert.deepEqual(place.calls(), []);
	});

	test("a project inside of another is no way out of its rules", async (t) => {
		const place = twoFiles(
			t,
			() => ({}),
			() => ({ policy: { tools: { "shop/order": "deny" } } }),
			"inner",
		);
		place.write("project/inner", { mcpServers: { shop: place.server }, policy: { tools: { "shop/order": "ask" } } });
		const { decision, rule } = await explain(place, "order");
		assert.equal(decision, "deny");
		assert.match(rule, /project\/agent-tools\.json/);
	});

	const noModes = process.platform === "win32" && "files have no modes";
	test("a user's file that others may write only tightens", { skip: noModes }, async (t) => {
		const place = twoFiles(
			t,
			() => ({ policy: { tools: { "shop/order": "allow", "shop/wipe": "deny" } } }),
			(server) => ({ mcpServers: { shop: { ...server, command: "node" } } }),
		);
		assert.equal((await explain(place, "order")).decision, "allow");
		chmodSync(place.userFile, 0o666);
		assert.equal((await explain(place, "order")).decision, "ask");
		assert.equal((await explain(place, "wipe")).decision, "deny");
		const { stderr } = await run(process.execPath, [CLI, "policy", "explain", "shop", "order"], place);
		assert.match(stderr, /others may write it, so that the file counts as a project's/);
	});

	test("a file that cannot be read allows nothing", async (t) => {
		const { config, env, calls } = shop(t, { tools: { "shop/[": "deny" } });
		const { call } = await session(t, ["--config", config], { env });
		const refused = await call("agent_tools_shop_call", { toolName: "look", arguments: {} });
		assert.equal(refused.code, "POLICY_DENIED");
		assert.deepEqual(calls(), []);
	});

	test("`policy explain` names the kind, every rule and the one that decides", async (t) => {
		const { config, env } = shop(t, { tools: { "shop/w*": "deny" }, groups: { destructive: "ask" }, default: "allow" });
		const policy = (...args) => run(process.execPath, [CLI, "policy", ...args, "--config", config], { env });
		const { stdout } = await policy("explain", "shop", "wipe", "--json");
		const explained = JSON.parse(stdout);
		assert.deepEqual(
			[explained.kind, explained.decision, explained.trusted, explained.rules.map(({ counts }) => counts)],
			["destructive", "deny", true, [true, false, false]],
		);
		assert.match(explained.rule, /tools\["shop\/w\*"\]: deny \(.*agent-tools\.json\)/);
		const text = (await policy("explain", "shop", "order")).stdout;
		assert.match(text, /mutating: nobody says that it only reads/);
		assert.match(text, /decision: {2}allow, by default: allow/);
		const look = (await policy("explain", "shop", "look")).stdout;
		assert.match(look, /read-only: the service says that it only reads/);
		assert.match((await policy("forget", "shop", "order")).stderr, /Nothing was remembered/);
		await assert.rejects(policy("explain", "shop", "nothing"), /has no tool or skill/);
		await assert.rejects(policy("explian", "shop", "wipe"), /Did you mean `policy explain`/);
	});
});
