import assert from "node:assert/strict";
import { test } from "node:test";
import { DeferredNames } from "../../integrations/pi-extension/src/deferred/names.ts";

test("a name is the prefix and the tool's own name", () => {
	const names = new DeferredNames();
	assert.equal(names.of("demo", "list_issues"), "demo__list_issues");
	assert.equal(names.of("demo", "list_issues"), "demo__list_issues");
});

test("a name is never longer than providers take, and two tools never share one", () => {
	const names = new DeferredNames();
	const long = "x".repeat(64);
	const given = [
		names.of("a", `${long}1`),
		names.of("a", `${long}2`),
		names.of("a__b", "c"),
		names.of("a", "b__c"),
		names.of("p".repeat(42), long),
	];
	assert.equal(new Set(given).size, given.length, given.join());
	for (const name of given) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
	assert.equal(new DeferredNames().of("a", `${long}1`), given[0], "the same in every session");
});
