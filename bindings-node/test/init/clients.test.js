import assert from "node:assert/strict";
import {
	chmodSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { at } from "../../lib/cli/edit/edit.js";
import { readText } from "../../lib/cli/edit/file.js";
import { formats } from "../../lib/cli/edit/formats/formats.js";
import { carryOut } from "../../lib/cli/init/carry-out.js";
import { clients } from "../../lib/cli/init/clients/all.js";
import { plan } from "../../lib/cli/init/plan.js";
import { recordsOf } from "../../lib/cli/init/record.js";
import { serverOf } from "../../lib/cli/init/server.js";
import { carryOutUndo, planUndo } from "../../lib/cli/init/undo.js";
import { BROKEN, FULL, lost } from "./texts.js";
import { newUser } from "./user.js";

/** @typedef {import("../../lib/cli/init/client.js").Scope} Scope */

const POSIX = process.platform !== "win32";

/** Each client with a file of servers, in each of its scopes. */
const CASES = clients.flatMap((client) =>
	"format" in client ? Object.keys(client.files).map((scope) => ({ client, scope: /** @type {Scope} */ (scope) })) : [],
);

for (const { client, scope } of CASES) {
	const { format, container } = client;
	const { parse } = formats[format];

	/**
	 * @param {import("node:test").TestContext} t
	 * @param {string} [text]
	 */
	function setUp(t, text) {
		const place = newUser(t);
		const file = String(client.files[scope]?.(place));
		mkdirSync(path.dirname(file), { recursive: true });
		if (text !== undefined) writeFileSync(file, text);
		/** @param {Parameters<typeof serverOf>[0]} [options] */
		const change = async (options = {}) => {
			const context = { place, scope, server: serverOf(options, place), local: false, plugins: [] };
			const [one] = await plan(client, context);
			assert.ok(one);
			return one;
		};
		const write = async (/** @type {Parameters<typeof serverOf>[0]} */ options = {}) => {
			await carryOut(client, scope, await change(options), place);
			return read();
		};
		const read = () => readFileSync(file, "utf8");
		const undo = async () => {
			for (const record of recordsOf(place, client.name)) await carryOutUndo(planUndo(record), place);
		};
		return { place, file, change, write, read, undo };
	}

	/** @param {string} text */
	const entryOf = (text) => /** @type {any} */ (at(parse(text), [container, "agent-tools"]));

	/** @param {string} text */
	const others = (text) => {
		const { [container]: servers, ...rest } = parse(text);
		const { "agent-tools": _, ...kept } = /** @type {Record<string, unknown>} */ (servers ?? {});
		return { ...rest, [container]: kept };
	};

	/** @param {any} entry */
	const commandOf = (entry) => [entry.command ?? entry.cmd, ...entry.args].join(" ");
	const NPX = "npx -y @rckflr/agent-tools-runtime mcp";

	describe(`${client.name}, ${scope}`, () => {
		test("no file: one is made, and undoing removes it", async (t) => {
			const { file, write, undo } = setUp(t);
			assert.ok(commandOf(entryOf(await write())).endsWith(NPX));
			await undo();
			assert.equal(lstatSync(file, { throwIfNoEntry: false }), undefined);
		});

		for (const [what, text] of Object.entries({ empty: "", blank: "\n\n" })) {
			test(`${what} file: filled, and undone`, async (t) => {
				const { read, write, undo } = setUp(t, text);
				assert.ok(commandOf(entryOf(await write())).endsWith(NPX));
				await undo();
				assert.equal(read(), text);
			});
		}

		for (const [what, text] of Object.entries({
			"comments and other entries": FULL[format](container),
			"lines that end as on Windows": FULL[format](container).replaceAll("\n", "\r\n"),
			"no line end at its end": FULL[format](container).trimEnd(),
		})) {
			test(`${what}: all of it stays, and undoing gives the same bytes`, async (t) => {
				const { read, write, undo } = setUp(t, text);
				const after = await write();
				assert.ok(commandOf(entryOf(after)).endsWith(NPX));
				assert.deepEqual(others(after), others(text));
				assert.deepEqual(lost(text, after), []);
				if (text.includes("\r\n")) assert.doesNotMatch(after, /[^\r]\n/);
				await undo();
				assert.equal(read(), text);
			});

			test(`${what}: undone after the file was changed, only the entry goes`, async (t) => {
				const { file, read, write, undo } = setUp(t, text);
				const eol = text.includes("\r\n") ? "\r\n" : "\n";
				const addition = format === "json" ? `// later${eol}` : `# later${eol}`;
				writeFileSync(file, (await write()) + eol + addition);
				await undo();
				assert.equal(entryOf(read()), undefined);
				assert.deepEqual(others(read()), others(text));
				assert.deepEqual(lost(text, read()), []);
				assert.ok(read().endsWith(addition));
			});
		}

		test("the mark of UTF-8 stays at the beginning", async (t) => {
			const text = `\ufeff${FULL[format](container)}`;
			const { read, write, undo } = setUp(t, text);
			assert.match(await write(), /^\ufeff[^\ufeff]+$/);
			await undo();
			assert.equal(read(), text);
		});

		test("what is advised is for a new entry: what the user made of it stays", async (t) => {
			const { file, write } = setUp(t, FULL[format](container));
			const [key, value] = Object.entries(client.advised?.(serverOf({}, newUser(t))) ?? {})[0] ?? [];
			const first = await write();
			if (!key) return;
			assert.deepEqual(entryOf(first)[key], value);
			const other = typeof value === "boolean" ? !value : "other";
			writeFileSync(file, formats[format].set(first, [container, "agent-tools", key], other));
			assert.deepEqual(entryOf(await write({ local: true }))[key], other);
		});

		test("already there: the same bytes, nothing to write", async (t) => {
			const { change, read, write } = setUp(t, FULL[format](container));
			const after = await write();
			const again = await change();
			assert.equal(again.state, "same");
			assert.equal(again.text, after);
			assert.equal(read(), after);
		});

		test("another way to start it replaces its own keys only, and what is the user's in it is not undone", async (t) => {
			const text = FULL[format](container);
			const { file, read, write, undo } = setUp(t, text);
			const before = await write();
			writeFileSync(file, formats[format].set(before, [container, "agent-tools", "mine"], "kept"));
			const after = await write({ local: true });
			assert.equal(entryOf(after).mine, "kept");
			assert.equal(commandOf(entryOf(after)).startsWith(process.execPath), true);
			assert.deepEqual(others(after), others(text));
			assert.deepEqual(lost(text, after), []);
			await assert.rejects(undo(), /does not hold what init wrote any more/);
			assert.equal(read(), after);
		});

		test("taken out by hand and put in again: undoing gives what the hand left", async (t) => {
			const { file, read, write, undo } = setUp(t);
			await write();
			writeFileSync(file, FULL[format](container));
			await write();
			await undo();
			assert.equal(read(), FULL[format](container));
		});

		test("a broken file is said with its place, and stays as it is", async (t) => {
			const { change, read } = setUp(t, BROKEN[format]);
			await assert.rejects(change(), (/** @type {any} */ error) => {
				assert.equal(error.code, "FILE_BROKEN");
				assert.match(error.message, /, line \d+, column \d+: ./);
				return true;
			});
			assert.equal(read(), BROKEN[format]);
		});

		test("a link stays one, and the file behind it changes", { skip: !POSIX }, async (t) => {
			const { place, file, write, undo } = setUp(t);
			const real = place.inHome("dotfiles");
			writeFileSync(real, FULL[format](container));
			symlinkSync(real, file);
			await write();
			assert.ok(lstatSync(file).isSymbolicLink());
			assert.ok(entryOf(readFileSync(real, "utf8")));
			await undo();
			assert.ok(lstatSync(file).isSymbolicLink());
			assert.equal(readFileSync(real, "utf8"), FULL[format](container));
		});

		test("rights stay, backups are private, and nothing is left lying about", { skip: !POSIX }, async (t) => {
			const { place, file, write } = setUp(t, FULL[format](container));
			chmodSync(file, 0o640);
			await write();
			assert.equal(statSync(file).mode & 0o777, 0o640);
			const folder = place.inData("init");
			assert.equal(statSync(folder).mode & 0o777, 0o700);
			for (const name of readdirSync(folder)) assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600);
			assert.deepEqual(
				readdirSync(path.dirname(file)).filter((name) => name.endsWith(".tmp")),
				[],
			);
		});

		test("over HTTP: the URL, the name of the variable, and never its value", async (t) => {
			const { place, change } = setUp(t, FULL[format](container));
			place.env.MY_TOKEN = "s3cret-value";
			const http = "http://127.0.0.1:8321/mcp";
			const take = (/** @type {object} */ options) =>
				change({ http, ...options }).then(({ text }) => String(text), String);
			const [bare, withToken] = [await take({}), await take({ "token-env": "MY_TOKEN" })];
			for (const text of [bare, withToken]) {
				if (text.includes("cannot be told this")) continue;
				assert.equal(entryOf(text).url ?? entryOf(text).uri, http);
				assert.equal(entryOf(text).command ?? entryOf(text).cmd, undefined);
			}
			if (!withToken.includes("cannot be told this")) assert.match(JSON.stringify(entryOf(withToken)), /MY_TOKEN/);
			assert.doesNotMatch(bare + withToken, /s3cret/);
		});
	});
}

test("a program in the place of a URL takes the URL's keys away", async (t) => {
	const place = newUser(t);
	const [client] = clients.filter(({ name }) => name === "cursor");
	assert.ok(client);
	const file = String(client.files.user?.(place));
	mkdirSync(path.dirname(file));
	writeFileSync(
		file,
		'{ "mcpServers": { "agent-tools": { "url": "http://x/mcp", "headers": { "A": "b" }, "mine": 1 } } }',
	);
	const context = {
		place,
		scope: /** @type {const} */ ("user"),
		server: serverOf({}, place),
		local: false,
		plugins: [],
	};
	const [change] = await plan(client, context);
	const entry = JSON.parse(String(change?.text)).mcpServers["agent-tools"];
	assert.deepEqual(Object.keys(entry).sort(), ["args", "command", "mine"]);
	assert.ok(change);
	await carryOut(client, "user", change, place);
	// Changed since: what stood there before is put back into the entry, not the file as it was.
	writeFileSync(file, String(change.text).replace(/^{/, '{ "more": 1,'));
	const [record] = recordsOf(place, "cursor");
	assert.ok(record);
	await carryOutUndo(planUndo(record), place);
	const after = JSON.parse(String(readText(file).text));
	assert.deepEqual(after, {
		more: 1,
		mcpServers: { "agent-tools": { url: "http://x/mcp", headers: { A: "b" }, mine: 1 } },
	});
});
