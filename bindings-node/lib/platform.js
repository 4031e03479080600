/** The binaries that are published, one npm package each. */
export const TRIPLES = [
	"linux-x64-gnu",
	"linux-arm64-gnu",
	"linux-x64-musl",
	"linux-arm64-musl",
	"darwin-x64",
	"darwin-arm64",
	"win32-x64-msvc",
];

/**
 * @typedef {object} Host
 * @property {string} platform
 * @property {string} arch
 * @property {() => unknown} report what `process.report.getReport()` gives
 */

/** @type {Host} */
export const thisHost = {
	platform: process.platform,
	arch: process.arch,
	report: () => {
		// Without this the report looks up the host names of open sockets, which can take seconds.
		const report = /** @type {NodeJS.ProcessReport & {excludeNetwork?: boolean}} */ (process.report);
		report.excludeNetwork = true;
		return report.getReport();
	},
};

/**
 * The name of the binary for a host, whether or not one is published for it.
 *
 * @param {Host} [host]
 * @returns {string}
 */
export function triple(host = thisHost) {
	const base = `${host.platform}-${host.arch}`;
	if (host.platform === "linux") return `${base}-${libc(host)}`;
	if (host.platform === "win32") return `${base}-msvc`;
	return base;
}

/** @param {Host} host */
function libc(host) {
	try {
		const report = /** @type {{header?: {glibcVersionRuntime?: string}}} */ (host.report());
		return report.header && !report.header.glibcVersionRuntime ? "musl" : "gnu";
	} catch {
		return "gnu";
	}
}
