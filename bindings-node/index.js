export { AgentToolsError } from "./lib/agent-tools-error.js";
export { Runtime } from "./lib/runtime.js";
