import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { AgentToolsError } from "../../agent-tools-error.js";
import { readText, writeText } from "../edit/file.js";
import { forget, hashOf, keep, recordsOf } from "./record.js";

/**
 * @param {import("./client.js").Client} client
 * @param {import("./client.js").Scope} scope
 * @param {import("./plan.js").Change} change
 * @param {import("./place.js").Place} place
 */
export async function carryOut(client, scope, { step, was, text, previous, made }, place) {
	const { file } = step;
	const edit = step.kind === "file" ? undefined : step.edit;
	const replaces = step.kind === "edit" && previous !== undefined;
	const earlier = replaces ? recordsOf(place, client.name).find((record) => record.file === file) : undefined;
	const untouched = earlier !== undefined && was.text !== undefined && earlier.after === hashOf(was.text);
	/** What stood there before anything of init did, when it has written into the file before. */
	const first = earlier
		? { before: earlier.before, whole: earlier.whole && untouched, previous: earlier.previous, made: earlier.made }
		: { before: was.text, whole: true, previous, made };
	const record = { client: client.name, scope, file, ...first, edit };
	if (step.kind === "run") {
		await run(step.command, place);
		await keep(place, { ...record, undo: step.undo, after: hashOf(readText(file).text ?? "") });
		return;
	}
	// First of all, so that whatever is written can be undone.
	await keep(place, { ...record, after: hashOf(String(text)) });
	try {
		await writeText(was, String(text));
	} catch (error) {
		if (earlier) await keep(place, earlier);
		else forget(place, record);
		throw error;
	}
}

/**
 * A client's own command. What it prints is for the person who reads.
 *
 * @param {string[]} command
 * @param {import("./place.js").Place} place
 */
export async function run([program = "", ...args], place) {
	// A batch file on Windows is started by the shell alone.
	const shell = place.windows;
	const words = [program, ...args].map((word) => (shell ? `"${word}"` : word));
	const child = spawn(String(words[0]), words.slice(1), { stdio: ["ignore", 2, 2], cwd: place.cwd, shell });
	const [code] = await once(child, "close").catch((error) => [error.message]);
	if (code === 0) return;
	const shown = [path.basename(program), ...args].join(" ");
	throw new AgentToolsError("COMMAND_FAILED", `\`${shown}\` failed (${code})`, {
		hint: "What it printed above says why. Run it yourself once that is mended.",
	});
}
