// Installs the agent Hermes, each package at an exact version and with its hash checked.

import { HERMES } from "../../e2e/harness/hermes-program.js";
import { installEnvironment } from "./python.mjs";

installEnvironment(HERMES);
