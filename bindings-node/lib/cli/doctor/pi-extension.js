import { exists } from "../edit/file.js";
import { pi } from "../init/clients/pi.js";
import { Place } from "../init/place.js";
import { readJson } from "../json-file.js";
import { checksOf } from "./check.js";

const { ok, error } = checksOf("Clients");

/** By the name that npm has, or as the folder of a clone. */
const EXTENSION = /agent-tools-runtime-pi-extension(@|$)|[/\\]integrations[/\\]pi-extension$/;

/** Whether Pi's settings name the extension that runs the core in Pi itself. */
export function piExtensionChecks() {
	const files = Object.values(pi.files).map((file) => file(Place.ofThisUser()));
	return files.filter(exists).map((file) => {
		const { value, mistake } = readJson(file);
		if (mistake) return error("clients.syntax", `Pi: ${file}: ${mistake}`, "correct that line: Pi reads nothing of it");
		const packages = [value?.packages ?? []].flat().map((item) => String(Object(item).source ?? item));
		const ours = packages.find((source) => EXTENSION.test(source));
		return ours === undefined
			? ok("clients.extension", `Pi: ${file} does not name the extension of agent-tools`)
			: ok("clients.extension", `Pi: ${file}: ${ours}`);
	});
}
