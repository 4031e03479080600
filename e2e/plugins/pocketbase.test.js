import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { withoutPocketBase } from "../harness/pocketbase-program.js";
import { always } from "../services/json-service.js";
import { EMAIL, PASSWORD, PocketBase } from "../services/pocketbase.js";
import { openBundled } from "./bundled.js";
import { testRefusals } from "./refusals.js";

const POSTS = {
	name: "posts",
	type: "base",
	fields: [
		{ name: "title", type: "text", required: true },
		{ name: "views", type: "number" },
		{ name: "published", type: "date" },
		{ name: "meta", type: "json" },
	],
};
const OWN = { collection: "posts" };
const DELETING = { policy: { groups: { destructive: "allow" } } };
const LOGIN = "POST /api/collections/_superusers/auth-with-password";

/** @param {import("../services/json-service.js").Received} asked */
const isLogin = ({ path }) => path.endsWith("/auth-with-password");

describe("pocketbase", { timeout: 120_000, skip: withoutPocketBase() }, () => {
	const service = new PocketBase();
	before(() => service.start());
	after(() => service.stop());

	/**
	 * @param {import("node:test").TestContext} t
	 * @param {import("../services/json-service.js").Behaviour} [behaviour]
	 */
	async function pocketbase(t, behaviour, options = {}, environment = {}) {
		await service.administer("POST", "/api/collections", POSTS);
		t.after(() => service.administer("DELETE", "/api/collections/posts"));
		const server = await service.askedBy(t, behaviour);
		const own = {
			POCKETBASE_URL: server.url,
			POCKETBASE_EMAIL: EMAIL,
			POCKETBASE_PASSWORD: PASSWORD,
			POCKETBASE_AUTH_COLLECTION: undefined,
			...environment,
		};
		return { server, ...(await openBundled(t, "pocketbase", own, options)) };
	}

	test("lists collections and their fields, unasked, after one login", async (t) => {
		const { callUnasked, server } = await pocketbase(t);
		const [{ collections, total }] = await Promise.all([
			callUnasked("list_collections"),
			callUnasked("list_records", OWN),
			callUnasked("list_records", OWN),
		]);
		assert.equal(total, collections.length);
		const posts = collections.find(({ name }) => name === "posts");
		assert.deepEqual([posts.type, posts.system], ["base", false]);
		assert.deepEqual(posts["fields.name"], ["id", "title", "views", "published", "meta"]);
		assert.deepEqual(posts["fields.type"], ["text", "text", "number", "date", "json"]);
		assert.equal(server.calls().filter((call) => call === LOGIN).length, 1);
	});

	test("creates, reads, filters, sorts, changes and deletes records", async (t) => {
		const { call, callUnasked } = await pocketbase(t, undefined, DELETING);
		assert.deepEqual((await callUnasked("list_records", OWN)).records, []);
		const create = (data) => call("create_record", { ...OWN, data });
		const [first] = [await create({ title: "One", views: 1 }), await create({ title: "Two", views: 2 })];
		const list = async (args) => {
			const { records, ...counts } = await callUnasked("list_records", { ...OWN, ...args });
			return [records.map(({ title }) => title), counts];
		};
		assert.deepEqual(await list({ sort: "-views" }), [
			["Two", "One"],
			{ page: 1, perPage: 100, totalItems: 2, totalPages: 1 },
		]);
		assert.deepEqual(await list({ sort: "title", page: 2, perPage: 1 }), [
			["Two"],
			{ page: 2, perPage: 1, totalItems: 2, totalPages: 2 },
		]);
		assert.deepEqual((await list({ filter: 'title ~ "wo" && views > 1' }))[0], ["Two"]);
		const changed = await call("update_record", { ...OWN, id: first.id, data: { views: 9 } });
		assert.deepEqual([changed.title, changed.views], ["One", 9]);
		assert.deepEqual(await callUnasked("get_record", { ...OWN, id: first.id }), changed);
		assert.equal((await call("delete_record", { ...OWN, id: first.id })).status, 204);
		assert.deepEqual((await list({}))[0], ["Two"]);
	});

	test("changes nothing without consent", async (t) => {
		const { call, callUnasked, skillUnasked, server } = await pocketbase(t);
		const data = { title: "x" };
		for (const [tool, args] of [
			["create_record", { ...OWN, data }],
			["update_record", { ...OWN, id: "x", data }],
			["delete_record", { ...OWN, id: "x" }],
		]) {
			assert.equal((await callUnasked(tool, args)).code, "CONFIRM_REQUIRED", tool);
		}
		assert.equal((await skillUnasked("insert-and-verify-record", { ...OWN, data })).code, "CONFIRM_REQUIRED");
		const { code } = await call("delete_record", { ...OWN, id: "x" });
		assert.equal(code, "POLICY_DENIED", "it is marked as destructive");
		assert.deepEqual(server.received, []);
	});

	test("the skill says which fields were stored otherwise", async (t) => {
		const { skill } = await pocketbase(t);
		const insert = (data) => skill("insert-and-verify-record", { ...OWN, data });
		const meta = { tags: ["a"], deep: { n: 1 } };
		const good = await insert({ title: "One", views: 1.5, published: "2026-12-02T10:00:00Z", meta });
		assert.deepEqual([good.confirmed, good.differences, good.record.meta], [true, [], meta]);
		assert.equal((await insert({ title: "Two", published: "2026-12-02" })).confirmed, true);
		const bad = await insert({ title: "Three", veiws: 3 });
		assert.deepEqual([bad.confirmed, bad.differences], [false, [{ field: "veiws", sent: 3, stored: null }]]);
		const refused = await insert({ views: 1 });
		assert.equal(refused.stage, "create_record");
		assert.match(JSON.stringify(refused), /validation_required/);
		const missing = await skill("insert-and-verify-record", { collection: "nothing", data: { a: 1 } });
		assert.match(JSON.stringify(missing), /collection context/);
	});

	test("logs in again when its session has ended, also for a change, and repeats nothing that was done", async (t) => {
		const { call, server } = await pocketbase(t);
		await call("list_collections");
		service.endSessions();
		assert.ok((await call("list_collections")).total > 0);
		service.endSessions();
		assert.equal((await call("create_record", { ...OWN, data: { title: "One" } })).title, "One");
		service.endSessions();
		const { records } = await call("list_records", OWN);
		assert.deepEqual(
			records.map(({ title }) => title),
			["One"],
		);
		assert.equal(server.calls().filter((asked) => asked === LOGIN).length, 4);
	});

	test("a user of another collection sees what its rules allow", async (t) => {
		const environment = { POCKETBASE_AUTH_COLLECTION: "users", POCKETBASE_EMAIL: "ana@example.com" };
		const { call, server } = await pocketbase(t, undefined, {}, environment);
		const password = PASSWORD;
		await service.administer("POST", "/api/collections/users/records", {
			email: "ana@example.com",
			password,
			passwordConfirm: password,
		});
		assert.equal((await call("list_records", { collection: "users" })).totalItems, 1);
		assert.equal(server.calls()[0], "POST /api/collections/users/auth-with-password");
		assert.equal((await call("list_records", OWN)).code, "UPSTREAM_AUTH");
	});

	test("a login that fails names the variables and shows no password", async (t) => {
		const { call } = await pocketbase(t, undefined, {}, { POCKETBASE_PASSWORD: "wrong-canary" });
		const failure = await call("list_records", OWN);
		assert.equal(failure.code, "UPSTREAM_AUTH");
		assert.match(failure.hint, /POCKETBASE_EMAIL.*POCKETBASE_PASSWORD/);
		assert.doesNotMatch(JSON.stringify(failure), /wrong-canary/);
	});

	test("what PocketBase refuses is told", async (t) => {
		const { call } = await pocketbase(t, undefined, DELETING);
		for (const [tool, args, said] of [
			["list_records", { collection: "nothing" }, /404.*collection context/s],
			["list_records", { ...OWN, filter: "title = (" }, /400.*Something went wrong/s],
			["get_record", { ...OWN, id: "nothing" }, /404.*wasn't found/s],
			["delete_record", { ...OWN, id: "a/../b" }, /404/],
			["create_record", { ...OWN, data: { views: 1 } }, /400.*validation_required/s],
		]) {
			const failure = await call(tool, args);
			assert.equal(failure.code, "TOOL_FAILED", JSON.stringify(failure));
			assert.match(JSON.stringify(failure), said);
		}
		assert.equal((await call("list_records", { collection: "../users" })).code, "ARG_VALIDATION_FAILED");
		assert.equal((await call("list_records", { ...OWN, perPage: 5000 })).code, "ARG_VALIDATION_FAILED");
	});

	for (const lacks of ["POCKETBASE_URL", "POCKETBASE_EMAIL", "POCKETBASE_PASSWORD"]) {
		test(`without ${lacks} one sentence says so, and nothing is sent`, async (t) => {
			const { call, server } = await pocketbase(t, undefined, {}, { [lacks]: undefined });
			const failure = await call("list_records", OWN);
			assert.equal(failure.code, "CONFIG_INVALID");
			assert.match(failure.error, new RegExp(`set ${lacks} `));
			assert.deepEqual(server.received, []);
		});
	}

	testRefusals({
		// What is refused is what comes behind the login.
		open: async (t, { behaviour }, options) => {
			const login = always(200, { token: await service.token() });
			return pocketbase(t, (...asked) => (isLogin(asked[0]) ? login : behaviour)(...asked), options);
		},
		reads: ["list_records", OWN],
		changes: ["create_record", { ...OWN, data: { title: "x" } }],
		variable: /POCKETBASE_EMAIL/,
	});

	test("is found by what people ask for", async (t) => {
		const { discover } = await pocketbase(t);
		assert.match(await discover("which collections are there"), /list_collections/);
		assert.match(await discover("add a record and check it"), /insert-and-verify-record/);
	});
});
