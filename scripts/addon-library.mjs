import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const NO_CARGO = `error: cargo, the Rust build tool, is not installed; the native addon cannot be built
hint: Install Rust from https://rustup.rs, open a new shell and try again.`;

/**
 * Builds the addon's library with cargo.
 *
 * @param {string[]} args of cargo
 * @param {{cwd: string, signal?: AbortSignal}} options `signal` stops the build
 * @returns {Promise<string | undefined>} the file that cargo made
 */
export async function buildLibrary(args, { cwd, signal }) {
	// On stdout cargo says which files it made, wherever its target folder is; its progress goes to stderr as ever.
	const all = [...args, "--locked", "-p", "agent-tools-runtime-node", "--message-format=json-render-diagnostics"];
	const cargo = spawn("cargo", all, { cwd, stdio: ["ignore", "pipe", "inherit"], signal });
	/** @type {Promise<boolean>} */
	const ended = new Promise((resolve) => {
		cargo.once("error", (error) => {
			const missing = "code" in error && error.code === "ENOENT";
			if (!signal?.aborted) console.error(missing ? NO_CARGO : `error: cargo could not be started: ${error.message}`);
			resolve(false);
		});
		cargo.once("close", (code) => resolve(code === 0));
	});
	/** @type {string | undefined} */
	let library;
	for await (const line of createInterface({ input: cargo.stdout })) library = libraryOf(line) ?? library;
	return (await ended) ? library : undefined;
}

/**
 * @param {string} line
 * @returns {string | undefined}
 */
function libraryOf(line) {
	/** @type {{reason: string, target?: {name: string}, filenames?: string[]}} */
	const message = JSON.parse(line);
	if (message.reason !== "compiler-artifact" || message.target?.name !== "agent_tools_runtime_node") return undefined;
	return message.filenames?.find((file) => /\.(so|dylib|dll)$/.test(file));
}
