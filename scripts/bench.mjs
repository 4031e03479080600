// `npm run bench`: measures, prints one table, and judges nothing. Numbers mean something only beside others of the same
// run.

import { execFileSync } from "node:child_process";

const build = ["build", "--release", "--locked", "-p", "agent-tools-runtime", "--example", "minimal_rmcp_server"];
execFileSync(process.execPath, ["scripts/build-native.mjs"], { stdio: "inherit" });
execFileSync("cargo", build, { stdio: "inherit" });

const { coldStarts } = await import("../bench/cold-start.js");
const { openApiListings } = await import("../bench/openapi-listings.js");
const { roundTrips } = await import("../bench/round-trips.js");
const { printTable } = await import("../bench/table.js");

/** @type {(() => unknown)[]} */
const ends = [];
try {
	const rows = [
		...(await coldStarts()),
		...(await openApiListings()),
		...(await roundTrips({ after: (end) => ends.push(end) })),
	];
	printTable(rows);
} finally {
	for (const end of ends.reverse()) await end();
}
