import { isatty } from "node:tty";

/**
 * Whether a server is to go on when its terminal is closed. `nohup` asks for that by having SIGHUP ignored, but Node forgets
 * this at its start. What is left to see is that nothing is written to a terminal any more, which `nohup` sees to as well.
 *
 * @param {(descriptor: number) => boolean} [onTerminal]
 */
export function outlivesTerminal(onTerminal = isatty) {
	return !onTerminal(1) && !onTerminal(2);
}
