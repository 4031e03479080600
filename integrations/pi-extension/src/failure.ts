/** A failure as the core words it: what failed, under which stable code, and what to do about it. */
export interface Failure {
	code: string;
	error: string;
	hint?: string;
}

/** Reads whatever was thrown. */
export function failureOf(error: unknown): Failure {
	const { code, hint } = Object(error) as { code?: unknown; hint?: unknown };
	return {
		code: typeof code === "string" ? code : "INTERNAL",
		error: error instanceof Error ? error.message : String(error),
		...(typeof hint === "string" ? { hint } : {}),
	};
}

/** One line for a person. */
export function describeFailure(error: unknown): string {
	const failure = failureOf(error);
	return [`${failure.code}: ${failure.error}`, failure.hint].filter(Boolean).join(" ").replaceAll("\n", " ");
}
