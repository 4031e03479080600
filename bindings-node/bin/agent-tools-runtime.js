#!/usr/bin/env node
// Nothing is imported before the version is known, and the syntax is old: an older Node would stop at a syntax error of its
// own wording.

const OLDEST = 20;
const LONG_TERM = 24;
const args = process.argv.slice(2);

if (parseInt(process.versions.node, 10) < OLDEST) {
	refuse(`Node.js ${process.versions.node} at ${process.execPath} is too old: agent-tools needs ${OLDEST} or newer`);
} else {
	import("../lib/cli/main.js").then((cli) => cli.main(args));
}

/** @param {string} message */
function refuse(message) {
	const fix = `nvm install ${LONG_TERM}, or an installer from https://nodejs.org`;
	process.exitCode = 1;
	if (args[0] === "doctor" && args.indexOf("--json") > 0) {
		const check = { id: "node.version", group: "Node", level: "error", message: message, fix: fix };
		process.stdout.write(`${JSON.stringify({ checks: [check], ok: false }, null, 2)}\n`);
	} else {
		process.stderr.write(`error: ${message}\nhint: ${fix}\n`);
	}
}
