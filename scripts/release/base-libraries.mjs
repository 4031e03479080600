import { GLIBC_FLOOR } from "./targets.mjs";

// What is on each system that runs Node. Anything else, like libssl or the runtime of a compiler, people may not have.
/** @type {Record<string, RegExp>} */
const BASE = {
	gnu: /^(lib(c|m|dl|rt)\.so\.\d|libpthread\.so\.0|libgcc_s\.so\.1|ld-linux-(x86-64|aarch64)\.so\.\d)$/,
	// Links that are made by zig name it as musl does, others as Alpine does; musl takes both for itself.
	musl: /^(libc\.so|libc\.musl-(x86_64|aarch64)\.so\.1|libgcc_s\.so\.1)$/,
	darwin: /^(\/usr\/lib\/lib(System\.B|iconv\.2|objc\.A|resolv\.9)\.dylib|\/System\/Library\/Frameworks\/.+)$/,
	msvc: new RegExp(
		`^((kernel32|kernelbase|ntdll|advapi32|user32|shell32|ole32|oleaut32|rpcrt4|combase|ws2_32|iphlpapi|crypt32|` +
			`bcrypt|bcryptprimitives|ncrypt|secur32|userenv|psapi|powrprof|pdh|dbghelp|netapi32|winhttp)\\.dll|` +
			`api-ms-win-core-[a-z0-9-]+\\.dll)$`,
		"i",
	),
};

/**
 * What a released binary needs that its system may not have; one line each.
 *
 * @param {string} triple
 * @param {import("./binary-needs.mjs").Needs} needs
 * @param {string} [floor] the oldest glibc that it must run with
 * @returns {string[]}
 */
export function needsFaults(triple, { libraries, versions }, floor = GLIBC_FLOOR) {
	const base = BASE[triple.split("-")[2] ?? "darwin"];
	if (!base) throw new Error(`nothing is known of the libraries of ${triple}`);
	return [
		...libraries
			.filter((name) => !base.test(name))
			.map((name) => `${triple} needs ${name}, which is no part of the system`),
		...versions
			.filter(
				(version) => version.startsWith("GLIBC_") && !isOffered(version, triple.endsWith("-gnu") ? floor : undefined),
			)
			.map(
				(version) =>
					`${triple} needs ${version}, but ${triple.endsWith("-gnu") ? `must run with ${floor}` : "its system has no glibc"}`,
			),
	];
}

/**
 * The newest glibc that a binary needs.
 *
 * @param {import("./binary-needs.mjs").Needs} needs
 * @returns {string | undefined}
 */
export function glibcOf({ versions }) {
	const numbers = versions.flatMap((version) => /^GLIBC_([\d.]+)$/.exec(version)?.[1] ?? []);
	return numbers.sort(compare).at(-1);
}

/**
 * @param {string} version of a symbol
 * @param {string} [floor]
 */
function isOffered(version, floor) {
	// GLIBC_PRIVATE and GLIBC_ABI_… are promised by no version.
	const number = /^GLIBC_(\d+(?:\.\d+)+)$/.exec(version)?.[1];
	return floor !== undefined && number !== undefined && compare(number, floor) <= 0;
}

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
	const [left, right] = [a, b].map((version) => version.split(".").map(Number));
	for (let at = 0; at < 3; at++) {
		const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
		if (difference !== 0) return difference;
	}
	return 0;
}
