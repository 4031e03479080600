import { PythonEnvironment } from "./python-environment.js";

/** The agent Hermes, as PyPI has it; its requirements: see e2e/README.md. */
export const HERMES = new PythonEnvironment("hermes", "e2e/clients/hermes.txt");
