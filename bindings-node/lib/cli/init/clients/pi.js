import { AgentToolsError } from "../../../agent-tools-error.js";
import { readText } from "../../edit/file.js";
import * as json from "../../edit/formats/json.js";
import { isRemote, piExtensionHere } from "../server.js";

const PACKAGE = "npm:agent-tools-runtime-pi-extension";

/**
 * Pi runs the core in its own process, by an extension that its own command installs. Where that command is not to be found
 * the settings name it, and Pi installs it at its next start: docs/packages.md and docs/settings.md of
 * @earendil-works/pi-coding-agent 1.6.0.
 *
 * @type {import("../client.js").Client}
 */
export const pi = {
	name: "pi",
	title: "Pi",
	commands: ["pi"],
	traces: (place) => [place.folderOf("PI_CODING_AGENT_DIR", place.inHome(".pi", "agent"))],
	files: {
		user: (place) =>
			place.path.join(place.folderOf("PI_CODING_AGENT_DIR", place.inHome(".pi", "agent")), "settings.json"),
		project: (place) => place.inProject(".pi", "settings.json"),
	},
	steps: ({ place, scope, server, local }) => {
		if (isRemote(server)) {
			throw new AgentToolsError("NOT_TAKEN", "Pi needs no server: it runs the core in its own process", {
				hint: "Leave out --http.",
			});
		}
		const file = /** @type {(place: import("../place.js").Place) => string} */ (pi.files[scope])(place);
		const source = local ? extension() : PACKAGE;
		const edit = { format: /** @type {const} */ ("json"), path: ["packages"], value: source, item: true };
		if (isThere(file, source, place)) return [{ kind: "edit", file, edit, there: true }];
		const program = place.command("pi");
		if (!program) return [{ kind: "edit", file, edit }];
		const where = scope === "project" ? ["--local"] : [];
		const [install, remove] = ["install", "remove"].map((verb) => [program, verb, ...where, source]);
		return [{ kind: "run", file, edit, command: install ?? [], undo: remove ?? [] }];
	},
	next: "Start Pi again; `/agent-tools` shows the plugins.",
};

function extension() {
	const here = piExtensionHere();
	if (here) return here;
	throw new AgentToolsError(
		"NOT_TAKEN",
		"--local needs a clone of the repository for Pi: the extension is a package of its own",
		{
			hint: "Leave out --local.",
		},
	);
}

/**
 * Whatever its version, and also where only a part of it is chosen.
 *
 * @param {string} file
 * @param {string} source
 * @param {import("../place.js").Place} place
 */
function isThere(file, source, place) {
	const { text } = readText(file);
	/** @type {unknown} */
	let packages;
	try {
		({ packages } = json.parse(text ?? ""));
	} catch {
		// Said when it is to be edited.
		return false;
	}
	const folder = place.path.dirname(file);
	return (Array.isArray(packages) ? packages : []).some((item) => {
		const named = String(Object(item).source ?? item);
		return named === source || named.startsWith(`${source}@`) || place.path.resolve(folder, named) === source;
	});
}
