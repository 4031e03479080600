// A JavaScript plugin that shows its variable MODULE_TOKEN everywhere.

import { shown, toolsShowing, written } from "./shown.js";

const given = [`MODULE_TOKEN=${process.env.MODULE_TOKEN}`];

console.error(`loaded with ${written(given).join(" ")}`);
process.stdout.write(`loaded with ${given}\n`);

export class Echo {
	async listTools() {
		return [...toolsShowing(given), { ...toolsShowing(given)[0], name: "hang" }];
	}

	async discoverContext() {
		return { given };
	}

	/**
	 * @param {string} name
	 * @param {unknown} _args
	 * @param {{progress: (report: unknown) => void}} context
	 */
	async call(name, _args, { progress }) {
		progress({ progress: 1, message: given.join(" ") });
		console.error(`called with ${given}`);
		if (name === "refuse") throw Object.assign(new Error(written(given).join(" ")), { code: given[0], hint: given[0] });
		if (name === "hang") return new Promise(() => {});
		if (name === "crash") {
			setTimeout(() => {
				throw new Error(`crashed with ${given}`);
			}, 0);
			return new Promise(() => {});
		}
		return shown(given, name === "error");
	}
}

export const meta = { description: `Throws ${given}`, args: `${given} (string)`, readOnly: true };

/** As a skill: it throws what it was given. */
export async function run() {
	throw Object.assign(new Error(`threw ${given}`), { code: given[0], hint: given[0], stage: given[0] });
}
