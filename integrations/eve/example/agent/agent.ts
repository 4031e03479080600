import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { defineAgent } from "eve";

// Any server that speaks the OpenAI chat protocol: a hosted model, or one on this computer.
const provider = createOpenAICompatible({
	name: "example",
	baseURL: process.env.MODEL_BASE_URL ?? "http://127.0.0.1:11434/v1",
	apiKey: process.env.MODEL_API_KEY,
	includeUsage: true,
});

export default defineAgent({
	model: provider(process.env.MODEL_NAME ?? "qwen3"),
	// Needed for every model that eve does not know by itself.
	modelContextWindowTokens: 131_072,
	// No shell and no files: all that this agent can do comes through the connection.
	defaultTools: false,
});
