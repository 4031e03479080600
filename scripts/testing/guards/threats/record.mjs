const VERIFY = "runtime/src/audit/inspect/verify.rs";
const RECOVER = "runtime/src/audit/recover.rs";
const FILES = "runtime/src/audit/files.rs";
const LOG = "runtime/src/audit/log.rs";
const COMMAND_TEST = "e2e/record/command.test.js";
const LOG_TEST = "e2e/record/log.test.js";
const PROCESSES_TEST = "e2e/record/processes.test.js";
const TELEMETRY_TEST = "e2e/record/telemetry.test.js";
const TAMPERING = "each kind of tampering is found, at its place, and told by the exit code";

/** @type {(import("../list.mjs").Guard | import("../list.mjs").Untested)[]} */
export const record = [
	{
		threat: "somebody changes, removes or inserts a line of the call log",
		file: "runtime/src/audit/chain.rs",
		take: 'digest(format!("{body}}}").as_bytes()) != hash',
		leave: "{ let _ = body; false }",
		tests: [{ rust: "each_kind_of_tampering_is_seen_at_its_place" }, { js: COMMAND_TEST, name: TAMPERING }],
	},
	{
		threat: "somebody changes, removes or inserts a line of the call log",
		file: VERIFY,
		take: "link.prev != before.hash || link.seq != before.seq + 1",
		leave: "false",
		tests: [
			{ rust: "each_kind_of_tampering_is_seen_at_its_place" },
			{ rust: "a_line_put_between_two_with_a_hash_that_fits_is_seen" },
			{ js: COMMAND_TEST, name: TAMPERING },
		],
	},
	{
		threat: "somebody changes, removes or inserts a line of the call log",
		file: VERIFY,
		take: "*met |= head.hash == link.hash && head.seq == link.seq;",
		leave: "*met = true;",
		tests: [{ rust: "each_kind_of_tampering_is_seen_at_its_place" }, { js: COMMAND_TEST, name: TAMPERING }],
	},
	{
		threat: "somebody changes, removes or inserts a line of the call log",
		file: VERIFY,
		take: "!from_the_start && !behind_removed",
		leave: "false",
		tests: [{ rust: "a_file_that_rotation_did_not_remove_is_missed" }],
	},
	{
		threat: "the damage is covered up by going on behind it",
		file: RECOVER,
		take: `problems.push(problem(
            "cut-off",
            json!({ "file": Files::name(head.file), "bytes": missing, "lastSeq": head.seq }),
        ));`,
		tests: [{ rust: "a_tampered_end_stays_broken_when_the_log_goes_on" }],
	},
	{
		threat: "the damage is covered up by going on behind it",
		file: RECOVER,
		take: 'problems.push(problem("head-lost", json!({ "lastSeq": last.seq })));',
		tests: [{ rust: "a_head_that_is_taken_away_is_missed" }],
	},
	{
		threat: "the whole log is written anew",
		file: VERIFY,
		take: "self.broken.is_none() && anchored != Some(false)",
		leave: "self.broken.is_none()",
		tests: [{ rust: "a_hash_that_was_kept_elsewhere_proves_what_was_before" }, { js: COMMAND_TEST, name: TAMPERING }],
	},
	{
		threat: "a crash or a kill loses answered calls or hides a torn line",
		file: RECOVER,
		take: "!rest.is_empty()",
		leave: "false",
		tests: [{ rust: "a_crash_in_the_middle_of_a_line_is_mended_and_told" }],
	},
	{
		threat: "a crash or a kill loses answered calls or hides a torn line",
		file: RECOVER,
		take: "link.prev == head.hash && link.seq == head.seq + 1",
		leave: "{ let _ = &link; false }",
		tests: [{ rust: "a_crash_between_a_line_and_the_head_loses_nothing" }],
	},
	{
		threat: "a crash or a kill loses answered calls or hides a torn line",
		file: RECOVER,
		take: "!files.path(head.file + 1).try_exists()?",
		leave: "true",
		tests: [{ rust: "a_crash_while_a_new_file_begins_loses_nothing" }],
	},
	{
		threat: "a crash or a kill loses answered calls or hides a torn line",
		file: "runtime/src/audit/recorder.rs",
		take: "let _ = log.append(&self.stamped(line()));",
		leave: "drop(line);",
		tests: [
			{ js: PROCESSES_TEST, name: "a process that is killed while it writes harms no line, and the next goes on" },
		],
	},
	{
		threat: "several processes break each other's chain",
		file: FILES,
		take: "lock_within(&lock, wait)?",
		leave: "{ let _ = wait; true }",
		tests: [
			{ rust: "many_writers_make_one_chain" },
			{ js: PROCESSES_TEST, name: "two processes that write at the same time make one chain" },
		],
	},
	{
		threat: "a stopped or dead process that holds the lock blocks all others",
		file: "runtime/src/private_file.rs",
		take: "since.elapsed() >= wait",
		leave: "{ let _ = (since, wait); false }",
		tests: [{ rust: "a_process_that_was_stopped_while_it_wrote_stops_no_other" }],
	},
	{
		threat: "lines are lost unseen",
		file: LOG,
		take: "state.lost += 1;",
		tests: [{ rust: "lines_that_could_not_be_written_are_counted" }],
	},
	{
		threat: "a full disk or missing right stops all work",
		file: "runtime/src/audit/recorder.rs",
		take: "!self.required",
		leave: "false",
		tests: [{ js: PROCESSES_TEST, name: "a log that cannot be written refuses no call, unless it is required" }],
	},
	{
		threat: "calls are made unrecorded where records are required",
		file: "runtime/src/audit/recorder.rs",
		take: "!self.required",
		leave: "true",
		tests: [{ js: PROCESSES_TEST, name: "a log that cannot be written refuses no call, unless it is required" }],
	},
	{
		threat: "a project's file switches the log off",
		file: "runtime/src/audit/settings.rs",
		take: "chosen_by == ChosenBy::User",
		leave: "true",
		tests: [
			{ rust: "audit::settings::tests::a_project_may_only_ask_for_more" },
			{ js: PROCESSES_TEST, name: "a project cannot switch the log off, nor move it" },
		],
	},
	{
		threat: "secrets of arguments end up in the log",
		file: "runtime/src/audit/redact.rs",
		take: 'is_secret_name(key) || (names_secret && key == "value")',
		leave: "false",
		tests: [
			{ rust: "what_looks_like_a_secret_is_not_there" },
			{ js: LOG_TEST, name: "no secret of the arguments is in the log, nor in what the command prints" },
		],
	},
	{
		threat: "secrets of arguments end up in the log",
		file: "runtime/src/audit/redact.rs",
		take: "json!(scrub(text))",
		leave: "json!(text)",
		tests: [
			{ rust: "what_looks_like_a_secret_is_not_there" },
			{ js: LOG_TEST, name: "no secret of the arguments is in the log, nor in what the command prints" },
		],
	},
	{
		threat: "other users read the log",
		file: FILES,
		take: "make_private(&self.dir)",
		leave: "std::fs::create_dir_all(&self.dir)",
		tests: [{ rust: "audit::tests::only_the_user_may_read_it" }, { js: LOG_TEST, name: "the log is the user's alone" }],
	},
	{
		threat: "other users read the log",
		file: FILES,
		take: "file.metadata()?.permissions().mode() & 0o077 != 0",
		leave: "false",
		tests: [{ rust: "audit::tests::only_the_user_may_read_it" }],
	},
	{
		threat: "a link in the folder of the log makes the runtime write elsewhere",
		file: FILES,
		take: "nix::fcntl::OFlag::O_NOFOLLOW.bits()",
		leave: "0",
		tests: [{ rust: "audit::tests::only_the_user_may_read_it" }],
	},
	{
		threat: "names of tools steer the terminal of who reads the log",
		file: "bindings-node/lib/cli/audit/lines.js",
		take: "/[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}]/gu",
		leave: "/[?]/gu",
		tests: [{ js: COMMAND_TEST, name: "names cannot steer the terminal" }],
	},
	{
		threat: "the id of an HTTP session is read from the log and used",
		file: "runtime/src/audit/recording.rs",
		take: "checksum::short(&call.session)",
		leave: "call.session.to_string()",
		tests: [
			{
				js: LOG_TEST,
				name: "a call is recorded by whatever door it came, with who called and what became of it",
			},
		],
	},
	{
		threat: "huge arguments or names fill the disk",
		file: "runtime/src/audit/redact.rs",
		take: "masked.to_string().len() <= MAX_ARGUMENTS",
		leave: "true",
		tests: [{ rust: "long_arguments_are_cut_and_their_hash_is_of_all" }],
	},
	{
		threat: "huge arguments or names fill the disk",
		file: LOG,
		take: "self.head.size == 0 || self.head.size + line.len() as u64 <= self.log.max_bytes",
		leave: "true",
		tests: [{ rust: "rotation_keeps_the_chain_and_says_what_it_removes" }],
	},
	{
		threat: "huge arguments or names fill the disk",
		file: "runtime/src/audit/entry.rs",
		take: "name.char_indices().nth(MAX_NAME)",
		leave: "name.char_indices().nth(usize::MAX)",
		tests: [{ rust: "long_names_are_cut" }],
	},
	{
		threat: "a project's file has calls reported to its author",
		file: "runtime/src/audit/telemetry.rs",
		take: "chosen_by == ChosenBy::User || self == Self::default()",
		leave: "true",
		tests: [
			{ rust: "a_project_cannot_say_where_calls_are_reported" },
			{ js: TELEMETRY_TEST, name: "a project cannot have calls reported anywhere" },
		],
	},
	{
		threat: "an environment that merely has OTEL_* variables",
		file: "runtime/src/audit/spans.rs",
		take: "self.settings.as_ref()?",
		leave: "self.settings.as_ref().unwrap_or_else(|| Box::leak(Box::default()))",
		tests: [
			{
				js: TELEMETRY_TEST,
				name: "the variables of OpenTelemetry count where the export was switched on, and only there",
			},
		],
	},
	{
		threat: "arguments or results leave in spans",
		none: "What spans are made of (`Facts`) holds neither: there is nothing that keeps them out and could be taken away.",
	},
	{
		threat: "a collector that hangs holds up calls or the end",
		file: "runtime/src/audit/spans.rs",
		take: "SdkTracerProvider::builder()\n            .with_batch_exporter(exporter)",
		leave: "SdkTracerProvider::builder().with_simple_exporter(exporter)",
		tests: [{ js: TELEMETRY_TEST, name: "a collector that does not answer holds up no call and no end" }],
	},
	{
		threat: "anybody reads the counts",
		file: "runtime/src/serve/http.rs",
		within: "match options.metrics {",
		take: "options.metrics",
		leave: "true",
		tests: [
			{ js: TELEMETRY_TEST, name: "GET /metrics counts calls, where it was switched on, under the rules of /mcp" },
		],
	},
	{
		threat: "counts grow without bound by names that models make up",
		file: "runtime/src/audit/recording.rs",
		within: 'target.map_or(("", ""),',
		take: '("", "")',
		leave: '(self.caller.asked.as_str(), "")',
		tests: [
			{ js: TELEMETRY_TEST, name: "GET /metrics counts calls, where it was switched on, under the rules of /mcp" },
		],
	},
];
