/**
 * A host's way to ask the user, as the core calls it: JSON text in, JSON text out. What throws has not agreed.
 *
 * @param {import("../index.d.ts").Ask} ask
 * @returns {(questionJson: string) => Promise<string>}
 */
export function askAsText(ask) {
	return async (questionJson) => {
		try {
			const answer = await ask(JSON.parse(questionJson));
			return JSON.stringify({ answer: typeof answer === "string" ? answer : "no" });
		} catch {
			return '{"answer":"no"}';
		}
	};
}
