import { CHECKS } from "./checks/results.js";
import { runCases } from "./run-case.js";

runCases(CHECKS);
