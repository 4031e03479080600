import { CHECKS } from "./checks/schemas.js";
import { runCases } from "./run-case.js";

runCases(CHECKS);
