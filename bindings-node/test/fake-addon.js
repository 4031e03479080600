// Stands in for the native addon, so that the JavaScript side is tested by itself.

/**
 * @typedef {import("../lib/native-types.d.ts").Native} Native
 * @typedef {import("../lib/native-types.d.ts").NativeRuntime} NativeRuntime
 * @typedef {import("../lib/native-types.d.ts").Dispatch} Dispatch
 */

/** @param {Partial<NativeRuntime>} [methods] */
export function fakeAddon(methods = {}) {
	/** @type {{options?: any, dispatch?: Dispatch, closed: number, closedNow: number, handles: number}} */
	const seen = { closed: 0, closedNow: 0, handles: 0 };

	class CancelHandle {
		cancelled = false;
		onCancel = () => {};
		constructor() {
			seen.handles++;
		}
		cancel() {
			this.cancelled = true;
			this.onCancel();
		}
	}

	/** @type {NativeRuntime} */
	const runtime = {
		tools: async (view) => JSON.stringify([{ name: view }]),
		knownTools: async (view) => JSON.stringify([{ name: view }]),
		agentSkills: async (options) => options,
		writeAgentSkills: async (options) => options,
		instructions: async (view) => view,
		search: async (query, options) => JSON.stringify({ query, options }),
		callTool: async (request) => JSON.stringify({ content: [{ type: "text", text: request }], isError: false }),
		skillCall: async () => "{}",
		status: () => '{"plugins":[],"warnings":[]}',
		loadAll: async () => {},
		reload: async () => {},
		onChange: () => {},
		explainPolicy: async () => "{}",
		forgetDecision: async () => "{}",
		login: async () => "{}",
		logout: async () => "{}",
		trust: async () => "{}",
		accept: async () => "{}",
		report: () => {},
		watchGroup: () => {},
		forgetGroup: () => {},
		serveStdio: async () => {},
		serveHttp: async (options) => options,
		close: async () => void seen.closed++,
		closeNow: () => void seen.closedNow++,
		...methods,
	};

	/** @type {Native} */
	const addon = {
		CancelHandle,
		NativeRuntime: {
			open: (options, dispatch) => {
				Object.assign(seen, { options: JSON.parse(options), dispatch });
				return runtime;
			},
		},
		killTree: () => {},
		scrub: (text) => text,
		secretSet: () => "{}",
		secretList: () => "[]",
		secretRemove: () => {},
		validate: async () => "[]",
		readAudit: async () => "{}",
	};
	return { addon, seen };
}
