use super::*;
use crate::{
    approval::Kind,
    policy::{Candidate, Decision, Named},
    trust::ScanLevel,
};

/// What the file makes: prefix or folder of each plugin, then what is warned of.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("plugins/agent-tools-plugin-p");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("plugin.json"),
        r#"{"prefix":"p","adapter":"./a.mjs"}"#,
    )
    .unwrap();
    std::fs::write(
        temp.path().join("other.json"),
        r#"{"servers":{"a":{"command":"from-import"},"z":{"type":"stdio","command":"z"}}}"#,
    )
    .unwrap();
    let path = temp.path().join("agent-tools.json");
    std::fs::write(&path, text).unwrap();
    let configured = Configured::read(&ConfigChoice::File(path));
    let mut warnings = [configured.warnings, configured.notes].concat();
    let plugins = configured
        .plugins
        .into_iter()
        .filter_map(|plugin| match plugin {
            ConfiguredPlugin::Inline(Ok(manifest)) => Some(match manifest.source {
                crate::plugin::Source::McpStdio(server) => {
                    format!("{} {}", manifest.prefix, server.command.unwrap_or_default())
                }
                _ => manifest.prefix,
            }),
            ConfiguredPlugin::Inline(Err(failure)) => {
                warnings.push(failure.error);
                None
            }
            ConfiguredPlugin::Folder { dir, changes, .. } => Some(format!(
                "{} {}",
                dir.file_name()?.display(),
                Value::from(changes)
            )),
            ConfiguredPlugin::Disabled(dir) => Some(format!("no {}", dir.file_name()?.display())),
        });
    let plugins = plugins.collect();
    let root = temp.path().display().to_string();
    let warnings = warnings
        .into_iter()
        .map(|warning| warning.replace(&root, ""));
    (plugins, warnings.collect())
}

#[test]
fn what_would_start_itself_again_and_again_is_left_out() {
    let own = r#"{"command": "npx", "args": ["-y", "@rckflr/agent-tools-runtime", "mcp"]}"#;
    let text = format!(r#"{{"mcpServers": {{"self": {own}, "notes": {{"command": "notes"}}}}}}"#);
    let (plugins, warnings) = read(&text);
    assert_eq!(plugins, ["notes notes"]);
    let told = "/agent-tools.json: mcpServers.self: it starts agent-tools itself with this configuration, so it is left out";
    assert_eq!(warnings, [told]);
}

#[test]
fn a_file_that_is_no_object_and_a_wrong_value_are_named() {
    for (text, expected) in [
        ("[]", "must hold an object"),
        (r#"{"view":"unifed"}"#, "`view`: unknown variant `unifed`"),
        (r#"{"cli":{},"pin":"x"}"#, "`pin`: invalid type"),
    ] {
        let (plugins, warnings) = read(text);
        assert_eq!(plugins, Vec::<String>::new());
        let [warning] = warnings.as_slice() else {
            panic!("{text}: {warnings:?}");
        };
        assert!(warning.contains("agent-tools.json"), "{warning}");
        assert!(warning.contains(expected), "{warning}");
    }
}

/// What the `agent-tools.json` of a folder makes, by whose choice it is.
fn added(folder: &Path, chosen_by: ChosenBy) -> Configured {
    let mut configured = Configured::default();
    let file = ConfigFile::read(&folder.join("agent-tools.json")).unwrap();
    let own = OwnSecrets::new(Definitions::new(), folder);
    let scope = own.for_user();
    configured.add(file, chosen_by, folder, &scope, &own, &mut Taken::new());
    configured
}

#[test]
fn sections_become_plugins_and_what_is_imported_comes_last() {
    let (plugins, warnings) = read(
        r#"{
            // pasted
            "mcpServers": {
                "a": {"command": "npx", "args": ["-y", "a"], "exclude": ["delete_*"]},
                "off": {"command": "x", "disabled": true},
                "named": {"type": "http", "url": "https://example.com/mcp", "prefix": "other"},
            },
            "openapi": {"pets": {"document": "./pets.yaml", "include": ["list_*"], "timeoutMs": 5}},
            "cli": {"sort": {"command": "sort", "description": "Sorts lines.", "stdin": {"param": "text"}}},
            "plugins": [
                "./plugins/agent-tools-plugin-p",
                {"path": "./plugins/agent-tools-plugin-p", "prefix": "q", "exclude": ["x"]},
                {"path": "./plugins/agent-tools-plugin-p", "enabled": false},
            ],
            "import": ["./other.json"],
        }"#,
    );
    assert_eq!(warnings, [] as [&str; 0]);
    assert_eq!(
        plugins,
        [
            "a npx",
            "other",
            "pets",
            "sort",
            "agent-tools-plugin-p {}",
            r#"agent-tools-plugin-p {"prefix":"q","exclude":["x"]}"#,
            "no agent-tools-plugin-p",
            "z z",
        ]
    );
}

#[test]
fn each_mistake_harms_its_own_entry_only() {
    let (plugins, warnings) = read(
        r#"{
            "mcpServers": {
                "good": {"command": "npx"},
                "typo": {"command": "npx", "exlude": ["x"]},
                "both": {"command": "npx", "url": "https://example.com"},
                "bad": {"type": "banana", "url": "https://example.com"},
                "glob": {"command": "npx", "include": ["a["]},
            },
            "openapi": {"pets": {"document": "a", "baseURL": "b"}},
            "plugins": ["./nowhere", "agent-tools-plugin-gone", {"path": "./x", "package": "y"}, {"pth": "./x"}, 5],
            "import": ["netscape"],
        }"#,
    );
    assert_eq!(plugins, ["good npx"]);
    insta::assert_snapshot!(warnings.join("\n"));
}

#[test]
fn a_broken_file_is_told_with_the_place() {
    for (text, want) in [
        (
            "{\"mcpServers\": {",
            "/agent-tools.json: line 1, column 16: not JSON",
        ),
        (
            r#"{"mcpserver": {}}"#,
            "unknown field `mcpserver`, expected one of `$schema`, `mcpServers`, `openapi`, `cli`, `plugins`, `import`, `policy`, `deadlines`, `repeats`, `network`, `view`, `audit`, `telemetry`, `pin`, `projects`, `secrets`, `trust`; did you mean `mcpServers`?",
        ),
        (
            r#"{"servers": {}}"#,
            "It looks like another client's file: name it in `import`",
        ),
        (
            r#"{"mcpServers": []}"#,
            "invalid type: sequence, expected a map",
        ),
        ("", "the file is empty"),
    ] {
        let (plugins, warnings) = read(text);
        assert_eq!(
            (plugins.len(), warnings.len()),
            (0, 1),
            "{text}: {warnings:?}"
        );
        assert!(warnings[0].contains(want), "{text}: {}", warnings[0]);
    }
}

#[test]
fn a_file_that_is_not_there_is_told() {
    let configured = Configured::read(&ConfigChoice::File("/nowhere/agent-tools.json".into()));
    assert!(configured.warnings[0].starts_with("/nowhere/agent-tools.json: No such file"));
    assert!(
        Configured::read(&ConfigChoice::default())
            .warnings
            .is_empty()
    );
}

#[test]
fn what_a_more_important_file_switches_off_stays_off() {
    let temp = tempfile::tempdir().unwrap();
    let server =
        |off: bool| format!(r#"{{"mcpServers":{{"x":{{"command":"x","disabled":{off}}}}}}}"#);
    std::fs::write(temp.path().join("first.json"), server(true)).unwrap();
    std::fs::write(temp.path().join("second.json"), server(false)).unwrap();
    let path = temp.path().join("agent-tools.json");
    for (order, count) in [("first.json\",\"second", 0), ("second.json\",\"first", 1)] {
        std::fs::write(&path, format!("{{\"import\":[\"{order}.json\"]}}")).unwrap();
        let configured = Configured::read(&ConfigChoice::File(path.clone()));
        assert_eq!(
            (configured.plugins.len(), configured.warnings.len()),
            (count, 0),
            "{order}"
        );
    }
}

#[test]
fn what_a_project_keeps_is_the_projects_choice_whoever_imports_it() {
    let temp = tempfile::tempdir().unwrap();
    let server = |name: &str| format!(r#"{{"mcpServers":{{"{name}":{{"command":"x"}}}}}}"#);
    let files = [
        (".mcp.json", server("of-client")),
        ("other.json", server("imported")),
        (
            "agent-tools.json",
            r#"{"mcpServers":{"own":{"command":"x"}},"import":["claude-code","./other.json"]}"#
                .into(),
        ),
    ];
    for (name, text) in files {
        std::fs::write(temp.path().join(name), text).unwrap();
    }
    let choices = |chosen_by| {
        let configured = added(temp.path(), chosen_by);
        let choice = |wanted: &str| {
            let mut plugins = configured.plugins.iter();
            plugins.find_map(|plugin| match plugin {
                ConfiguredPlugin::Inline(Ok(manifest)) if manifest.prefix == wanted => {
                    Some(manifest.chosen_by)
                }
                _ => None,
            })
        };
        ["own", "imported", "of-client"].map(|name| choice(name).unwrap())
    };
    use ChosenBy::{Project, User};
    assert_eq!(choices(User), [User, User, Project]);
    assert_eq!(choices(Project), [Project; 3]);
}

#[test]
fn a_project_opens_no_network() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("agent-tools.json");
    std::fs::write(&path, r#"{"network": {"allow": ["10.0.0.0/8"]}}"#).unwrap();
    let allowed = |chosen_by| {
        let configured = added(temp.path(), chosen_by);
        let network = configured.defaults.network.unwrap_or_default();
        (network.allow.len(), configured.warnings.len())
    };
    assert_eq!(allowed(ChosenBy::User), (1, 0));
    assert_eq!(allowed(ChosenBy::Project), (0, 1));
}

#[test]
fn what_is_meant_to_switch_off_never_leaves_on() {
    let (plugins, warnings) = read(
        r#"{"mcpServers": {
            "a": {"command": "x", "disabled": "true"},
            "b": {"command": "x", "enabled": 0},
            "c": {"command": "x", "include": []}
        }}"#,
    );
    assert_eq!(plugins, [] as [&str; 0]);
    for want in [
        "a: `disabled` is neither",
        "b: `enabled` is neither",
        "c: `include` is empty",
    ] {
        assert!(
            warnings.iter().any(|warning| warning.contains(want)),
            "{want}: {warnings:?}"
        );
    }
}

#[test]
fn a_project_around_another_goes_on_tightening() {
    let temp = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = temp.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let outer = write(
        "outer.json",
        r#"{"mcpServers": {"x": {"command": "npx"}}, "view": "flat", "audit": {"required": true},
            "policy": {"tools": {"x/wipe": "deny", "x/get": "allow"}}, "trust": {"scan": "block", "definitions": "off"}}"#,
    );
    write(
        "agent-tools.json",
        r#"{"policy": {"tools": {"x/wipe": "ask"}}, "trust": {"scan": "off"}, "audit": {"enabled": true}}"#,
    );
    let mut configured = added(temp.path(), ChosenBy::Project);
    configured.tighten(&outer);
    assert!(configured.plugins.is_empty() && configured.defaults.view.is_none());
    let x = Named {
        prefix: "x",
        declared: "x",
        borrowed: false,
    };
    let decision = |name| {
        let candidate = Candidate {
            plugin: x,
            name,
            kind: Kind::Mutating,
            tags: &[],
            trusted: false,
            free: false,
        };
        configured.policy.judge(&candidate).decision
    };
    assert_eq!(decision("wipe"), Decision::Deny);
    assert_eq!(decision("get"), Decision::Ask);
    let asked = configured.defaults.project_trust.clone().unwrap();
    assert_eq!(asked.scan(), ScanLevel::Block);
    assert!(configured.defaults.audit.is_required());
    assert_eq!(configured.warnings.len(), 1, "{:?}", configured.warnings);
    // One that cannot be read may have denied anything.
    configured.tighten(&write("broken.json", "{"));
    assert!(!configured.policy.is_whole());
}

#[cfg(unix)]
#[test]
fn what_others_may_write_is_not_the_users_own_in_a_trusted_folder_either() {
    use std::os::unix::fs::PermissionsExt;
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("agent-tools.json");
    std::fs::write(&path, "{}").unwrap();
    let mut configured = Configured::default();
    configured.accepted.trusted.push(temp.path().to_owned());
    for (mode, chosen_by, warnings) in [
        (0o644, ChosenBy::User, 0),
        (0o664, ChosenBy::User, 0),
        (0o646, ChosenBy::Project, 1),
    ] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(
            configured.judged(&path, ChosenBy::Project),
            chosen_by,
            "{mode:o}"
        );
        assert_eq!(configured.warnings.len(), warnings, "{mode:o}");
    }
}
