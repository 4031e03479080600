//! Plugins that `agent-tools.json` names.

mod entry;
mod file;

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::Manifest;
use crate::{
    config::{
        ConfigChoice, Deadlines, RepeatLimits, import,
        locate::{candidates, config_files, user_file},
    },
    reply::Failure,
};
use entry::{Section, is_on};
use file::ConfigFile;

pub(crate) use file::ConfigKeys;

/// The names in each section that a more important file has given; those of later ones are meant to be replaced.
type Taken = HashSet<(Section, String)>;

/// What the configuration says.
#[derive(Default)]
pub(super) struct Configured {
    /// In order of importance.
    pub plugins: Vec<ConfiguredPlugin>,
    pub warnings: Vec<String>,
    pub deadlines: Option<Deadlines>,
    pub repeats: Option<RepeatLimits>,
    /// What to watch, so that a change of the configuration is seen: files that are read where they are there.
    pub watched: Vec<PathBuf>,
    /// Files and entries that cannot be used.
    pub unreadable: Vec<ConfigEntry>,
}

/// Where the configuration names a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigEntry {
    pub file: PathBuf,
    /// The entry's name; none for the whole file.
    pub name: Option<String>,
}

impl ConfigEntry {
    /// An item of `plugins`. They have no names, so that one of them stands for all.
    fn of_folder(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            name: Some("plugins".into()),
        }
    }

    /// Whether `other` is this entry, or one of the file that this is.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.file == other.file && (self.name.is_none() || self.name == other.name)
    }
}

/// One plugin of the configuration.
pub(super) enum ConfiguredPlugin {
    /// A service, with everything about it.
    Inline(Result<Box<Manifest>, Failure>),
    /// A plugin's folder, and what replaces keys of its manifest.
    Folder {
        dir: PathBuf,
        changes: Map<String, Value>,
        entry: ConfigEntry,
    },
    /// A folder that is not to be loaded wherever else it is found.
    Disabled(PathBuf),
}

impl Configured {
    /// Reads the files that count. What is wrong with one of them or with one entry is a warning.
    pub(super) fn read(choice: &ConfigChoice) -> Self {
        let mut configured = Self::default();
        let here = std::env::current_dir().unwrap_or_default();
        let files = match choice {
            ConfigChoice::Searched(false) => return configured,
            ConfigChoice::Searched(true) => {
                configured.watched = candidates(&here);
                config_files(&here)
            }
            ConfigChoice::File(path) => {
                configured.watched.push(here.join(path));
                vec![here.join(path)]
            }
        };
        let mut taken = Taken::new();
        for path in files {
            match ConfigFile::read(&path) {
                Ok(file) => configured.add(file, &here, &mut taken),
                Err(what) => configured.give_up(&path, &what),
            }
        }
        configured
    }

    fn give_up(&mut self, path: &Path, what: &str) {
        self.warn(path, what);
        self.unreadable.push(ConfigEntry {
            file: path.to_owned(),
            name: None,
        });
    }

    fn warn(&mut self, path: &Path, what: &str) {
        self.warnings.push(format!("{}: {what}", path.display()));
    }

    fn add(&mut self, file: ConfigFile, here: &Path, taken: &mut Taken) {
        let ConfigFile { path, dir, keys } = file;
        self.deadlines = self.deadlines.or(keys.deadlines);
        self.repeats = self.repeats.or(keys.repeats);
        // The user's own file belongs to no project: its servers work where the user is.
        let of_user = user_file().is_some_and(|file| file == path);
        let project = if of_user { here } else { dir.as_path() };
        for (section, entries) in [
            (Section::McpServers, keys.mcp_servers),
            (Section::OpenApi, keys.openapi),
            (Section::Cli, keys.cli),
        ] {
            for (name, mut entry) in entries {
                if of_user && section == Section::McpServers && entry.contains_key("command") {
                    entry
                        .entry("cwd")
                        .or_insert_with(|| here.to_string_lossy().into());
                }
                let place = format!("{}: {}.{name}", path.display(), section.name());
                let at = ConfigEntry {
                    file: path.clone(),
                    name: Some(name),
                };
                self.add_service(section, at, entry, &dir, &place, taken);
            }
        }
        for entry in &keys.plugins {
            match file::folder_plugin(entry, &path) {
                Ok(plugin) => {
                    if let ConfiguredPlugin::Folder { dir, .. } = &plugin {
                        self.watched.push(dir.join("plugin.json"));
                    }
                    self.plugins.push(plugin);
                }
                Err(what) => {
                    self.warn(&path, &format!("plugins: {what}"));
                    self.unreadable.push(ConfigEntry::of_folder(&path));
                }
            }
        }
        for item in &keys.import {
            self.watched.extend(import::candidates(item, &dir, project));
            match import::files_of(item, &dir, project) {
                Ok(files) => files
                    .iter()
                    .for_each(|file| self.import(file, project, taken)),
                Err(what) => self.warn(&path, &format!("import: {what}")),
            }
        }
    }

    fn import(&mut self, path: &Path, project: &Path, taken: &mut Taken) {
        let imported = match import::read(path, project) {
            Ok(imported) => imported,
            Err(what) => return self.give_up(path, &what),
        };
        for note in &imported.notes {
            self.warn(path, note);
        }
        taken.extend(
            imported
                .off
                .into_iter()
                .map(|name| (Section::McpServers, name)),
        );
        for (name, server) in imported.servers {
            let place = format!("{}: {name}", path.display());
            let at = ConfigEntry {
                file: path.to_owned(),
                name: Some(name),
            };
            self.add_service(Section::McpServers, at, server, project, &place, taken);
        }
    }

    fn add_service(
        &mut self,
        section: Section,
        at: ConfigEntry,
        entry: Map<String, Value>,
        dir: &Path,
        place: &str,
        taken: &mut Taken,
    ) {
        let name = at.name.clone().unwrap_or_default();
        let is_new = taken.insert((section, name.clone()));
        if !is_new || !is_on(&entry) {
            return;
        }
        let manifest = match section.manifest(&name, entry, dir, place) {
            Ok(manifest) => Ok(Box::new(Manifest {
                configured: Some(at),
                ..manifest
            })),
            Err(failure) => {
                self.unreadable.push(at);
                Err(failure)
            }
        };
        self.plugins.push(ConfiguredPlugin::Inline(manifest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut warnings = configured.warnings;
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
                ConfiguredPlugin::Disabled(dir) => {
                    Some(format!("no {}", dir.file_name()?.display()))
                }
            });
        let plugins = plugins.collect();
        let root = temp.path().display().to_string();
        let warnings = warnings
            .into_iter()
            .map(|warning| warning.replace(&root, ""));
        (plugins, warnings.collect())
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
                "unknown field `mcpserver`, expected one of `$schema`, `mcpServers`, `openapi`, `cli`, `plugins`, `import`, `deadlines`, `repeats`; did you mean `mcpServers`?",
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
}
