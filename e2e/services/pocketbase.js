// The real PocketBase, asked through a server that remembers what it was asked and may answer something else.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../harness/free-port.js";
import { POCKETBASE_PROGRAM } from "../harness/pocketbase-program.js";
import { until } from "../harness/until.js";
import { startJsonService } from "./json-service.js";

export const EMAIL = "root@example.com";
export const PASSWORD = "canary-password";

/** One PocketBase; starting it takes a second, so that tests share it. */
export class PocketBase {
	#folder = mkdtempSync(path.join(tmpdir(), "pocketbase-"));
	/** Beside it PocketBase looks for scripts and migrations. */
	#data = ["--dir", path.join(this.#folder, "data")];
	/** @type {import("node:child_process").ChildProcess | undefined} */
	#child;
	#url = "";
	/** @type {string | undefined} */
	#token;

	async start() {
		this.endSessions();
		const address = `127.0.0.1:${await freePort()}`;
		this.#url = `http://${address}`;
		const args = ["serve", "--http", address, "--automigrate=false", ...this.#data];
		this.#child = spawn(POCKETBASE_PROGRAM, args, { stdio: ["ignore", "ignore", "inherit"] });
		const health = () => fetch(`${this.#url}/api/health`).catch(() => undefined);
		await until("PocketBase", async () => (await health())?.ok);
	}

	stop() {
		this.#child?.kill("SIGKILL");
		rmSync(this.#folder, { recursive: true, force: true });
	}

	/** Creates the superuser, or gives it its password again; either way no token of it is good any more. */
	endSessions() {
		this.#token = undefined;
		execFileSync(POCKETBASE_PROGRAM, ["superuser", "upsert", EMAIL, PASSWORD, ...this.#data], { stdio: "ignore" });
	}

	/**
	 * @param {import("node:test").TestContext} t
	 * @param {import("./json-service.js").Behaviour} [behaviour]
	 */
	askedBy(t, behaviour) {
		return startJsonService(t, (asked) => this.#forward(asked), behaviour);
	}

	/**
	 * What a superuser does.
	 *
	 * @param {string} method
	 * @param {string} path
	 * @param {object} [body]
	 */
	async administer(method, path, body) {
		return this.#done(method, path, body, await this.token());
	}

	/** Of the superuser. Getting one takes a while, as it should. */
	async token() {
		const login = { identity: EMAIL, password: PASSWORD };
		const path = "/api/collections/_superusers/auth-with-password";
		this.#token ??= (await this.#done("POST", path, login)).token;
		return this.#token;
	}

	async #done(method, path, body, token) {
		const { status, body: said } = await this.#send(method, path, { body, authorization: token });
		if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(said)}`);
		return said;
	}

	#forward({ method, path, query, headers: { authorization, "content-type": contentType }, body }) {
		return this.#send(method, `${path}?${new URLSearchParams(query)}`, { body, authorization, contentType });
	}

	async #send(method, path, { body, authorization, contentType = "application/json" }) {
		const response = await fetch(this.#url + path, {
			method,
			headers: { "content-type": contentType, ...(authorization && { authorization }) },
			body: body && JSON.stringify(body),
		});
		const said = await response.text();
		return { status: response.status, body: said === "" ? undefined : JSON.parse(said) };
	}
}
