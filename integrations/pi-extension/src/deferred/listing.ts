import type { PluginStatus, Runtime } from "@rckflr/agent-tools-runtime";

/** Plugins that are started at the same time to learn what they offer. */
const AT_ONCE = 4;

/** Starts plugins of which nothing is known, a few at a time, so that what they offer becomes known. */
export class Listing {
	#runtime: Runtime;
	#onListed: (plugin: PluginStatus) => Promise<void>;
	#onFailed: (plugin: PluginStatus, error: unknown) => void;
	/** Those that are listed now, or wait for it. */
	#running = new Map<string, Promise<void>>();
	#slots: Promise<void>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
	#turn = 0;

	constructor(
		runtime: Runtime,
		onListed: (plugin: PluginStatus) => Promise<void>,
		onFailed: (plugin: PluginStatus, error: unknown) => void,
	) {
		this.#runtime = runtime;
		this.#onListed = onListed;
		this.#onFailed = onFailed;
	}

	/** Settles when those of the plugins that `wanted` names are listed, or have failed. Each use tries the failed ones again. */
	async complete(wanted: (prefix: string) => boolean): Promise<void> {
		const { plugins } = await this.#runtime.status();
		const unknown = plugins.filter(({ tools, prefix }) => tools === undefined && wanted(prefix));
		await Promise.all(unknown.map((plugin) => this.#running.get(plugin.prefix) ?? this.#begin(plugin)));
	}

	#begin(plugin: PluginStatus): Promise<void> {
		const slot = this.#turn++ % AT_ONCE;
		const listed = (this.#slots[slot] ?? Promise.resolve()).then(() => this.#list(plugin));
		this.#slots[slot] = listed;
		this.#running.set(plugin.prefix, listed);
		return listed;
	}

	/** Never rejects. */
	async #list(plugin: PluginStatus): Promise<void> {
		try {
			await this.#runtime.tools({ kind: "flat", plugin: plugin.prefix });
			await this.#onListed(plugin);
		} catch (error) {
			this.#onFailed(plugin, error);
		} finally {
			this.#running.delete(plugin.prefix);
		}
	}
}
