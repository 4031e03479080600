const SCRUBBED = "runtime/src/adapter/scrubbed.rs";
const SCOPE = "runtime/src/secrets/scope.rs";
const FILE = "runtime/src/secrets/file.rs";
const CANARY = "e2e/secrets/canary.test.js";
/** Its tests go on where the one before has ended. */
const EVERY_SOURCE = {
	js: "e2e/secrets/every-source.test.js",
	parent: "a secret of every source is seen by nobody but its service",
};
const OVER_STDIO = "over stdio, with every log line, in the call log, the cache and what spans say";

/** @type {(import("../list.mjs").Guard | import("../list.mjs").Untested)[]} */
export const secrets = [
	{
		threat: "a service echoes the credentials it was given",
		file: "runtime/src/secrets/known.rs",
		take: "KNOWN.find(text, true)",
		leave: "Vec::new()",
		tests: [
			{ js: CANARY, name: "over stdio: in no answer, log, cache or state" },
			{ js: CANARY, name: "over HTTP: nor the token of the door" },
			{ rust: "a_result_keeps_the_tokens_that_nobody_configured" },
			{ rust: "what_a_service_says_of_its_tools_holds_no_secret" },
		],
	},
	{
		threat: "a service echoes the credentials it was given",
		file: SCRUBBED,
		within: "false => scrub_known_in(value)",
		take: "scrub_known_in(value)",
		leave: "()",
		tests: [{ rust: "a_result_keeps_the_tokens_that_nobody_configured" }],
	},
	{
		threat: "a service echoes the credentials it was given",
		file: SCRUBBED,
		take: "text(tool.description)",
		leave: "tool.description",
		tests: [{ rust: "what_a_service_says_of_its_tools_holds_no_secret" }],
	},
	{
		threat: "a secret is hidden from a filter by base64",
		file: "runtime/src/secrets/forms.rs",
		take: "plain.chain(encoded.map(form(true))).collect()",
		leave: "{ drop((plain, encoded)); BTreeSet::from([Form { text: value.to_owned(), in_base64: false }]) }",
		tests: [
			{ rust: "encoded_and_escaped_it_is_still_found" },
			{ rust: "in_base64_it_is_found_wherever_it_begins" },
			{ js: CANARY, name: "over stdio: in no answer, log, cache or state" },
		],
	},
	{
		threat: "a secret reaches the log",
		file: "bindings-node/src/logging.rs",
		take: `self.0
            .write_all(scrub(&String::from_utf8_lossy(line)).as_bytes())?;`,
		leave: "self.0.write_all(line)?;",
		tests: [{ js: CANARY, name: "over stdio: in no answer, log, cache or state" }],
	},
	{
		threat: "a secret reaches the cache",
		file: SCRUBBED,
		take: "tools.into_iter().filter_map(tool).collect()",
		leave: "tools",
		tests: [{ js: CANARY, name: "over stdio: in no answer, log, cache or state" }],
	},
	{
		threat: "a crash text quotes a secret",
		file: SCRUBBED,
		take: "failure.scrubbed()",
		leave: "failure",
		tests: [{ rust: "a_failure_holds_no_secret" }],
	},
	{
		threat: "a crash text quotes a secret",
		file: "bindings-node/lib/runtime.js",
		take: "addon.scrub(line)",
		leave: "line",
		tests: [{ js: "bindings-node/test/real-addon.test.js", name: "what a plugin writes is shown without its secrets" }],
	},
	{
		threat: "a token that nobody configured is in an error or a log",
		file: "runtime/src/secrets/shapes.rs",
		take: "shapes.replace_all(text, replacement)",
		leave: "{ let _ = shapes; Cow::Borrowed(text) }",
		tests: [
			{ rust: "tokens_are_seen_by_their_shape" },
			{ rust: "a_result_keeps_the_tokens_that_nobody_configured" },
			{ rust: "a_failure_holds_no_secret" },
		],
	},
	{
		threat: "a credential is not known as one",
		file: "runtime/src/secrets/named.rs",
		take: "says_secret(name) && is_distinct(value)",
		leave: "false",
		tests: [{ rust: "parts_with_a_name_of_their_own_are_found_under_any_name" }],
	},
	{
		threat: "a secret is cut in two before it is looked for",
		file: "runtime/src/adapter/mcp/server_log.rs",
		take: "scrub_json(data.clone())",
		leave: "data.clone()",
		tests: [{ rust: "a_secret_is_not_cut_in_two" }],
	},
	{
		threat: "the arguments of a call, with a secret that nobody configured, are in the log",
		file: "bindings-node/src/logging.rs",
		take: 'event.target().starts_with("rmcp") && *event.level() > Level::INFO',
		leave: "false",
		tests: [{ ...EVERY_SOURCE, name: OVER_STDIO }],
	},
	{
		threat: "a secret's or token's program writes it on stderr",
		file: "runtime/src/adapter/program_output.rs",
		take: "tokio::spawn(async move { tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await });",
		leave: "tokio::spawn(async move { tokio::io::copy(&mut stderr, &mut tokio::io::stderr()).await });",
		tests: [{ ...EVERY_SOURCE, name: OVER_STDIO }],
	},
	{
		threat: "a mistake in a configuration file is told with the secret",
		file: "runtime/src/config/keys.rs",
		take: "!quotes_value.iter().any(|start| message.starts_with(start))",
		leave: "true",
		tests: [
			{ rust: "a_value_in_the_wrong_place_is_not_quoted" },
			{ ...EVERY_SOURCE, name: "in what is said of a configuration that has it in the wrong place" },
		],
	},
	{
		threat: "a panic of the core quotes a secret",
		file: "runtime/src/fault.rs",
		take: "scrub(&told)",
		leave: "std::borrow::Cow::Borrowed(told.as_str())",
		tests: [{ rust: "a_panic_shows_no_secret_and_goes_no_further" }],
	},
	{
		threat: "the command ends by an exception that quotes a secret",
		file: "bindings-node/lib/cli/report.js",
		take: "native().scrub(text)",
		leave: "text",
		tests: [{ ...EVERY_SOURCE, name: "in what an exception of the command says" }],
	},
	{
		threat: "a secret's file is readable by others, or can be replaced",
		file: FILE,
		take: "mode & 0o077 != 0",
		leave: "false",
		tests: [
			{ rust: "only_a_file_that_nobody_else_reads_is_used" },
			{ js: CANARY, name: "a file that others may read is refused with the command that closes it" },
		],
	},
	{
		threat: "a credential is not known as one",
		file: "runtime/src/secrets/named.rs",
		take: "says_secret(name) && is_distinct(value)",
		leave: "false",
		tests: [{ rust: "parts_with_a_name_of_their_own_are_found_under_any_name" }],
	},
	{
		threat: "a secret is cut in two before it is looked for",
		file: "runtime/src/adapter/mcp/server_log.rs",
		take: "scrub_json(data.clone())",
		leave: "data.clone()",
		tests: [{ rust: "a_secret_is_not_cut_in_two" }],
	},
	{
		threat: "the arguments of a call, with a secret that nobody configured, are in the log",
		file: "bindings-node/src/logging.rs",
		take: 'event.target().starts_with("rmcp") && *event.level() > Level::INFO',
		leave: "false",
		tests: [{ ...EVERY_SOURCE, name: OVER_STDIO }],
	},
	{
		threat: "a secret's or token's program writes it on stderr",
		file: "runtime/src/adapter/program_output.rs",
		take: "tokio::spawn(async move { tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await });",
		leave: "tokio::spawn(async move { tokio::io::copy(&mut stderr, &mut tokio::io::stderr()).await });",
		tests: [{ ...EVERY_SOURCE, name: OVER_STDIO }],
	},
	{
		threat: "a mistake in a configuration file is told with the secret",
		file: "runtime/src/config/keys.rs",
		take: "!quotes_value.iter().any(|start| message.starts_with(start))",
		leave: "true",
		tests: [
			{ rust: "a_value_in_the_wrong_place_is_not_quoted" },
			{ ...EVERY_SOURCE, name: "in what is said of a configuration that has it in the wrong place" },
		],
	},
	{
		threat: "a panic of the core quotes a secret",
		file: "runtime/src/fault.rs",
		take: "scrub(&told)",
		leave: "std::borrow::Cow::Borrowed(told.as_str())",
		tests: [{ rust: "a_panic_shows_no_secret_and_goes_no_further" }],
	},
	{
		threat: "the command ends by an exception that quotes a secret",
		file: "bindings-node/lib/cli/report.js",
		take: "native().scrub(text)",
		leave: "text",
		tests: [{ ...EVERY_SOURCE, name: "in what an exception of the command says" }],
	},
	{
		threat: "a secret's file is readable by others, or can be replaced",
		file: FILE,
		take: "mode & 0o002 != 0 && mode & 0o1000 == 0",
		leave: "false",
		tests: [{ rust: "a_folder_in_which_everybody_writes_is_refused_unless_it_is_sticky" }],
	},
	{
		threat: "a project's file sends the user's secret to a host",
		file: SCOPE,
		take: "!origin.is_some_and(|origin| allows(definition, origin))",
		leave: "false",
		tests: [
			{ rust: "a_project_sends_a_secret_of_the_user_only_where_the_user_allows" },
			{ js: CANARY, name: "a project's file takes no secret of the user, and runs nothing" },
		],
	},
	{
		threat: "a project's file sends the user's secret to a host",
		file: SCOPE,
		take: `origin.as_deref().filter(|_| key == "headers")`,
		leave: "origin.as_deref()",
		tests: [{ rust: "a_project_sends_a_secret_of_the_user_only_where_the_user_allows" }],
	},
	{
		threat: "a project's file sends a secret variable of the user's environment",
		file: "runtime/src/plugin/restraint.rs",
		take: "called_secret.contains(name) || is_secret_variable(name)",
		leave: "false && called_secret.contains(name)",
		tests: [
			{ rust: "what_a_project_may_not_do_the_user_may" },
			{
				js: "e2e/cases/isolation.test.js",
				name: "a project's file sends no secret variable of the user's environment, unless the user trusts the project",
			},
		],
	},
	{
		threat: "a JavaScript plugin reads, or passes on by accident",
		file: "bindings-node/lib/plugin-host.js",
		take: "inheritEnv ? { ...process.env, ...env } : env",
		leave: "inheritEnv || true ? { ...process.env, ...env } : env",
		tests: [
			{
				js: "bindings-node/test/plugin-open.test.js",
				name: "a plugin that inherits nothing sees the variables that it is given and no others",
			},
		],
	},
	{
		threat: "a project's file runs a program, or reads the keyring",
		file: SCOPE,
		take: "definitions[name].source_of_project(dir)",
		leave: "definitions[name].source(dir)",
		tests: [
			{ rust: "a_project_defines_files_of_its_own_folder_only" },
			{ js: CANARY, name: "a project's file takes no secret of the user, and runs nothing" },
		],
	},
	{
		threat: "a project's file runs a program, or reads the keyring",
		file: FILE,
		take: "!real.starts_with(folder)",
		leave: "{ drop(folder); false }",
		tests: [{ rust: "a_project_reaches_no_file_of_the_user" }],
	},
	{
		threat: "a manifest or an entry writes a bound reference",
		file: SCOPE,
		take: "name.is_empty() || !name.chars().all(is_name)",
		leave: "false",
		tests: [{ rust: "the_users_own_entries_may_name_every_secret" }],
	},
	{
		threat: "a manifest or an entry writes a bound reference",
		file: "runtime/src/plugin/manifest.rs",
		take: "settings.to_string().contains(SECRET)",
		leave: "false",
		tests: [{ rust: "a_manifest_names_no_secrets" }],
	},
	{
		threat: "a child sees secrets of another plugin",
		file: "runtime/src/adapter/environment.rs",
		take: `name.starts_with("LC_")`,
		leave: "true",
		tests: [{ js: CANARY, name: "over stdio: in no answer, log, cache or state" }],
	},
	{
		threat: "a project's OpenAPI plugin uploads files of the user",
		file: "runtime/src/plugin/restraint.rs",
		take: "lies_in(&self.manifest.dir.join(folder), self.project())",
		leave: "true",
		tests: [{ rust: "what_a_project_may_not_do_the_user_may" }],
	},
];
