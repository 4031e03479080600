import { calledAs } from "../called-as.js";
import { whyLeftOut } from "../configured/left-out.js";
import { print, printWarnings, say } from "../report.js";
import { runRuntime } from "../run-runtime.js";

/**
 * @typedef {import("./sources.js").Source} Source
 *
 * @typedef {object} Outcome
 * @property {string} file
 * @property {string} scope
 * @property {"written" | "same" | "not written"} state
 * @property {string} [diff]
 */

/**
 * What the runtime makes of what was imported. It starts nothing.
 *
 * @param {import("../command-line.js").CommandOptions} options
 * @param {Outcome} outcome
 * @param {Source[]} sources
 * @param {string | undefined} alone a file that no runtime finds by itself
 */
export async function reportImported(options, outcome, sources, alone) {
	const open = alone === undefined ? undefined : { open: { config: alone, pluginDirs: [], packageRoot: null } };
	await runRuntime(
		options,
		async (runtime) => {
			const { plugins, warnings } = await runtime.status();
			const used = new Set(plugins.flatMap(({ name, prefix }) => [name, prefix]));
			const clients = sources.map(({ item, title, files, servers, own, mistakes }) => ({
				client: item,
				title,
				files,
				servers: servers.filter((name) => used.has(name)),
				leftOut: [
					...servers
						.filter((name) => !used.has(name))
						.map((name) => ({ name, why: whyLeftOut(name, files, warnings) ?? "it is switched off" })),
					...own.map((name) => ({ name, why: "it is agent-tools itself" })),
				],
				mistakes,
			}));
			if (options.json) {
				const shown = clients.map(({ title: _title, ...client }) => client);
				return print(`${JSON.stringify({ ...outcome, clients: shown, warnings }, null, 2)}\n`);
			}
			for (const { title, servers, leftOut, mistakes } of clients) {
				say(`${title}: ${servers.length > 0 ? servers.join(", ") : "no server that can be used"}`);
				for (const { name, why } of leftOut) say(`  ${name} is left out: ${why}`);
				printWarnings(mistakes);
			}
			const told = clients.flatMap(({ leftOut }) => leftOut.map(({ why }) => why));
			const files = sources.flatMap((source) => source.files);
			printWarnings(
				warnings.filter(
					(warning) => files.some((file) => warning.includes(file)) && !told.some((why) => warning.endsWith(why)),
				),
			);
			say(`\`${calledAs()} list\` starts them, and says whether they work.`);
		},
		open,
	);
}
