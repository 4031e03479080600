import { readdirSync } from "node:fs";
import path from "node:path";
import { native } from "../../native.js";
import { calledAs } from "../called-as.js";
import { secretsOf } from "../configured/secrets.js";
import { flagOf } from "../configured/target.js";
import { readJson } from "../json-file.js";
import { folder } from "../places.js";
import { shellWord } from "../shell-word.js";

/**
 * What is kept of a service beside its entry, and the command that removes it.
 *
 * @param {import("../configured/config-text.js").Named} named
 * @param {string | undefined} rest the file without it
 * @param {import("../configured/target.js").Target} target
 * @returns {{what: string, command: string}[]}
 */
export function leftBehind({ name, entry }, rest, target) {
	const { url } = entry;
	const prefix = typeof entry.prefix === "string" ? entry.prefix : name;
	const flag = flagOf(target);
	// A command knows the login of a service by its entry.
	const logout = `${calledAs()} add ${name} --url ${shellWord(String(url))} --oauth --no-check${flag} && ${calledAs()} logout ${prefix}${
		target.scope === undefined ? flag : ""
	} && ${calledAs()} remove ${name}${flag}`;
	return [
		...(typeof url === "string" && isLoggedIn(url)
			? [{ what: `the login to ${withoutQuery(url)} is kept, for when you add it again`, command: logout }]
			: []),
		...secretsOf(entry)
			.filter((secret) => isKept(secret) && !rest?.includes(`\${secret:${secret}}`))
			.map((secret) => ({
				what: `the secret ${secret} is kept, and nothing else in the file names it`,
				command: `${calledAs()} secret remove ${secret}`,
			})),
	];
}

/** @param {string} url */
function isLoggedIn(url) {
	const dir = path.join(folder("data"), "logins");
	/** @type {string[]} */
	let names = [];
	try {
		names = readdirSync(dir).filter((name) => name.endsWith(".json"));
	} catch {
		// Nobody has logged in yet.
	}
	return names.some((name) => {
		const { server, tokens } = Object(readJson(path.join(dir, name)).value);
		return tokens && typeof server === "string" && withoutQuery(server) === withoutQuery(url);
	});
}

/** @param {string} url */
function withoutQuery(url) {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return origin + pathname;
}

/** @param {string} name */
function isKept(name) {
	try {
		/** @type {{name: string}[]} */
		const kept = JSON.parse(native().secretList());
		return kept.some((one) => one.name === name);
	} catch {
		// The entry is gone all the same; `agent-tools secret list` says what is wrong there.
		return false;
	}
}
