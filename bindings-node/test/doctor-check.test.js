import assert from "node:assert/strict";
import { test } from "node:test";
import { looked } from "../lib/cli/doctor/check.js";
import { UsageError } from "../lib/cli/usage-error.js";

test("what a check did not expect is an error of its group; a wrong command line stays one", async () => {
	for (const look of [
		() => {
			throw new Error("ENOTDIR: not a directory");
		},
		() => Promise.reject(new Error("ENOTDIR: not a directory")),
	]) {
		assert.deepEqual(await looked("Native part", look), [
			{
				id: "native-part.unexpected",
				group: "Native part",
				level: "error",
				message: "this could not be looked at: ENOTDIR: not a directory",
			},
		]);
	}
	await assert.rejects(
		looked("Port", () => {
			throw new UsageError("--port takes a number");
		}),
		UsageError,
	);
});
