const RESTRAINT = "runtime/src/plugin/restraint.rs";
const SANDBOX = "runtime/src/adapter/confinement/sandbox.rs";
const LANDLOCK = "runtime/src/adapter/confinement/sandbox/landlock.rs";
const E2E = "e2e/cases/isolation.test.js";

/** @type {(import("../list.mjs").Guard | import("../list.mjs").Untested)[]} */
export const programs = [
	{
		threat: "A cloned repository's configuration",
		file: RESTRAINT,
		take: "manifest.chosen_by == ChosenBy::User",
		leave: "true",
		tests: [
			{ rust: "what_a_project_may_not_do_the_user_may" },
			{ js: E2E, name: "a project's file starts known launchers, and what the user has allowed" },
			{ js: E2E, name: "what a client keeps in a project is the project's, though the user's file imports it" },
		],
	},
	{
		threat: "A cloned repository's configuration",
		file: RESTRAINT,
		take: "launchers::known(command)",
		leave: "Some(launchers::known(command).unwrap_or(launchers::Launcher::Plain))",
		tests: [{ rust: "what_a_project_may_not_do_the_user_may" }],
	},
	{
		threat: "A cloned repository's configuration",
		file: "runtime/src/config/import.rs",
		take: "CLIENTS.contains(&item) && !places::is_of_user(item, file)",
		leave: "false",
		tests: [
			{ rust: "what_a_project_keeps_is_the_projects_choice_whoever_imports_it" },
			{ js: E2E, name: "what a client keeps in a project is the project's, though the user's file imports it" },
		],
	},
	{
		threat: "It hands a known launcher code",
		file: "runtime/src/plugin/restraint/launchers.rs",
		take: "code_in(launcher, &args).cloned()",
		leave: "{ let _ = args; None }",
		tests: [{ rust: "code_in_the_arguments_is_found" }, { rust: "what_a_project_may_not_do_the_user_may" }],
	},
	{
		threat: "It hands a known launcher code",
		file: "runtime/src/plugin/restraint/launchers.rs",
		take: "args.map(as_by_default).collect()",
		leave: "args.map(str::to_owned).collect()",
		tests: [{ rust: "code_in_the_arguments_is_found" }],
	},
	{
		threat: "A project lets itself do more",
		file: "runtime/src/plugin/configured.rs",
		take: "(file.keys.projects.take(), chosen_by)",
		leave: "(file.keys.projects.take(), ChosenBy::User)",
		tests: [{ js: E2E, name: "a project's file starts known launchers, and what the user has allowed" }],
	},
	{
		threat: "A project has a program print a token",
		file: RESTRAINT,
		take: "restraint.token_command(words)",
		leave: "Ok(())",
		tests: [{ rust: "what_a_project_may_not_do_the_user_may" }],
	},
	{
		threat: "A project steers a program by loader",
		file: RESTRAINT,
		take: "steering(name)",
		leave: "None::<&str>",
		tests: [
			{ rust: "what_a_project_may_not_do_the_user_may" },
			{ rust: "a_yes_is_for_programs_and_never_for_variables" },
		],
	},
	{
		threat: "A project steers a program by loader",
		file: "runtime/src/adapter/environment/steering.rs",
		take: "name.to_ascii_uppercase()",
		leave: "name.to_owned()",
		tests: [{ rust: "what_steers_a_program_is_told_from_what_it_is_given" }],
	},
	{
		threat: "The same in an `envFile`",
		file: "runtime/src/adapter/mcp_stdio.rs",
		take: "owner.chosen_by == ChosenBy::Project",
		leave: "false",
		tests: [{ rust: "a_file_of_variables_in_a_project_steers_nothing" }],
	},
	{
		threat: "A child sees the host's secrets in its environment",
		file: "runtime/src/adapter/environment.rs",
		take: `name.starts_with("LC_")`,
		leave: "true",
		tests: [{ js: E2E, name: "a server that asks for its environment gets what is listed" }],
	},
	{
		threat: "A child takes all memory, CPU time, files or processes",
		file: "runtime/src/adapter/children.rs",
		take: "self.limits.overrun(below.usage_with(group))",
		leave: "None",
		tests: [{ rust: "memory_counts_over_all_processes" }, { rust: "too_many_processes_are_ended" }],
	},
	{
		threat: "A child takes all memory, CPU time, files or processes",
		file: "runtime/src/adapter/confinement/limits.rs",
		within: "match self.script() {",
		take: "self.script()",
		leave: "None::<String>",
		tests: [{ rust: "a_child_that_wants_4_gb_gets_what_it_may_have" }, { rust: "cpu_time_and_open_files_end" }],
	},
	{
		threat: "A child takes all memory, CPU time, files or processes",
		file: "runtime/src/adapter/confinement/limits.rs",
		take: "Some(*self)",
		leave: "None",
		tests: [{ js: E2E, name: "a server that allocates 4 GB is ended, and the runtime goes on" }],
	},
	{
		threat: "A child reads or writes files that are none of its business",
		file: SANDBOX,
		take: `rules.enforce().map_err(|why| {
                    std::io::Error::other(format!("the sandbox could not be made: {why}"))
                })?;`,
		tests: [
			{ rust: "a_child_in_the_sandbox_reads_and_writes_what_is_named_alone" },
			{ js: E2E, name: "a server in a sandbox writes where it may and opens no connection" },
		],
	},
	{
		threat: "A child reads or writes files that are none of its business",
		file: LANDLOCK,
		take: "path_beneath_rules(&self.roots.read, read)",
		leave: "path_beneath_rules(&self.roots.read, AccessFs::from_all(WRITTEN_FOR))",
		tests: [{ rust: "a_child_in_the_sandbox_reads_and_writes_what_is_named_alone" }],
	},
	{
		threat: "A child sends data out",
		file: LANDLOCK,
		within: "if self.network {",
		take: "self.network",
		leave: "true",
		tests: [
			{ rust: "a_child_without_network_opens_no_socket" },
			{ js: E2E, name: "a server in a sandbox writes where it may and opens no connection" },
		],
	},
	{
		threat: "A child sends data out",
		file: LANDLOCK,
		take: "(libc::SYS_io_uring_setup, Vec::new())",
		leave: "(libc::SYS_io_uring_register, Vec::new())",
		tests: [{ rust: "nothing_without_network_sets_up_an_io_uring" }],
	},
	{
		threat: "The rules of one child stay with the host",
		file: SANDBOX,
		take: `return std::thread::scope(|scope| {
                let thread = std::thread::Builder::new().spawn_scoped(scope, confined)?;
                let ended = thread.join();
                ended.unwrap_or_else(|_| Err(std::io::Error::other("the starting thread panicked")))
            });`,
		leave: "return confined();",
		tests: [{ rust: "the_rules_stay_with_the_child" }],
	},
	{
		threat: "A sandbox is asked for where nothing can hold it",
		file: "runtime/src/plugin/manifest.rs",
		take: "!has_program && !settings.confinement.is_none()",
		leave: "false",
		tests: [
			{ js: E2E, name: "a plugin without a program has no sandbox, and says so instead of having none silently" },
		],
	},
	{
		threat: "A server daemonises and outlives the host",
		file: "runtime/src/adapter/watchdog.rs",
		take: "*process = start(&self.mark);",
		tests: [
			{ js: E2E, name: "what has daemonised is gone when the host is killed" },
			{ rust: "what_has_left_its_group_goes_with_the_host" },
		],
	},
];
