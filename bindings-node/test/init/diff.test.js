// What the difference of a user's file shows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { diffOf } from "../../lib/cli/edit/diff.js";
import { apply } from "../../lib/cli/edit/edit.js";

const SECRETS = ["hunter2pass", "s3cr3tvalue99", "l0ng-one", "sh0rt", "production"];
const OURS = { command: "npx", args: ["-y", "production-line"] };

const JSON_TEXT = {
	mcpServers: {
		db: { command: "x", env: { DB_PASSWORD: SECRETS[0], API_KEY: SECRETS[1], MODE: SECRETS[4] } },
		web: { url: "https://x.example/mcp", headers: { Cookie: SECRETS[2] } },
		cli: {
			command: "y",
			args: ["--header", `Authorization: ${SECRETS[0]}`, "--api-key", SECRETS[1], `--pass=${SECRETS[0]}`],
		},
		flat: { password: SECRETS[3], pin: { token: 12345678 } },
	},
};
/** @type {[string, import("../../lib/cli/edit/formats/formats.js").FormatName, string, string][]} */
const FILES = [
	["a.json", "json", "mcpServers", `${JSON.stringify(JSON_TEXT, null, 2)}\n`],
	["a.json", "json", "mcpServers", JSON.stringify(JSON_TEXT)],
	[
		"a.json",
		"json",
		"mcpServers",
		`{\n  // "API_KEY": "${SECRETS[1]}"\n  "mcpServers": {\n    "x": { "env": { "DB": "${SECRETS[0]}", "MODE": "${SECRETS[4]}" } }\n  }\n}\n`,
	],
	[
		"a.toml",
		"toml",
		"servers",
		`[servers.y]\nenv = { A = "${SECRETS[0]}", B = '${SECRETS[1]}' }\n\n[servers.x.http_headers]\nX-Any = "${SECRETS[2]}" # one\n# password = "${SECRETS[3]}"\nMODE = "${SECRETS[4]}"`,
	],
	[
		"a.yaml",
		"yaml",
		"servers",
		`servers:\n  x:\n    headers: {X-Any: ${SECRETS[2]}, Y: "${SECRETS[1]}"}\n    env:\n      A: ${SECRETS[0]}\n      B: |\n        ${SECRETS[1]}\n        ${SECRETS[2]}\n      C: '${SECRETS[3]}' # one\n      MODE: ${SECRETS[4]}\n`,
	],
];

for (const [file, format, container, before] of FILES) {
	for (const [way, text] of /** @type {const} */ ([
		["beside it", (/** @type {string} */ after) => [before, after]],
		["taken out", (/** @type {string} */ after) => [after, ""]],
		["in a new file", (/** @type {string} */ after) => ["", after]],
	])) {
		test(`${format}, ${before.length} characters: secrets ${way} are left out, our entry is not`, () => {
			const { text: after } = apply(file, before, { format, path: [container, "ours"], value: OURS });
			const [old = "", now = ""] = text(after);
			const diff = diffOf(file, old, now);
			for (const secret of [...SECRETS.slice(0, 4), "12345678"])
				assert.ok(!diff.includes(secret), `${secret} in ${diff}`);
			assert.doesNotMatch(diff, /production(?!-line)/);
			assert.match(diff, /<redacted>/);
			assert.match(diff, /command.*npx/);
			assert.match(diff, /production-line/);
		});
	}
}

test("references, and names of variables, are shown", () => {
	const entry = (/** @type {object} */ inner) => `${JSON.stringify({ mcpServers: { x: inner } }, null, 2)}\n`;
	const now = entry({
		headers: { Authorization: `Bearer \${TOKEN}`, "X-Key": `\${env:KEY}` },
		env: { K: `\${secret:gh}` },
		bearer_token_env_var: "TOKEN",
	});
	const diff = diffOf("a.json", "", now);
	assert.doesNotMatch(diff, /redacted/);
	assert.equal(diff.match(/^\+ /gm)?.length, now.split("\n").length - 3);
});

test("a value that has changed is shown as changed, and a word of the same letters elsewhere stays", () => {
	const file = (/** @type {string} */ value) => `{\n  "command": "abcd",\n  "env": { "A": "${value}" }\n}\n`;
	const diff = diffOf("a.json", file("abcd"), file("bcde"));
	assert.match(
		diff,
		/^ {3}"command": "abcd",\n- {2}"env": \{ "A": "<redacted>" \}\n\+ {2}"env": \{ "A": "<redacted>" \}$/m,
	);
});

test("what cannot be told from the rest hides the whole", () => {
	const before = '{ "a": 1, "env": { "PASSWORD": "\\u0068unter2" } }\n';
	const diff = diffOf("a.json", before, before.replace("1", "2"));
	assert.doesNotMatch(diff, /unter2/);
	assert.match(diff, /^-<redacted>\n\+<redacted>$/m);
});
