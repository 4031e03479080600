const DIALOGS = "integrations/pi-extension/src/consent/dialogs.ts";
const QUESTION = "integrations/pi-extension/src/consent/question-text.ts";
const PI_TEST = "e2e/pi/consent.test.js";
const CLIENT_TEST = "e2e/policy/approved-by-client.test.js";
const EVE = { js: "e2e/eve/destructive.test.js", parent: "what may destroy something" };

/** @type {(import("../list.mjs").Guard | import("../list.mjs").Untested)[]} */
export const asking = [
	{
		threat: "A model in Pi changes or destroys something that the user does not want",
		file: "integrations/pi-extension/src/tool-definition.ts",
		take: "...(ask ? { ask } : {}),",
		tests: [
			{ js: PI_TEST, name: "shows what would be called, and each yes is one for that call" },
			{ js: PI_TEST, name: "is shown for tools that Pi's own search finds, too" },
		],
	},
	{
		threat: "A closed dialog, an odd answer of an RPC client or silence is taken for a yes",
		file: DIALOGS,
		take: `answer ?? (Date.now() < deadline ? "no" : "unanswered")`,
		leave: `answer ?? "once"`,
		tests: [
			{ js: PI_TEST, name: "sends nothing" },
			{ js: PI_TEST, name: "no answer within the time limit sends nothing, and a later one comes too late" },
		],
	},
	{
		threat: "Two dialogs at once",
		file: DIALOGS,
		take: "this.#last.then(() => show(question, ui, deadline, signal))",
		leave: "show(question, ui, deadline, signal)",
		tests: [{ js: PI_TEST, name: "questions about several tools at once are shown one after the other" }],
	},
	{
		threat: "A dialog outlives the call it was about",
		file: DIALOGS,
		take: "...(signal ? { signal } : {})",
		tests: [{ js: PI_TEST, name: "cancelling the turn ends the dialog, and the next question is shown" }],
	},
	{
		threat: "Arguments or names hide what they are",
		file: QUESTION,
		take: "bounded(visible(text), chars)",
		leave: "bounded(text, chars)",
		tests: [{ js: PI_TEST, name: "hides nothing: neither characters nor what is too long" }],
	},
	{
		threat: "Arguments or names hide what they are",
		file: QUESTION,
		take: "bounded(visible(text), chars)",
		leave: "visible(text).slice(0, chars)",
		tests: [{ js: PI_TEST, name: "hides nothing: neither characters nor what is too long" }],
	},
	{
		threat: "An Enter that was meant for the editor agrees",
		file: DIALOGS,
		take: `["no", "No"],\n\t["once", "Yes, this once"],`,
		leave: `["once", "Yes, this once"],\n\t["no", "No"],`,
		tests: [{ js: PI_TEST, name: "shows what would be called, and each yes is one for that call" }],
	},
	{
		threat: "`pi -p` destroys something with nobody there",
		file: "runtime/src/guard/consent.rs",
		take: "self.asking.headless == Headless::Confirm && !destructive",
		leave: "true",
		tests: [
			{ js: PI_TEST, name: "destroys nothing, and says which rule would allow it" },
			{ js: PI_TEST, name: "changes nothing either where the policy says so" },
		],
	},
	{
		threat: "`pi -p` destroys something with nobody there",
		file: DIALOGS,
		take: "if (!hasUI) return undefined;",
		leave: `if (!hasUI) return async () => "once";`,
		tests: [
			{ js: PI_TEST, name: "destroys nothing, and says which rule would allow it" },
			{ js: PI_TEST, name: "changes nothing either where the policy says so" },
		],
	},
	{
		threat: "A yes to one tool becomes a yes to another, or outlives its session",
		file: "runtime/src/guard/answers.rs",
		take: "agreed.covers(wanted)",
		leave: "true",
		tests: [{ rust: "once_is_once_a_session_is_a_session_and_always_outlives_it" }],
	},
	{
		threat: "A yes to one tool becomes a yes to another, or outlives its session",
		file: "runtime/src/guard/answers.rs",
		take: "(session.clone(), plugin.to_owned(), subject, name.to_owned())",
		leave: `(Arc::from(""), plugin.to_owned(), subject, name.to_owned())`,
		tests: [{ rust: "once_is_once_a_session_is_a_session_and_always_outlives_it" }],
	},
	{
		threat: "A yes to one tool becomes a yes to another, or outlives its session",
		file: "runtime/src/policy/remembered.rs",
		take: "self.is_of(&other.plugin, &other.name)",
		leave: "true",
		tests: [{ rust: "a_yes_belongs_to_a_place_and_a_definition_until_it_is_forgotten" }],
	},
	{
		threat: "A `confirm` over HTTP that eve's model or another program made up",
		file: "runtime/src/serve/handler.rs",
		within: "if self.approved_by_client {",
		take: "self.approved_by_client",
		leave: "true",
		tests: [
			{ js: CLIENT_TEST, name: "without it, confirm destroys nothing" },
			{ ...EVE, name: "is refused, approved or not, by a runtime that was not told to believe the client" },
		],
	},
	{
		threat: "With that option, any local program consents",
		file: "runtime/src/serve/http.rs",
		take: "options.approved_by_client && open",
		leave: "false",
		tests: [{ js: CLIENT_TEST, name: "does not start where anybody could consent" }],
	},
	{
		threat: "With that option, a rule that denies is overridden",
		file: "runtime/src/guard/consent.rs",
		take: "ruling.decision == Decision::Deny",
		leave: "false",
		tests: [{ rust: "a_client_that_has_asked_lifts_no_rule_that_denies" }],
	},
	{
		threat: "A yes to a skill in eve covers what that destroys",
		file: "runtime/src/serve/client_approval.rs",
		take: "false",
		leave: "true",
		tests: [{ js: CLIENT_TEST, name: "a yes to a skill is none to what that destroys" }],
	},
	{
		threat: "A read-only tool that the user wants to be asked about runs unasked in eve",
		file: "runtime/src/facade/flat.rs",
		take: "plugin.trusts(tool) && free",
		leave: "plugin.trusts(tool)",
		tests: [
			{ js: CLIENT_TEST, name: "what is to be asked about is not marked as reading only, as clients ask by that" },
			{ ...EVE, name: "a tool that reads runs unasked, until a rule wants it asked about" },
		],
	},
	{
		threat: "eve's person denies and the call is sent all the same",
		file: "integrations/eve/connections/agent-tools.ts",
		take: `toolAnnotations?.readOnlyHint === true ? "not-applicable" : "user-approval"`,
		leave: `toolAnnotations ? "not-applicable" : "not-applicable"`,
		tests: [
			{
				js: "e2e/eve/connection.test.js",
				parent: "the connection file",
				name: "a denied mutation never reaches the runtime",
			},
			{ ...EVE, name: "is not sent when a person denied it" },
		],
	},
];
