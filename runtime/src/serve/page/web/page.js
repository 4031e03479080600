import { beginCall, tryEntry } from "./call.js";
import { byId, show } from "./dom.js";
import { beginHealth, showHealth } from "./health.js";
import { beginLive } from "./live.js";
import { beginPlugins, showPlugins } from "./plugins.js";
import { beginSearch } from "./search.js";
import { ask, begin } from "./server.js";
import { beginTabs, isOpen, open } from "./tabs.js";
import { showTokens } from "./tokens.js";

/** Says what to do, where the link had no token or an old one. */
function lock() {
	byId("app").hidden = true;
	byId("locked").hidden = false;
	show(byId("example"), `${location.origin}/#token=…`);
	show(byId("about"));
	byId("locked").querySelector("h2")?.focus();
}

/** @param {{plugin: string, kind: string, name: string}} entry */
function onTry(entry) {
	open("try");
	tryEntry(entry);
}

async function start() {
	if (!begin(lock)) return lock();
	try {
		const { version, plugins } = await ask("overview");
		const count = plugins.length === 1 ? "1 plugin" : `${plugins.length} plugins`;
		show(byId("about"), `${version} · ${count} · ${location.host}`);
	} catch (error) {
		if (byId("locked").hidden) show(byId("about"), /** @type {Error} */ (error).message);
		return;
	}
	byId("app").hidden = false;
	beginPlugins(onTry);
	beginSearch(onTry);
	beginCall();
	beginHealth();
	beginLive(() => {
		if (isOpen("plugins")) showPlugins();
	});
	beginTabs({
		plugins: showPlugins,
		search: () => byId("query").focus(),
		try: () => {},
		live: () => {},
		tokens: showTokens,
		health: showHealth,
	});
}

// A link that is opened in a tab that has the page changes nothing but the part behind `#`.
addEventListener("hashchange", () => {
	if (location.hash.startsWith("#token=")) location.reload();
});
start();
