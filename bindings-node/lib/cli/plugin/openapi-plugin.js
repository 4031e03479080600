import { addressHoldsSecret } from "../looks-secret.js";
import { UsageError } from "../usage-error.js";
import { credentialsOf } from "./credentials.js";
import { variableStem } from "./names.js";
import { credentialsText } from "./needed-variables.js";
import { parsedDocument, readDocument, serverOf } from "./openapi-document.js";

const EXAMPLE = "openapi.yaml";

/** @type {import("./kinds.js").Kind} */
export async function openapiPlugin({ name, source, templates }) {
	const [from, extra] = source;
	if (extra !== undefined) {
		throw new UsageError(`\`--from openapi\` takes one document, but got \`${extra}\` too`, "Make a plugin of each.");
	}
	const text = from === undefined ? (templates[EXAMPLE] ?? "") : await readDocument(from);
	const { document, format } = parsedDocument(text, from ?? EXAMPLE);
	checkServers(document);
	const file = `openapi.${format}`;
	const stem = variableStem(name);
	const service = `${stem}_URL`;
	const server = serverOf(document, from);
	const { auth, environment, unsupported } = credentialsOf(document, stem);
	/** @type {import("./kinds.js").Environment} */
	const variables = {
		[service]: { description: server ? `another address than ${server}` : "where the service is", required: !server },
		...environment,
	};
	return {
		description: descriptionOf(document),
		words: { VARIABLE: stem, DOCUMENT: file, CREDENTIALS: credentialsText(variables) },
		environment: variables,
		extension: {
			openapi: {
				document: `./${file}`,
				baseUrl: server ? `\${${service}:-${server}}` : `\${${service}}`,
				...(Object.keys(auth).length > 0 && { auth }),
			},
		},
		files: { [file]: text },
		without: file === EXAMPLE ? [] : [EXAMPLE],
		service,
		finds: true,
		notes: [
			...(from === undefined ? [`${file} is an example: put the document of your service in its place.`] : []),
			...unsupported.map((scheme) => `The security scheme \`${scheme}\` is not supported, so nothing is sent for it.`),
		],
		ifBroken: "Correct the document, and run the command again.",
	};
}

/**
 * The document is written as it is, for others to have.
 *
 * @param {any} document
 */
function checkServers({ host, servers }) {
	const urls = [
		...(host ? [`https://${host}`] : []),
		...(Array.isArray(servers) ? servers : []).map((one) => one?.url),
	];
	// What `{placeholder}` stands for is not in it.
	if (!urls.some((url) => typeof url === "string" && addressHoldsSecret(url.replaceAll(/\{[^}]*\}/g, "")))) return;
	throw new UsageError(
		"the document's address of the service holds what looks like a secret, which is written into no file",
		"Take it out of the document: a security scheme of it says how the service is given a secret.",
	);
}

/** @param {any} document */
function descriptionOf({ info = {} }) {
	const line = (/** @type {unknown} */ value) =>
		typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
	const [sentence = ""] = line(info.description).split(/(?<=\.)\s/);
	const text = [line(info.title) || "An HTTP service", sentence].filter(Boolean).join(": ");
	return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
