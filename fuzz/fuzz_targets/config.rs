//! Any text as the user's `agent-tools.json`, as a project's, and as the file of another client. They are read without
//! starting anything, twice alike, and a project's file loosens nothing that the user's says.
//!
//! The parts of an input: the user's file, the project's, the path of the third and its text.

#![no_main]

use std::sync::LazyLock;

use agent_tools_runtime::{
    NetworkSettings, Options,
    approval::Kind,
    config::{ChosenBy, ConfigChoice},
    fuzzing::{Asked, Rules, network_and_audit},
    plugin::{Found, Manifest, Source, find},
    policy::Headless,
    validate,
};
use agent_tools_runtime_fuzz::{Project, parts};
use libfuzzer_sys::fuzz_target;

/// The files that other clients keep in a project, and some that are named.
const IMPORTED: [&str; 12] = [
    ".codex/config.toml",
    ".cursor/mcp.json",
    ".factory/mcp.json",
    ".gemini/settings.json",
    ".mcp.json",
    ".pi/mcp.json",
    ".vscode/mcp.json",
    "claude_desktop_config.json",
    "cline_mcp_settings.json",
    "config.toml",
    "settings.json",
    "servers.json",
];

static PROJECT: LazyLock<Project> = LazyLock::new(Project::start);
static EXECUTOR: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    let mut executor = tokio::runtime::Builder::new_current_thread();
    executor.build().expect("an executor")
});

fuzz_target!(|input: &str| {
    let [user, project, name, imported] = parts(input);
    let Some(name) = IMPORTED.iter().find(|known| **known == name) else {
        return;
    };
    let own = PROJECT.user().join("agent-tools.json");
    let theirs = PROJECT.dir().join("agent-tools.json");
    let import = PROJECT.dir().join(name);
    let all_of_it = format!("{{\"import\": [\"./{name}\"]}}");
    let project = match project {
        "" => all_of_it.as_str(),
        other => other,
    };

    Project::write(&own, Some(user));
    Project::write(&import, Some(imported));
    Project::write(&theirs, None);
    let alone = read(ConfigChoice::Searched(true));
    Project::write(&theirs, Some(project));
    let both = read(ConfigChoice::Searched(true));
    let again = read(ConfigChoice::Searched(true));
    assert_eq!(said(&both), said(&again));
    let is_escaped = user.contains("\\u");
    // Where the user lets projects do more, they may.
    if !user.contains("projects") && !is_escaped {
        for manifest in both
            .manifests
            .iter()
            .filter(|manifest| is_of_project(manifest))
        {
            restrained(manifest);
        }
        only_tightened(alone, both);
    }
    // Seldom, as it makes its schema anew each time.
    let files = [&own, &theirs].into_iter().filter(|_| input.len() % 8 == 0);
    for file in files {
        let problems = EXECUTOR.block_on(validate(file));
        if !problems.iter().any(|problem| problem.error) {
            let read = read(ConfigChoice::File(file.clone()));
            assert_eq!(read.warnings, [] as [&str; 0]);
        }
    }
    Project::write(&import, None);
});

fn read(config: ConfigChoice) -> Found {
    let options = Options {
        config,
        ..Options::default()
    };
    PROJECT.enter(|| find(&options))
}

fn said(found: &Found) -> String {
    let (network, audit) = network_and_audit(found);
    let Found {
        manifests,
        warnings,
        notes,
        ..
    } = found;
    format!("{manifests:#?} {warnings:#?} {notes:#?} {network:?} {audit:?}")
}

fn is_of_project(manifest: &Manifest) -> bool {
    manifest.chosen_by == ChosenBy::Project
}

/// What a project brings starts nothing but launchers, and says nothing to the linker.
fn restrained(manifest: &Manifest) {
    let steers = |name: &String| {
        let name = name.to_ascii_uppercase();
        name.starts_with("LD_") || matches!(name.as_str(), "PATH" | "NODE_OPTIONS" | "BASH_ENV")
    };
    let (command, env) = match &manifest.source {
        Source::McpStdio(server) => (server.command.as_deref(), Some(&server.env)),
        Source::Cli(program) => (Some(program.command.as_str()), None),
        _ => (None, None),
    };
    let is_name = |command: &str| {
        command
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
    };
    assert!(command.is_none_or(is_name), "{manifest:?}");
    let mut names = manifest
        .env
        .keys()
        .chain(env.into_iter().flat_map(|env| env.keys()));
    assert!(!names.any(steers), "{manifest:?}");
}

fn only_tightened(mut alone: Found, mut both: Found) {
    let (network, audit) = network_and_audit(&alone);
    let (allowed, recorded) = network_and_audit(&both);
    assert!(allowed == network || allowed == NetworkSettings::default());
    assert!(audit.enabled != Some(true) || recorded.enabled == Some(true));
    assert!(audit.required != Some(true) || recorded.required == Some(true));
    assert_eq!(audit.dir, recorded.dir);

    let (less, all) = (Rules::found(&mut alone), Rules::found(&mut both));
    let (before, after) = (less.asking(), all.asking());
    assert!(after.0 == before.0 || after.0 == Headless::Refuse);
    assert!(after.1 <= before.1);
    let plugins = alone.manifests.iter().chain(&both.manifests);
    let plugins = plugins.map(|manifest| manifest.prefix.as_str());
    for plugin in plugins.chain(["github"]).take(8) {
        assert_eq!(less.trusts(plugin), all.trusts(plugin));
        for name in ["get_issue", "delete_repo"] {
            assert!(!less.calls_destructive(plugin, name) || all.calls_destructive(plugin, name));
            assert_eq!(
                less.calls_read_only(plugin, name),
                all.calls_read_only(plugin, name)
            );
            for kind in [Kind::ReadOnly, Kind::Mutating, Kind::Destructive] {
                let asked = Asked {
                    plugin,
                    borrowed: false,
                    name,
                    kind,
                    tags: &["billing".to_owned()],
                    trusted: false,
                    free: false,
                };
                assert!(all.judge(asked) >= less.judge(asked), "{asked:?}");
            }
        }
    }
    for manifest in both
        .manifests
        .iter()
        .filter(|manifest| is_of_project(manifest))
    {
        let word = !manifest.require_confirm
            || !manifest.readonly_tools.is_empty()
            || !manifest.readonly_skills.is_empty();
        assert!(!word || all.trusts(&manifest.prefix), "{manifest:?}");
    }
}
