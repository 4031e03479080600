// The adapter as a skill sees it: its own methods, but `call` goes through the core, so that the guard sees every call.

/**
 * @typedef {import("./plugin-session.js").Adapter} Adapter
 * @typedef {(tool: string, args?: unknown) => Promise<unknown>} Call
 */

/**
 * @param {Adapter | undefined} adapter the plugin's own; none when an MCP server answers for it
 * @param {Call} call
 * @returns {Adapter}
 */
export function skillAdapter(adapter, call) {
	return adapter ? guarded(adapter, call) : callOnly(call);
}

/**
 * @param {Adapter} adapter
 * @param {Call} call
 * @returns {Adapter}
 */
function guarded(adapter, call) {
	/** @type {Map<unknown, unknown>} */
	const bound = new Map();

	/**
	 * Methods run on the adapter itself: a `this` that is a proxy has no private fields.
	 *
	 * @param {unknown} value
	 */
	const bind = (value) => {
		if (typeof value !== "function" || value === adapter.constructor) return value;
		if (!bound.has(value)) bound.set(value, value.bind(adapter));
		return bound.get(value);
	};

	/** @param {PropertyKey} key */
	const read = (key) => (key === "call" ? call : bind(Reflect.get(adapter, key, adapter)));

	// An empty target, since a proxy may not replace the methods of a frozen one.
	return new Proxy(Object.create(Object.getPrototypeOf(adapter)), {
		get: (_, key) => read(key),
		set: (_, key, value) => Reflect.set(adapter, key, value, adapter),
		has: (_, key) => key in adapter,
		ownKeys: () => Reflect.ownKeys(adapter),
		getOwnPropertyDescriptor: (_, key) => {
			const own = Reflect.getOwnPropertyDescriptor(adapter, key);
			return own && { value: read(key), writable: true, enumerable: own.enumerable, configurable: true };
		},
	});
}

/**
 * @param {Call} call
 * @returns {Adapter}
 */
function callOnly(call) {
	/** @param {string} method */
	const refuse = (method) => async () => {
		throw Object.assign(new Error(`adapter.${method} is not available: this plugin's tools come from an MCP server`), {
			code: "NOT_AVAILABLE",
			hint: "Use adapter.call(tool, args) with the tool's name.",
		});
	};
	return { call, listTools: refuse("listTools"), search: refuse("search"), describe: refuse("describe") };
}
