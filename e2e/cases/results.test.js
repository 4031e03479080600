import * as results from "./checks/results.js";
import * as toolTimeouts from "./checks/tool-timeouts.js";
import { runCases } from "./run-case.js";

runCases(results.CHECKS);
// The same case once more, for the limit of a single tool.
runCases(toolTimeouts.CHECKS);
