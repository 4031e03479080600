// Files as people have them: entries of their own, comments everywhere.

/** @type {Record<import("../../lib/cli/edit/formats/formats.js").FormatName, (container: string) => string>} */
export const FULL = {
	json: (container) => `{
  // what this is for
  "theme": "dark", /* said of the theme */
  "${container}": {
    // the first of mine
    "files": { "command": "npx", "args": ["-y", "files"] }, // said of files
    "notes": {
      "command": "notes",
      "env": { "LEVEL": "\\u00e9 // no comment" }
    } // said of notes
    // below all of them
  },
  // the last
  "list": [1, 2, 3]
}
`,
	toml: (container) => `# what this is for
model = "some" # said of the model
text = """
[${container}.agent-tools]
command = "only a text"
"""

[${container}.files] # said of files
command = "npx"
args = [
  "-y", # said of -y
  "files",
]
# below files

[tui]
large = 9007199254740993
when = 1979-05-27T07:32:00Z

# the last
`,
	yaml: (container) => `# what this is for
theme:   'dark'   # said of the theme
text: |
  ${container}:
    agent-tools: only a text

${container}:   # said of all
  # the first of mine
  files:
    cmd: npx
    args: [ "-y",   files ]   # said of args
  notes: { cmd: notes }
  # below notes

# the last
list:
- 1
-   2
`,
};

/** @type {Record<import("../../lib/cli/edit/formats/formats.js").FormatName, string>} */
export const BROKEN = { json: '{\n  "a": 1,\n  "b": [}\n', toml: "a = 1\nb = [\n", yaml: "a: 1\nb: [1\nc: 2\n" };

/**
 * The lines of a text that another does not hold, but for a comma more.
 *
 * @param {string} before
 * @param {string} after
 */
export function lost(before, after) {
	const kept = after.split("\n");
	return before.split("\n").filter((line) => {
		const at = kept.findIndex((other) => other === line || withoutOneComma(other).includes(line));
		kept.splice(0, at + 1);
		return at < 0;
	});
}

/** @param {string} line */
function withoutOneComma(line) {
	return [...line].flatMap((char, i) => (char === "," ? [line.slice(0, i) + line.slice(i + 1)] : []));
}
