// The way to the server. The token comes with the link, behind `#`, and is kept for this tab alone.

const KEPT = "agent-tools-page-token";

/** What the server refused, or that it cannot be reached. */
export class Refused extends Error {
	/** @param {{code: string, error: string, hint?: string | null}} said */
	constructor({ code, error, hint }) {
		super(error);
		this.code = code;
		this.hint = hint ?? undefined;
	}
}

let token = "";
let locked = () => {};

/**
 * Takes the token of the link, and takes it out of the address.
 *
 * @param {() => void} onLocked called when the server wants another token
 */
export function begin(onLocked) {
	locked = onLocked;
	const given = new URLSearchParams(location.hash.slice(1)).get("token");
	if (given) {
		sessionStorage.setItem(KEPT, given);
		history.replaceState(null, "", location.pathname);
	}
	token = given ?? sessionStorage.getItem(KEPT) ?? "";
	return token !== "";
}

/**
 * @param {string} what
 * @param {Record<string, string | number>} [parameters]
 * @returns {Promise<any>}
 */
export async function ask(what, parameters = {}) {
	const query = new URLSearchParams(Object.entries(parameters).map(([key, value]) => [key, String(value)]));
	const response = await send(`${what}${query.size > 0 ? `?${query}` : ""}`, {});
	return response.json();
}

/**
 * @param {string} what
 * @param {unknown} body
 * @returns {Promise<any>}
 */
export async function tell(what, body) {
	const response = await send(what, { method: "POST", body: JSON.stringify(body) });
	return response.json();
}

/**
 * Reads an event stream to its end.
 *
 * @param {string} what
 * @param {{body?: unknown, signal?: AbortSignal}} options with a body, it is posted
 * @param {(event: string, data: any) => void} take
 */
export async function follow(what, { body, signal }, take) {
	const posted = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
	const response = await send(what, { ...posted, signal });
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	let unread = "";
	for (;;) {
		const { done, value } = (await reader?.read()) ?? { done: true, value: "" };
		if (done) return;
		unread += value;
		const events = unread.split("\n\n");
		unread = events.pop() ?? "";
		for (const event of events) {
			const [, name, data] = /^event: (\S+)\ndata: (.*)$/.exec(event) ?? [];
			if (name && data) take(name, JSON.parse(data));
		}
	}
}

/**
 * @param {string} what
 * @param {RequestInit} init
 */
async function send(what, init) {
	const headers = { "x-page-token": token, "content-type": "application/json" };
	/** @type {Response} */
	let response;
	try {
		response = await fetch(`/page/data/${what}`, { ...init, headers });
	} catch (error) {
		if (init.signal?.aborted) throw error;
		throw new Refused({
			code: "UNREACHABLE",
			error: "the server cannot be reached",
			hint: "Start it again with `agent-tools http`, and open the link that it prints.",
		});
	}
	if (response.ok) return response;
	if (response.status === 401) locked();
	throw new Refused(await said(response));
}

/** @param {Response} response */
async function said(response) {
	try {
		const { code, error, hint } = await response.json();
		// What is refused before the page is asked speaks the protocol's language.
		if (typeof error === "string") return { code, error, hint };
		return { code: `HTTP ${response.status}`, error: String(error?.message ?? "the server refused this") };
	} catch {
		return { code: `HTTP ${response.status}`, error: "the server refused this" };
	}
}
