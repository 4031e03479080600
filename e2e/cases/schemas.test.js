import * as hostile from "./checks/hostile-schemas.js";
import * as schemas from "./checks/schemas.js";
import * as shown from "./checks/shown-schemas.js";
import { runCases } from "./run-case.js";

runCases({ ...schemas.CHECKS, ...shown.CHECKS, ...hostile.CHECKS });
