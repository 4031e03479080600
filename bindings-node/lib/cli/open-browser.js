import { spawn } from "node:child_process";

/**
 * Opens an address with the system's own program. That it cannot be opened is no error: it has been shown.
 *
 * @param {string} url
 */
export function openBrowser(url) {
	const [command, ...args] = openerOf(process.platform, url);
	if (!command) return;
	const child = spawn(command, args, { stdio: "ignore", detached: true });
	child.on("error", () => {});
	child.unref();
}

/**
 * No shell sees the address: it is another server's text.
 *
 * @param {NodeJS.Platform} platform
 * @param {string} url
 * @returns {string[]}
 */
export function openerOf(platform, url) {
	if (!/^https?:\/\//.test(url)) return [];
	switch (platform) {
		case "darwin":
			return ["open", url];
		case "win32":
			return ["rundll32", "url.dll,FileProtocolHandler", url];
		default:
			return ["xdg-open", url];
	}
}
