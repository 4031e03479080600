import path from "node:path";
import { COPY, writeChanged } from "./copy.mjs";

/** @typedef {import("./list.mjs").Entry} Entry */

/** Says which guard is out. A file, as many tests start programs with an environment of their own. */
const OUT = "guard-out";
const CRATES = ["runtime/src/lib.rs", "bindings-node/src/lib.rs"];

/** @param {string} id */
export function takeOut(id) {
	writeChanged(OUT, id);
}

/**
 * A source of Rust in which each guard is there or not by what the file says when the program runs.
 *
 * @param {string} file
 * @param {string} text
 * @param {Entry[]} entries
 */
export function withSwitches(file, text, entries) {
	const own = new Map(entries.filter((entry) => entry.file === file).map((entry) => [entry.id, entry]));
	let switched = text;
	for (const entry of own.values()) switched = replace(switched, entry, asSwitch(entry));
	// What is written into it is not to be looked at for its style.
	return CRATES.includes(file) ? `#![allow(warnings)]\n${switched}${decision()}` : switched;
}

/** @param {Entry} entry */
function asSwitch({ id, take, leave = "" }) {
	const either = `if crate::guard_is_out(${JSON.stringify(id)}) { ${leave} } else { ${take} }`;
	return /[;}]$/.test(take) ? either : `(${either})`;
}

/**
 * The text with something else in the place of the guard.
 *
 * @param {string} text
 * @param {Pick<Entry, "take" | "within">} guard
 * @param {string} other
 */
export function replace(text, { take, within = take }, other) {
	return text.replace(only(within, text), () => within.replace(only(take, within), () => other));
}

/**
 * @param {string} part
 * @param {string} text
 */
function only(part, text) {
	const times = text.split(part).length - 1;
	if (times !== 1) throw new Error(`${times} times instead of once: ${part}`);
	return part;
}

function decision() {
	return `
/// Whether the guard of that number is out.
#[doc(hidden)]
pub fn guard_is_out(id: &str) -> bool {
    static OUT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    OUT.get_or_init(|| std::fs::read_to_string(${JSON.stringify(path.join(COPY, OUT))}).unwrap_or_default()) == id
}
`;
}
