const model = { type: "string", minLength: 1, description: "As list_models names it, such as gemma3:4b" };
const options = { type: "object", description: "Of the model, such as temperature, num_ctx, num_predict, seed" };
const keepAlive = {
	type: ["string", "number"],
	description: "How long the model stays in memory, such as 5m; 0 unloads it",
};
const format = {
	anyOf: [{ const: "json" }, { type: "object" }],
	description: "`json`, or a JSON Schema that the answer follows",
};
const images = { type: "array", items: { type: "string" }, description: "Pictures in base64, for models that see" };
const think = {
	type: ["boolean", "string"],
	description: "Whether a model that can think does, or how hard: low, medium, high",
};

const GENERATE = object(
	{
		model,
		prompt: { type: "string", description: "What the model is asked" },
		system: { type: "string", description: "How it is to behave" },
		images,
		format,
		think,
		options,
		keep_alive: keepAlive,
	},
	["model", "prompt"],
);

const message = object(
	{
		role: { enum: ["system", "user", "assistant", "tool"] },
		content: { type: "string" },
		images,
	},
	["role", "content"],
);

const CHAT = object(
	{
		model,
		messages: { type: "array", items: message, minItems: 1, description: "The conversation so far, the question last" },
		format,
		think,
		options,
		keep_alive: keepAlive,
	},
	["model", "messages"],
);

const PULL = object(
	{ model: { type: "string", minLength: 1, description: "From ollama.com/library, such as gemma3:4b" } },
	["model"],
);
const NOTHING = object({}, []);
const JOB = object(
	{ jobId: { type: "string", minLength: 1, description: "As start_generate, start_chat or start_pull gave it" } },
	["jobId"],
);

/** Name, what it does, and its arguments. */
export const TOOLS = [
	tool("list_models", "Lists the models that are installed, with size, family and quantization", NOTHING),
	tool(
		"list_running_models",
		"Lists the models that are loaded into memory now, with how much of it they use",
		NOTHING,
	),
	tool("generate", "Asks a model for text once and waits for it; for pictures too", GENERATE),
	tool("chat", "Asks a model for the next message of a conversation and waits for it", CHAT),
	tool("pull_model", "Downloads a model and waits for it, telling its progress", PULL),
	tool("start_generate", "Begins what generate does and gives a jobId at once", GENERATE),
	tool("start_chat", "Begins what chat does and gives a jobId at once", CHAT),
	tool("start_pull", "Begins the download of a model and gives a jobId at once", PULL),
	tool("job_status", "How far a job is; its result when it is done, its error when it failed", JOB),
	tool("list_jobs", "Lists the jobs of this run with their states, the latest first", NOTHING),
	tool("cancel_job", "Ends a job that runs; what it has downloaded is kept", JOB),
];

/**
 * @param {string} name
 * @param {string} description
 * @param {object} inputSchema
 */
function tool(name, description, inputSchema) {
	return { name, description, inputSchema };
}

/**
 * @param {object} properties
 * @param {string[]} required
 */
function object(properties, required) {
	return { type: "object", properties, required, additionalProperties: false };
}
