//! Any text as a plugin's manifest, and as the file of its skill. It is read without starting anything, twice alike; what
//! `validate` finds no fault with is read, and its program is given no argument that looks like an option.
//!
//! The parts of an input: `plugin.json`, `skill.json`, and the arguments of a call.

#![no_main]

use std::sync::LazyLock;

use agent_tools_runtime::{
    adapter::CliSettings,
    fuzzing::{checked_arguments, cli_arguments, cli_tools, expanded},
    plugin::{Manifest, Source},
    validate,
};
use agent_tools_runtime_fuzz::{Project, parts};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

/// Of tool names, as every model provider takes them.
const MAX_PREFIX: usize = 42;

static PROJECT: LazyLock<Project> = LazyLock::new(Project::start);
static EXECUTOR: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    let mut executor = tokio::runtime::Builder::new_current_thread();
    executor.build().expect("an executor")
});

fuzz_target!(|input: &str| {
    let [text, skill, arguments] = parts(input);
    let dir = PROJECT.dir();
    Project::write(&dir.join("plugin.json"), Some(text));
    Project::write(&dir.join("skill.json"), Some(skill));
    let read = Manifest::read(&dir);
    let problems = EXECUTOR.block_on(validate(&dir));
    let manifest = match (read, Manifest::read(&dir)) {
        (Ok(manifest), Ok(again)) => {
            assert_eq!(format!("{manifest:?}"), format!("{again:?}"));
            manifest
        }
        (Err(failure), Err(again)) => {
            assert_eq!(failure.error, again.error);
            assert!(problems.iter().any(|problem| problem.error), "{failure}");
            return;
        }
        (read, again) => panic!("{read:?}, and then {again:?}"),
    };
    let prefix = &manifest.prefix;
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    assert!(
        (1..=MAX_PREFIX).contains(&prefix.len()) && prefix.bytes().all(is_legal),
        "{prefix:?}"
    );
    for (name, value) in &manifest.env {
        let (_, pieces) = expanded(value);
        assert_eq!(&pieces.concat(), value, "{name}");
    }
    if let Source::Cli(program) = &manifest.source {
        let arguments = serde_json::from_str(arguments).unwrap_or_default();
        for line in command_lines(program, &arguments) {
            no_value_is_an_option(text, &line);
        }
    }
});

/// What the program is given for a call of each tool that takes these arguments.
fn command_lines<'a>(
    program: &'a CliSettings,
    given: &'a Map<String, Value>,
) -> impl Iterator<Item = Vec<String>> + 'a {
    cli_tools(program).into_iter().filter_map(move |tool| {
        let (arguments, _) = checked_arguments(&tool.input_schema, given.clone()).ok()?;
        let line = cli_arguments(program, &tool.name, &arguments).expect("it is listed");
        line.ok()
    })
}

/// What looks like an option stands in the manifest, as the whole argument or as its beginning.
fn no_value_is_an_option(manifest: &str, line: &[String]) {
    if ["allowLeadingDash", "${", "\\u"]
        .iter()
        .any(|escape| manifest.contains(escape))
    {
        return;
    }
    let manifest = manifest.trim_start_matches('\u{feff}');
    let Ok(manifest) = serde_json::from_str::<Value>(manifest) else {
        return;
    };
    let mut written = vec!["--"];
    texts(&manifest, &mut written);
    for option in line.iter().filter(|argument| argument.starts_with('-')) {
        let is_value_of = |flag: &&str| flag.ends_with('=') && option.starts_with(*flag);
        let known = written.contains(&option.as_str()) || written.iter().any(is_value_of);
        assert!(known, "{option:?} of {line:?}");
    }
}

fn texts<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        _ => {}
    }
}
