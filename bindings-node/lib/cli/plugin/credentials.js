/**
 * @typedef {import("./kinds.js").Environment} Environment
 * @typedef {Record<string, string | {username: string, password: string}>} Auth
 */

const WAYS = {
	key: [["KEY", "the key"]],
	token: [["TOKEN", "the token"]],
	basic: [
		["USER", "the user's name"],
		["PASSWORD", "the user's password"],
	],
};

/**
 * The credentials that a document asks for, each from a variable.
 *
 * @param {any} document
 * @param {string} stem what the variables' names begin with
 * @returns {{auth: Auth, environment: Environment, unsupported: string[]}}
 */
export function credentialsOf(document, stem) {
	/** @type {Record<string, any>} */
	const schemes = document.components?.securitySchemes ?? document.securityDefinitions ?? {};
	/** @type {Auth} */
	const auth = {};
	/** @type {Environment} */
	const environment = {};
	const unsupported = [];
	const names = Object.keys(schemes);
	for (const name of names) {
		const way = wayOf(schemes[name] ?? {});
		if (way === undefined) {
			unsupported.push(name);
			continue;
		}
		const required = isRequired(document.security, name);
		const variables = WAYS[way].map(([ending, what]) => {
			const own = names.length > 1 ? `${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}_${ending}` : ending;
			const variable = freeName(`${stem}_${own}`, environment);
			environment[variable] = { description: `${what} of the service`, required, secret: ending !== "USER" };
			// An empty one is not sent.
			return required ? `\${${variable}}` : `\${${variable}:-}`;
		});
		const [first = "", second = ""] = variables;
		auth[name] = way === "basic" ? { username: first, password: second } : first;
	}
	return { auth, environment, unsupported };
}

/**
 * @param {{type?: string, scheme?: string}} scheme
 * @returns {keyof typeof WAYS | undefined}
 */
function wayOf({ type, scheme = "bearer" }) {
	switch (type) {
		case "apiKey":
			return "key";
		case "basic":
			return "basic";
		case "oauth2":
		case "openIdConnect":
			return "token";
		case "http":
			if (scheme.toLowerCase() === "basic") return "basic";
			return scheme.toLowerCase() === "bearer" ? "token" : undefined;
		default:
			return undefined;
	}
}

/**
 * Whether no operation goes without it, unless it says so itself.
 *
 * @param {unknown} security
 * @param {string} name
 */
function isRequired(security, name) {
	return Array.isArray(security) && security.length > 0 && security.every((way) => name in way);
}

/**
 * @param {string} wanted
 * @param {Environment} taken
 */
function freeName(wanted, taken) {
	let name = wanted;
	for (let number = 2; name in taken; number++) name = `${wanted}_${number}`;
	return name;
}
