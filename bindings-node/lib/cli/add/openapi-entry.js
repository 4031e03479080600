import { placeFrom } from "../configured/config-text.js";
import { credentialsOf } from "../plugin/credentials.js";
import { variableStem } from "../plugin/names.js";
import { parsedDocument, readDocument, serverOf } from "../plugin/openapi-document.js";
import { checkAddress } from "./entry.js";

/**
 * What stands behind a name of `openapi`: where the document is, where the service is unless the document may say so, and the
 * variables that hold its credentials.
 *
 * @param {string} name
 * @param {string} from a file or an address
 * @param {string} config the file that the entry stands in
 * @returns {Promise<{entry: Record<string, unknown>, notes: string[]}>}
 */
export async function openapiEntry(name, from, config) {
	const isUrl = /^https?:\/\//i.test(from);
	if (isUrl) checkAddress(from);
	const { document } = parsedDocument(await readDocument(from), from);
	const stem = variableStem(name);
	const server = serverOf(document, from);
	const { auth, environment, unsupported } = credentialsOf(document, stem);
	const elsewhere = isUrl && server !== undefined && new URL(server).origin !== new URL(from).origin;
	const address = `${stem}_URL`;
	const variables = [...(server ? [] : [address]), ...Object.keys(environment)].filter((one) => !process.env[one]);
	return {
		entry: {
			document: isUrl ? from : placeFrom(config, from),
			...(server === undefined && { baseUrl: `\${${address}}` }),
			// The document is read from one place and names another: only the settings can confirm that.
			...(elsewhere && { baseUrl: server }),
			...(Object.keys(auth).length > 0 && { auth }),
		},
		notes: [
			...(elsewhere ? [`Requests and credentials go to ${server}, as the document says.`] : []),
			...(variables.length > 0 ? [`It reads the variables ${variables.join(", ")}, which are not set here.`] : []),
			...unsupported.map((scheme) => `The security scheme \`${scheme}\` is not supported, so nothing is sent for it.`),
		],
	};
}
