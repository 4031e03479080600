// Installs the MCP servers that are written in Python, each package at an exact version and with its hash checked.

import { PYTHON_SERVERS } from "../../e2e/harness/python-servers.js";
import { installEnvironment } from "./python.mjs";

installEnvironment(PYTHON_SERVERS);
