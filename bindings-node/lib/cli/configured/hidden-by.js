import { namedIn, readConfig } from "./config-text.js";
import { isRead, targetsOf } from "./target.js";

/**
 * Why the runtime does not read here what stands in a file.
 *
 * @param {import("./target.js").Target} target
 * @param {{name: string, section: string}} [entry] none for the file as a whole
 */
export function hiddenBy(target, entry) {
	if (!isRead(target)) return `AGENT_TOOLS_CONFIG names another file: as long as it is set, ${target.file} is not read`;
	if (target.scope !== "user" || !entry) return undefined;
	const [first] = targetsOf({});
	if (!first || first.file === target.file) return undefined;
	try {
		const others = namedIn(readConfig(first.file));
		const hides = others.some(({ name, section }) => name === entry.name && section === entry.section);
		return hides ? `${first.file} has a service of this name too, and that one counts in this folder` : undefined;
	} catch {
		// What is wrong with that file is said when the runtime reads it.
		return undefined;
	}
}
