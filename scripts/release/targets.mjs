import { TRIPLES } from "../../bindings-node/lib/platform.js";

/** The oldest glibc that the released binaries run with. It is the oldest that Rust supports; Node's own need a newer one. */
export const GLIBC_FLOOR = "2.17";

/**
 * How Rust calls what Node and npm call otherwise.
 *
 * @type {Record<string, string>}
 */
const RUST_TARGETS = {
	"linux-x64-gnu": "x86_64-unknown-linux-gnu",
	"linux-arm64-gnu": "aarch64-unknown-linux-gnu",
	"linux-x64-musl": "x86_64-unknown-linux-musl",
	"linux-arm64-musl": "aarch64-unknown-linux-musl",
	"darwin-x64": "x86_64-apple-darwin",
	"darwin-arm64": "aarch64-apple-darwin",
	"win32-x64-msvc": "x86_64-pc-windows-msvc",
};

/**
 * @param {string} triple
 * @returns {string}
 */
export function rustTarget(triple) {
	const target = RUST_TARGETS[triple];
	if (!target) throw new Error(`no binary is released for ${triple || "nothing"}; there are ${TRIPLES.join(", ")}`);
	return target;
}

/**
 * How the released binary of a system is built. Those for Linux are linked by zig, which has the libraries of every
 * glibc and of musl: what comes out depends on this number, and not on the machine that builds.
 *
 * @param {string} triple
 * @returns {string[]} arguments of cargo
 */
export function buildArguments(triple) {
	const target = rustTarget(triple);
	const [system, , abi] = triple.split("-");
	const versioned = abi === "gnu" ? `${target}.${GLIBC_FLOOR}` : target;
	return [system === "linux" ? "zigbuild" : "build", "--profile", "dist", "--target", versioned];
}
