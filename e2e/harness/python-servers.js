import { PythonEnvironment } from "./python-environment.js";

/** The MCP servers that are written in Python, and the SDK they are made with; its requirements: see e2e/README.md. */
export const PYTHON_SERVERS = new PythonEnvironment("python-servers", "e2e/servers/requirements.txt");

/** @param {string} name of a program among them */
export const pythonProgram = (name) => PYTHON_SERVERS.program(name);

export const arePythonServersInstalled = () => PYTHON_SERVERS.isInstalled;

export const withoutPython = () => PYTHON_SERVERS.missing;
