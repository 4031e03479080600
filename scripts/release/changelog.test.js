import assert from "node:assert/strict";
import { test } from "node:test";
import { partOf, withRelease } from "./changelog.mjs";

const CHANGELOG = "# Changelog\n\n## Unreleased\n\n### Added\n\n- New.\n\n## 0.1.0 - 2026-01-02\n\n- First.\n";

test("what is unreleased becomes a version, once", () => {
	const released = withRelease(CHANGELOG, "0.2.0", "2026-03-04");
	assert.equal(
		released,
		"# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-03-04\n\n### Added\n\n- New.\n\n## 0.1.0 - 2026-01-02\n\n- First.\n",
	);
	assert.equal(withRelease(released, "0.2.0", "2026-05-06"), released);
	assert.throws(() => withRelease(released, "0.3.0", "2026-05-06"), /nothing under "## Unreleased"/);
});

test("the part of a version ends where the next begins", () => {
	assert.equal(partOf(CHANGELOG, "0.1.0"), "- First.");
	assert.equal(partOf(CHANGELOG, "0.1"), undefined);
	assert.equal(partOf(withRelease(CHANGELOG, "0.2.0", "2026-03-04"), "0.2.0"), "### Added\n\n- New.");
});
