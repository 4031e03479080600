import { spawn } from "node:child_process";
import { once } from "node:events";

/** A terminal to test on is made by util-linux's `script`. */
export const WITHOUT_TERMINAL = process.platform !== "linux" && "util-linux's script is used";

/**
 * What is done once something is seen: keys are typed, or something happens with what was found.
 *
 * @typedef {[RegExp, string | ((found: RegExpExecArray) => unknown)]} Reaction
 */

/**
 * A program on a terminal of 80 columns, where all that is written is seen as one.
 *
 * @param {import("node:test").TestContext | {after(end: () => unknown): void}} t
 * @param {string[]} words the program and its arguments
 * @param {{cwd: string, env: NodeJS.ProcessEnv, reactions?: Reaction[], behind?: string}} how `behind` the command, in the shell's words
 */
export async function onTerminal(t, words, { cwd, env, reactions = [], behind = "" }) {
	const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
	const child = spawn("script", ["-qec", `stty cols 80 rows 24 -echo; ${quoted} ${behind}`, "/dev/null"], {
		cwd,
		env: { TERM: "xterm", ...env },
	});
	t.after(() => child.kill("SIGKILL"));
	child.stdin.on("error", () => {});
	let shown = "";
	child.stdout.setEncoding("utf8").on("data", (text) => {
		shown += text;
	});
	react(child.stdout, reactions, (keys) => child.stdin.write(keys));
	const [code] = await once(child, "close");
	return { code, shown: shown.replaceAll("\r\n", "\n") };
}

/**
 * One after the other, each on what has come since the one before it.
 *
 * @param {import("node:stream").Readable} stream of text
 * @param {Reaction[]} reactions
 * @param {(keys: string) => void} type
 */
export function react(stream, reactions, type) {
	const waiting = [...reactions];
	let seen = "";
	stream.on("data", (text) => {
		seen += text;
		const found = waiting[0]?.[0].exec(seen);
		if (!found) return;
		const [, done] = /** @type {Reaction} */ (waiting.shift());
		seen = "";
		if (typeof done === "string") type(done);
		else done(found);
	});
}
