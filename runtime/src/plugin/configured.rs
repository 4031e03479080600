//! Plugins that `agent-tools.json` names.

mod entry;
mod file;

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::{Manifest, own_prefixes::OwnPrefixes};
use crate::{
    audit::AuditSettings,
    config::{
        ChosenBy, ConfigChoice, Defaults, ProjectKeys,
        import::{self, Imported, is_this_runtime, starts_itself},
        locate::{candidates, config_files, enclosing_files, user_file},
    },
    policy::Policy,
    private_file::{Others, foreign},
    reply::Failure,
    secrets::{Definitions, OwnSecrets, Scope},
    trust::TrustSettings,
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
    /// The prefixes of the services that are the user's own choice, also where they are switched off, cannot be used, or
    /// gave way to others.
    pub own_prefixes: OwnPrefixes,
    pub warnings: Vec<String>,
    /// What is to be known, and works as it is.
    pub notes: Vec<String>,
    pub defaults: Defaults,
    pub policy: Policy,
    /// What the user lets the files of projects do.
    pub accepted: ProjectKeys,
    /// What to watch, so that a change of the configuration is seen: files that are read where they are there.
    pub watched: Vec<PathBuf>,
    /// Files and entries that cannot be used.
    pub unreadable: Vec<ConfigEntry>,
    /// What files of projects ask of definitions.
    asked: Vec<(PathBuf, TrustSettings)>,
}

/// What the files that count say of the call log.
pub(crate) fn audit_settings(choice: &ConfigChoice) -> AuditSettings {
    Configured::read(choice).defaults.audit
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
        chosen_by: ChosenBy,
    },
    /// A folder that is not to be loaded wherever else it is found.
    Disabled(PathBuf),
}

/// Where entries come from.
#[derive(Clone, Copy)]
struct Origin<'a> {
    /// The folder that they start from.
    dir: &'a Path,
    chosen_by: ChosenBy,
    /// Which secrets they may name.
    scope: &'a Scope<'a>,
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
                vec![(here.join(path), ChosenBy::User)]
            }
        };
        let mut taken = Taken::new();
        let mut read = Vec::new();
        for (path, chosen_by) in files {
            match ConfigFile::read(&path) {
                Ok(file) => read.push((file, configured.owned(&path, chosen_by))),
                Err(what) => {
                    configured.give_up(&path, &what);
                    if path.exists() {
                        configured.policy.unreadable(&path);
                    }
                }
            }
        }
        let own = read.iter().find(|(_, by)| *by == ChosenBy::User);
        let own = match own {
            Some((file, _)) => OwnSecrets::new(file.keys.secrets.clone(), &file.path),
            None => OwnSecrets::new(Definitions::new(), &user_file().unwrap_or_default()),
        };
        // The user's file comes last, and says what those before it may do.
        for (file, chosen_by) in &mut read {
            configured.accept(file, *chosen_by);
        }
        for (mut file, chosen_by) in read {
            let secrets = std::mem::take(&mut file.keys.secrets);
            let folder = file.dir.clone();
            let scope = match chosen_by {
                ChosenBy::User => own.for_user(),
                ChosenBy::Project => own.for_project(&secrets, &folder),
            };
            let chosen_by = configured.judged(&file.path, chosen_by);
            configured.add(file, chosen_by, &here, &scope, &own, &mut taken);
        }
        if *choice == ConfigChoice::Searched(true) {
            for path in enclosing_files(&here) {
                configured.tighten(&path);
            }
        }
        let user = configured.defaults.trust.clone().unwrap_or_default();
        for (path, asked) in std::mem::take(&mut configured.asked) {
            for key in user.clone().tightened_by(asked).1 {
                let what = "counts in the user's own file only, as it asks for less";
                configured.warn(&path, &format!("`trust.{key}` {what}"));
            }
        }
        configured
    }

    /// The file in the user's folder is the user's, unless others may have written it.
    fn owned(&mut self, path: &Path, chosen_by: ChosenBy) -> ChosenBy {
        let is_own = user_file().is_some_and(|own| own == path);
        match foreign(path, Others::Everybody).filter(|_| is_own) {
            Some(why) => {
                self.warn(path, &format!("{why}, so that the file counts as a project's: it may only tighten; make it yours, and writable for you alone"));
                ChosenBy::Project
            }
            None => chosen_by,
        }
    }

    /// Takes of a file what asks for more, and nothing else.
    fn tighten(&mut self, path: &Path) {
        match ConfigFile::read(path) {
            Ok(mut file) => self.take_rules(&mut file, ChosenBy::Project),
            Err(what) => {
                self.warn(path, &what);
                self.policy.unreadable(path);
            }
        }
    }

    /// Takes what the user lets projects do. A project cannot let itself do more.
    fn accept(&mut self, file: &mut ConfigFile, chosen_by: ChosenBy) {
        match (file.keys.projects.take(), chosen_by) {
            (Some(keys), ChosenBy::User) => self.accepted.add(keys),
            (Some(_), ChosenBy::Project) => {
                self.warn(&file.path, "`projects` counts in the user's own file only")
            }
            (None, _) => {}
        }
    }

    /// A file in a folder that the user trusts counts as the user's.
    fn judged(&mut self, file: &Path, chosen_by: ChosenBy) -> ChosenBy {
        if chosen_by == ChosenBy::Project
            && self.accepted.trust(file)
            && let Some(why) = foreign(file, Others::Everybody)
        {
            let what = format!(
                "it lies in a folder of `projects.trusted`, and {why}, so that it is not trusted"
            );
            self.warn(file, &what);
        }
        self.accepted.judged(file, chosen_by)
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

    /// Takes what a file says of what may be called, of what is asked of definitions, and of what is recorded.
    fn take_rules(&mut self, file: &mut ConfigFile, chosen_by: ChosenBy) {
        let ConfigFile { path, dir, keys } = file;
        if let Some(policy) = &keys.policy {
            let shown = path.display().to_string();
            for warning in self.policy.add(policy, chosen_by, &shown) {
                self.warn(path, &warning);
            }
        }
        let (audit, problem) = std::mem::take(&mut keys.audit).of_file(dir, chosen_by);
        if let Some(problem) = problem {
            self.warn(path, &problem);
        }
        let (trust, project_trust) = match chosen_by {
            ChosenBy::User => (keys.trust.take(), None),
            ChosenBy::Project => (None, keys.trust.take()),
        };
        let asked = project_trust.clone().map(|trust| (path.clone(), trust));
        self.asked.extend(asked);
        self.defaults.fill(Defaults {
            audit,
            trust,
            project_trust,
            ..Defaults::default()
        });
    }

    /// `scope` is of its own entries; of those that it imports it is not known who wrote them.
    fn add(
        &mut self,
        mut file: ConfigFile,
        chosen_by: ChosenBy,
        here: &Path,
        scope: &Scope<'_>,
        own: &OwnSecrets,
        taken: &mut Taken,
    ) {
        self.take_rules(&mut file, chosen_by);
        let ConfigFile { path, dir, keys } = file;
        // A project must not open the user's network to the services that it brings.
        let network = keys.network.filter(|network| {
            let counts = chosen_by == ChosenBy::User || network.allow.is_empty();
            if !counts {
                self.warn(
                    &path,
                    "network.allow counts in the user's own file alone; nothing of it is allowed",
                );
            }
            counts
        });
        let (telemetry, refused) = keys.telemetry.of_file(chosen_by);
        if let Some(refused) = refused {
            self.warn(&path, &refused);
        }
        self.defaults.fill(Defaults {
            network,
            deadlines: keys.deadlines,
            repeats: keys.repeats,
            view: keys.view,
            pin: keys.pin,
            telemetry,
            ..Defaults::default()
        });
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
                if section == Section::McpServers && is_on(&entry) && starts_itself(&entry) {
                    self.warnings.push(format!(
                        "{place}: it starts agent-tools itself with this configuration, so it is left out"
                    ));
                    continue;
                }
                let at = ConfigEntry {
                    file: path.clone(),
                    name: Some(name),
                };
                let from = Origin {
                    dir: &dir,
                    chosen_by,
                    scope,
                };
                self.add_service(section, at, entry, from, &place, taken);
            }
        }
        for entry in &keys.plugins {
            let plugin = file::folder_plugin(entry, &path, chosen_by);
            match plugin.and_then(|plugin| bound(plugin, scope)) {
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
        let none = Definitions::new();
        for item in &keys.import {
            self.watched.extend(import::candidates(item, &dir, project));
            match import::files_of(item, &dir, project) {
                Ok(files) => {
                    for (file, imported) in import::read_all(files, project) {
                        match imported {
                            Ok(imported) => {
                                let chosen_by = import::chosen_by(item, &file, chosen_by);
                                let from = Origin {
                                    dir: project,
                                    chosen_by: self.judged(&file, chosen_by),
                                    scope: &own.for_project(&none, project),
                                };
                                self.import(&file, imported, from, taken);
                            }
                            Err(what) => self.give_up(&file, &what),
                        }
                    }
                }
                Err(what) => self.warn(&path, &format!("import: {what}")),
            }
        }
    }

    fn import(&mut self, path: &Path, imported: Imported, from: Origin<'_>, taken: &mut Taken) {
        for warning in &imported.remarks.warnings {
            self.warn(path, warning);
        }
        let notes = imported.remarks.notes.iter();
        self.notes
            .extend(notes.map(|note| format!("{}: {note}", path.display())));
        for name in imported.off {
            if from.chosen_by == ChosenBy::User {
                self.own_prefixes.add(&name);
            }
            taken.insert((Section::McpServers, name));
        }
        for (name, server) in imported.servers {
            let place = format!("{}: {name}", path.display());
            if is_this_runtime(&name, &server) {
                self.notes.push(format!(
                    "{place}: it is agent-tools itself, so it is left out"
                ));
                continue;
            }
            let at = ConfigEntry {
                file: path.to_owned(),
                name: Some(name),
            };
            self.add_service(Section::McpServers, at, server, from, &place, taken);
        }
    }

    /// Adds an entry that starts from the folder `dir`.
    fn add_service(
        &mut self,
        section: Section,
        at: ConfigEntry,
        mut entry: Map<String, Value>,
        from: Origin<'_>,
        place: &str,
        taken: &mut Taken,
    ) {
        let name = at.name.clone().unwrap_or_default();
        if from.chosen_by == ChosenBy::User {
            let prefix = entry.get("prefix").and_then(Value::as_str);
            self.own_prefixes.add(prefix.unwrap_or(&name));
        }
        let is_new = taken.insert((section, name.clone()));
        if !is_new || !is_on(&entry) {
            return;
        }
        let bound = from.scope.bind(&mut entry).map_err(|failure| Failure {
            error: format!("{place}: {}", told(&failure)),
            ..failure
        });
        let manifest = bound.and_then(|()| section.manifest(&name, entry, from.dir, place));
        let manifest = match manifest {
            Ok(manifest) => Ok(Box::new(Manifest {
                configured: Some(at),
                chosen_by: from.chosen_by,
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

/// A folder's plugin, whose changes may name secrets.
fn bound(mut plugin: ConfiguredPlugin, scope: &Scope<'_>) -> Result<ConfiguredPlugin, String> {
    if let ConfiguredPlugin::Folder { changes, .. } = &mut plugin {
        scope.bind(changes).map_err(|failure| told(&failure))?;
    }
    Ok(plugin)
}

/// A warning is one text.
fn told(failure: &Failure) -> String {
    match &failure.hint {
        Some(hint) => format!("{}. {hint}", failure.error),
        None => failure.error.clone(),
    }
}

#[cfg(test)]
#[path = "configured_tests.rs"]
mod tests;
