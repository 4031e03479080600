import * as rest from "./checks/rest.js";
import { runCases } from "./run-case.js";

runCases(rest.CHECKS);
