import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { AgentToolsError } from "../../agent-tools-error.js";
import { UsageError } from "../usage-error.js";

const PATIENCE_MS = 30_000;

/**
 * The text of a file or of what an address answers.
 *
 * @param {string} from
 */
export async function readDocument(from) {
	if (!isAddress(from)) {
		try {
			return readFileSync(from, "utf8");
		} catch (error) {
			const { code } = /** @type {NodeJS.ErrnoException} */ (error);
			const why = code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : `cannot be read: ${code}`;
			throw new UsageError(`${from} ${why}`, "Name an OpenAPI or Swagger document, JSON or YAML: a file, or a URL.");
		}
	}
	try {
		const response = await fetch(from, { signal: AbortSignal.timeout(PATIENCE_MS) });
		if (!response.ok) throw new Error(`it answers ${response.status}`);
		return await response.text();
	} catch (error) {
		const { message, cause } = /** @type {Error} */ (error);
		const why = cause instanceof Error ? cause.message || /** @type {NodeJS.ErrnoException} */ (cause).code : message;
		throw new AgentToolsError("UPSTREAM_UNREACHABLE", `${withoutSecrets(from)} could not be read: ${why}`, {
			hint: "Look at it in a browser; a document that needs a login is saved as a file first.",
		});
	}
}

/**
 * @param {string} text
 * @param {string} from
 * @returns {{document: any, format: "json" | "yaml"}}
 */
export function parsedDocument(text, from) {
	const { document, format } = parsed(text.replace(/^\uFEFF/, ""), from);
	const isOne = typeof document === "object" && document !== null && ("openapi" in document || "swagger" in document);
	if (!isOne) {
		throw new AgentToolsError(
			"CONFIG_INVALID",
			`${withoutSecrets(from)} is no OpenAPI document: it has neither \`openapi\` nor \`swagger\``,
			{ hint: "Name the document itself, not a page that shows it; it is often at /openapi.json." },
		);
	}
	return { document, format };
}

/**
 * Where the document says that the service is, if that is an address.
 *
 * @param {any} document
 * @param {string} [from]
 * @returns {string | undefined}
 */
export function serverOf(document, from) {
	const { host, basePath = "", schemes } = document;
	const url = host ? `${schemes?.[0] ?? "https"}://${host}${basePath}` : document.servers?.[0]?.url;
	// `{region}` is for the author to decide, and what a placeholder holds not for the document.
	if (typeof url !== "string" || /[{}$]/.test(url)) return undefined;
	const base = from !== undefined && isAddress(from) ? from : undefined;
	if (!URL.canParse(url, base)) return undefined;
	const address = new URL(url, base);
	return isAddress(address.href) && !address.username ? address.href.replace(/\/$/, "") : undefined;
}

/** @param {string} text */
function isAddress(text) {
	return /^https?:\/\//i.test(text);
}

/**
 * An address may hold a key in its query.
 *
 * @param {string} from
 */
function withoutSecrets(from) {
	if (!isAddress(from) || !URL.canParse(from)) return from;
	const { origin, pathname } = new URL(from);
	return `${origin}${pathname}`;
}

/**
 * @param {string} text
 * @param {string} from
 * @returns {{document: unknown, format: "json" | "yaml"}}
 */
function parsed(text, from) {
	try {
		return { document: JSON.parse(text), format: "json" };
	} catch (jsonError) {
		try {
			return { document: parse(text), format: "yaml" };
		} catch (yamlError) {
			const error = /** @type {Error} */ (/^\s*[{[]/.test(text) ? jsonError : yamlError);
			const [why = ""] = error.message.split("\n");
			throw new AgentToolsError("CONFIG_INVALID", `${withoutSecrets(from)} is neither JSON nor YAML: ${why}`, {
				hint: "Name an OpenAPI or Swagger document.",
			});
		}
	}
}
