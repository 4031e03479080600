// A program that embeds the runtime: `node embedding-host.mjs <script> <plugin folder>`. It prints what it saw.

import { Runtime } from "../../bindings-node/index.js";

const [script, folder] = process.argv.slice(2);
const open = () => Runtime.open({ pluginDirs: [folder] });
const call = async (runtime, toolName) => {
	const { content } = await runtime.callTool("agent_tools_x_call", { toolName, arguments: {} });
	return JSON.parse(content[0].text);
};

/** @type {Record<string, () => unknown>} */
const SCRIPTS = {
	async "without close"() {
		return call(await open(), "quick");
	},
	async "with listeners and a watch, without close"() {
		const runtime = await Runtime.open({ pluginDirs: [folder], watch: true, onChange: () => {} });
		runtime.onChange(() => {});
		return call(runtime, "quick");
	},
	async "with close"() {
		const runtime = await open();
		const answer = await call(runtime, "quick");
		await runtime.close();
		return answer;
	},
	async "with a call that is awaited"() {
		return call(await open(), "slow");
	},
	async "process.exit during a call"() {
		const runtime = await open();
		await call(runtime, "quick");
		call(runtime, "slow");
		setTimeout(() => process.exit(7), 300);
		await new Promise(() => {});
	},
	async "two runtimes"() {
		const [first, second] = await Promise.all([open(), open()]);
		await call(first, "quick");
		const underWay = call(second, "slow");
		await new Promise((resolve) => setTimeout(resolve, 300));
		await first.close();
		const answer = await underWay;
		const cutOff = call(second, "slow").catch(({ code }) => ({ code }));
		await new Promise((resolve) => setTimeout(resolve, 300));
		await Promise.all([second.close(), second.close()]);
		await second.close();
		return { ...answer, cutOff: (await cutOff).code };
	},
};

console.log(JSON.stringify(await SCRIPTS[script]()));
// A program goes on without its plugins.
if (script === "two runtimes") process.stdin.resume();
