const GATE = "runtime/src/trust/gate.rs";
const SETTINGS = "runtime/src/trust/settings.rs";
const E2E = "e2e/trust/trust.test.js";
const RUG_PULL = "a description that changes between two runs is held back, told, and works when it is accepted";

/** @type {(import("../list.mjs").Guard | import("../list.mjs").Untested)[]} */
export const definitions = [
	{
		threat: "A server changes the description, schema or annotations of a tool",
		file: GATE,
		take: "!changed.is_empty()",
		leave: "false",
		tests: [{ js: E2E, name: RUG_PULL }, { rust: "what_is_new_or_changed_waits_until_it_is_accepted" }],
	},
	{
		threat: "A server adds a tool, or changes one, while it runs",
		file: GATE,
		take: "return Some(Why::New)",
		leave: "return None",
		tests: [
			{ js: E2E, name: "a tool that comes while the server runs waits, also where the server announces it" },
			{ rust: "what_is_new_or_changed_waits_until_it_is_accepted" },
		],
	},
	{
		threat: "The catalogue cache shows a definition that is not trusted",
		file: "runtime/src/plugin/instance/kept.rs",
		take: "gate.admit_kept(kept.tools)",
		leave: "kept.tools",
		tests: [{ js: E2E, name: "a tool that goes is no alarm, and what an earlier run kept is no way round" }],
	},
	{
		threat: "The catalogue cache shows a definition that is not trusted",
		file: GATE,
		take: "self.why_held(candidate, pins.as_ref(), &ours).is_none()",
		leave: "true",
		tests: [{ rust: "what_an_earlier_run_kept_is_no_way_round" }],
	},
	{
		threat: "A held-back tool is called all the same",
		file: "runtime/src/plugin/instance/listing.rs",
		take: "gate.admit(listed, whole)",
		leave: "listed.into_iter().map(|each| each.tool).collect::<Vec<_>>()",
		tests: [{ js: E2E, name: RUG_PULL }],
	},
	{
		threat: "A held-back tool is called all the same",
		file: "runtime/src/facade/execute.rs",
		take: "plugin.gate().refusal(name)",
		leave: "None::<Failure>",
		tests: [{ js: E2E, name: RUG_PULL }],
	},
	{
		threat: "A project ships a lock file, or switches pinning or the scan off",
		file: SETTINGS,
		take: "definitions.max(other.definitions.unwrap_or(definitions))",
		leave: "other.definitions.unwrap_or(definitions)",
		tests: [
			{ js: E2E, name: "a project asks for more than the user, and never for less" },
			{ rust: "trust::settings::tests::a_project_may_only_ask_for_more" },
		],
	},
	{
		threat: "A project ships a lock file, or switches pinning or the scan off",
		file: SETTINGS,
		take: "self.scan().max(other.scan.unwrap_or(self.scan()))",
		leave: "other.scan.unwrap_or(self.scan())",
		tests: [{ rust: "trust::settings::tests::a_project_may_only_ask_for_more" }],
	},
	{
		threat: "A project ships a lock file, or switches pinning or the scan off",
		file: SETTINGS,
		within: "unpinned: self.unpinned",
		take: "self.unpinned",
		leave: "[self.unpinned, other.unpinned].concat()",
		tests: [{ rust: "trust::settings::tests::a_project_may_only_ask_for_more" }],
	},
	{
		threat: "A server changes its own content to count as a new one",
		file: "runtime/src/trust/source.rs",
		take: "located(word, &cwd)",
		leave: `format!("{} {:?}", located(word, &cwd), std::fs::read(cwd.join(word)).ok())`,
		tests: [{ rust: "a_server_is_known_by_its_place_and_not_by_its_content" }],
	},
	{
		threat: "What is accepted is not what was shown",
		file: GATE,
		take: "expected.is_some_and(|expected| expected != digest(&state.held))",
		leave: "false",
		tests: [{ rust: "only_what_was_shown_is_accepted" }],
	},
	{
		threat: "Two runtimes bless two different first definitions",
		file: GATE,
		take: "before.completed(first())",
		leave: "{ drop(before); first() }",
		tests: [{ rust: "two_runtimes_that_see_different_things_first_do_not_bless_both" }],
	},
	{
		threat: "Two runtimes bless two different first definitions",
		file: "runtime/src/trust/lock_file.rs",
		take: "self.lock()?",
		leave: "File::open(std::env::temp_dir()).map_err(|error| self.unwritable(&error))?",
		tests: [{ rust: "many_writers_at_once_lose_nothing" }],
	},
	{
		threat: "A broken or read-only lock file stops calls or switches pinning off silently",
		file: GATE,
		take: "state.memory = Some(pins.clone());",
		tests: [{ rust: "a_lock_file_that_is_of_no_use_is_told_and_stops_nothing" }],
	},
	{
		threat: "A broken or read-only lock file stops calls or switches pinning off silently",
		file: GATE,
		take: "state.trouble = Some(error.to_string());",
		tests: [
			{ js: E2E, name: "a broken lock file is told and stops nothing" },
			{ rust: "a_lock_file_that_is_of_no_use_is_told_and_stops_nothing" },
		],
	},
	{
		threat: "A list that ended early is pinned",
		file: GATE,
		take: "self.pinned && whole && !candidates.is_empty()",
		leave: "self.pinned && !candidates.is_empty()",
		tests: [
			{ rust: "a_first_listing_that_lacks_something_pins_nothing_for_good" },
			{ js: E2E, name: "what a server lists in part is not pinned" },
		],
	},
	{
		threat: "Instructions hidden in Unicode tags, zero-width or bidi characters of a description",
		file: GATE,
		take: "tool.without_hidden()",
		leave: "tool",
		tests: [
			{ js: E2E, name: "instructions in Unicode tags never reach a model, and are told to the user" },
			{ rust: "what_nobody_sees_does_not_reach_the_model" },
		],
	},
	{
		threat: "Instructions to the model in a description",
		file: "runtime/src/trust/scan.rs",
		take: "phrases::scan(text, own)",
		leave: "Vec::new()",
		tests: [{ rust: "what_a_description_has_no_reason_to_say_is_found" }],
	},
	{
		threat: "Instructions to the model in a description",
		file: "runtime/src/trust/scan.rs",
		take: "each_text_of(value, &place, look);",
		tests: [{ rust: "every_text_of_a_tool_is_looked_at" }],
	},
	{
		threat: "Instructions to the model in a description",
		file: GATE,
		take: "return Some(Why::Suspicious)",
		leave: "return None",
		tests: [{ rust: "a_suspicious_tool_is_told_or_held_back" }],
	},
	{
		threat: "Control characters in a diff",
		file: "runtime/src/trust/diff.rs",
		take: "visible(&shown)",
		leave: "shown",
		tests: [{ rust: "a_person_sees_what_has_changed_and_nothing_hidden" }],
	},
	{
		threat: "A tool or plugin shadows or imitates another's name",
		file: "runtime/src/trust/imitation.rs",
		take: "other.name().is_ascii() != owner.name().is_ascii()",
		leave: "false",
		tests: [
			{ rust: "names_that_look_the_same_are_told" },
			{ js: E2E, name: "what looks like another plugin's tool is told" },
		],
	},
	{
		threat: "A tool or plugin shadows or imitates another's name",
		file: "runtime/src/trust/imitation.rs",
		take: "looks(prefix) == looks(other)",
		leave: "false",
		tests: [{ rust: "names_that_look_the_same_are_told" }],
	},
	{
		threat: "Instructions hidden in Unicode tags of a result or an error",
		file: "runtime/src/reply/tags.rs",
		take: "*text = kept;",
		tests: [{ rust: "only_tags_are_taken_out" }],
	},
];
