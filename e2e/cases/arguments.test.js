import * as shapes from "./checks/arguments.js";
import * as nested from "./checks/nested.js";
import * as repeats from "./checks/repeats.js";
import { runCases } from "./run-case.js";

runCases({ ...shapes.CHECKS, ...nested.CHECKS, ...repeats.CHECKS });
