import { claudeCode } from "./claude-code.js";
import { claudeDesktop } from "./claude-desktop.js";
import { codex } from "./codex.js";
import { cursor } from "./cursor.js";
import { droid } from "./droid.js";
import { eve } from "./eve.js";
import { goose } from "./goose.js";
import { hermes } from "./hermes.js";
import { pi } from "./pi.js";
import { vscode } from "./vscode.js";

/** @type {import("../client.js").Client[]} */
export const clients = [pi, eve, claudeCode, claudeDesktop, codex, vscode, cursor, droid, hermes, goose];
