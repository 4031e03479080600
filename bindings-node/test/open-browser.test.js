import assert from "node:assert/strict";
import { test } from "node:test";
import { openerOf } from "../lib/cli/open-browser.js";

test("an address is an argument of the system's opener, and nothing else is opened", () => {
	const url = "https://example.com/authorize?a=1&b=$(x)";
	for (const platform of /** @type {NodeJS.Platform[]} */ (["linux", "darwin", "win32", "freebsd"])) {
		assert.equal(openerOf(platform, url).at(-1), url);
		for (const other of ["file:///etc/passwd", "javascript:alert(1)", "-flag", ""]) {
			assert.deepEqual(openerOf(platform, other), [], other);
		}
	}
	assert.deepEqual(openerOf("linux", url), ["xdg-open", url]);
});
