import { OllamaClient, OllamaError } from "./client.mjs";
import { Jobs } from "./jobs.mjs";
import { TOOLS } from "./tools.mjs";

/**
 * @typedef {{signal?: AbortSignal, progress?: (progress: object) => void}} Context
 * @typedef {(progress: {message: string, progress?: number, total?: number}) => void} Tell
 */

export class OllamaAdapter {
	#client = new OllamaClient();
	#jobs = new Jobs();

	listTools() {
		return { tools: TOOLS };
	}

	/**
	 * @param {string} name
	 * @param {any} args
	 * @param {Context} [context]
	 */
	async call(name, args, { signal, progress = () => {} } = {}) {
		return answer(await this.#run(name, args, signal, progress));
	}

	/**
	 * @param {string} name
	 * @param {any} args
	 * @param {AbortSignal | undefined} signal
	 * @param {Tell} tell
	 */
	#run(name, args, signal, tell) {
		switch (name) {
			case "list_models":
				return this.#list("/api/tags", model, signal);
			case "list_running_models":
				return this.#list("/api/ps", runningModel, signal);
			case "generate":
			case "chat":
			case "pull_model":
				return this.#work(name, args, signal, tell);
			case "start_generate":
			case "start_chat":
			case "start_pull": {
				const kind = name === "start_pull" ? "pull_model" : name.slice("start_".length);
				return this.#jobs.start(kind, args.model, (signal, tell) => this.#work(kind, args, signal, tell));
			}
			case "job_status":
				return this.#jobs.status(args.jobId);
			case "list_jobs":
				return { jobs: this.#jobs.list() };
			case "cancel_job":
				return this.#jobs.cancel(args.jobId);
			default:
				throw new OllamaError(`there is no tool ${name}`);
		}
	}

	/**
	 * @param {string} path
	 * @param {(model: any) => object} shown
	 * @param {AbortSignal | undefined} signal
	 */
	async #list(path, shown, signal) {
		const { models } = await this.#client.get(path, signal);
		return { models: (models ?? []).map(shown) };
	}

	/**
	 * @param {string} kind
	 * @param {any} args
	 * @param {AbortSignal | undefined} signal
	 * @param {Tell} tell
	 */
	#work(kind, args, signal, tell) {
		if (kind === "pull_model") return this.#pull(args, signal, tell);
		return this.#write(kind === "chat" ? "/api/chat" : "/api/generate", args, signal, tell);
	}

	/**
	 * Text in pieces, of either way to ask for it.
	 *
	 * @param {string} path
	 * @param {any} args
	 * @param {AbortSignal | undefined} signal
	 * @param {Tell} tell
	 */
	async #write(path, args, signal, tell) {
		let text = "";
		let thinking = "";
		for await (const part of this.#client.stream(path, args, signal)) {
			text += part.response ?? part.message?.content ?? "";
			thinking += part.thinking ?? part.message?.thinking ?? "";
			if (part.done) {
				return {
					model: part.model,
					text,
					...(thinking && { thinking }),
					...(part.done_reason && { doneReason: part.done_reason }),
					promptTokens: part.prompt_eval_count,
					tokens: part.eval_count,
					seconds: part.total_duration === undefined ? undefined : part.total_duration / 1e9,
				};
			}
			tell({ message: `${text.length || thinking.length} characters` });
		}
		throw cutOff(path, `after ${text.length} characters`);
	}

	/**
	 * @param {{model: string}} args
	 * @param {AbortSignal | undefined} signal
	 * @param {Tell} tell
	 */
	async #pull({ model }, signal, tell) {
		let status = "";
		for await (const part of this.#client.stream("/api/pull", { model }, signal)) {
			status = part.status ?? status;
			if (status === "success") return { model, status };
			const { completed, total } = part;
			tell({ message: status, ...(total && { progress: completed ?? 0, total }) });
		}
		throw cutOff("/api/pull", `at ${JSON.stringify(status)}`);
	}
}

/**
 * @param {string} path
 * @param {string} where
 */
function cutOff(path, where) {
	return new OllamaError(`Ollama's answer to ${path} ended ${where}, before it was complete`);
}

/** @param {any} model */
function model({ name, size, modified_at, details, capabilities }) {
	return {
		name,
		size,
		modified: modified_at,
		family: details?.family,
		parameters: details?.parameter_size,
		quantization: details?.quantization_level,
		capabilities,
	};
}

/** @param {any} model */
function runningModel({ name, size, size_vram, expires_at, context_length }) {
	return { name, size, sizeInVram: size_vram, expires: expires_at, contextLength: context_length };
}

/** @param {unknown} value */
function answer(value) {
	return { content: [{ type: "text", text: JSON.stringify(value) }] };
}
