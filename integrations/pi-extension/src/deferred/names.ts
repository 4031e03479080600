import { createHash } from "node:crypto";

/** What every model provider accepts. */
const MAX_NAME = 64;
const CHECKSUM = 8;

/** Gives the tools of all plugins names that are unique, and the same in every session. */
export class DeferredNames {
	/** Who has a name. */
	#owners = new Map<string, string>();

	/**
	 * `<prefix>__<tool>`: Pi's search takes what follows the last `__` for the tool's own name. A name that is too long, or
	 * that another plugin's tool has, ends with a checksum.
	 */
	of(prefix: string, tool: string): string {
		const owner = JSON.stringify([prefix, tool]);
		const plain = `${prefix}__${tool}`;
		if (plain.length <= MAX_NAME && (this.#owners.get(plain) ?? owner) === owner) {
			this.#owners.set(plain, owner);
			return plain;
		}
		const sum = createHash("sha256").update(owner).digest("hex").slice(0, CHECKSUM);
		const name = `${plain.slice(0, MAX_NAME - CHECKSUM - 1)}_${sum}`;
		this.#owners.set(name, owner);
		return name;
	}
}
