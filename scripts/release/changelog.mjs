const UNRELEASED = "## Unreleased";

/**
 * The text with what was unreleased under the heading of a version, and nothing unreleased. A version that has its
 * heading keeps it.
 *
 * @param {string} changelog
 * @param {string} version
 * @param {string} date
 */
export function withRelease(changelog, version, date) {
	if (partOf(changelog, version)) return changelog;
	if (!partUnder(changelog, UNRELEASED)) {
		throw new Error(`CHANGELOG.md has nothing under "${UNRELEASED}"; say there what is new for users`);
	}
	return changelog.replace(`${UNRELEASED}\n`, `${UNRELEASED}\n\n## ${version} - ${date}\n`);
}

/**
 * What the changelog says of a version.
 *
 * @param {string} changelog
 * @param {string} version
 * @returns {string | undefined} undefined if that is nothing
 */
export function partOf(changelog, version) {
	const heading = changelog.split("\n").find((line) => line === `## ${version}` || line.startsWith(`## ${version} - `));
	return heading && partUnder(changelog, heading);
}

/**
 * @param {string} changelog
 * @param {string} heading
 */
function partUnder(changelog, heading) {
	const lines = changelog.split("\n");
	const start = lines.indexOf(heading) + 1;
	if (start === 0) return undefined;
	const end = lines.findIndex((line, at) => at >= start && line.startsWith("## "));
	return (
		lines
			.slice(start, end < 0 ? undefined : end)
			.join("\n")
			.trim() || undefined
	);
}
