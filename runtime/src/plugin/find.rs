//! Where plugins are found.
//!
//! In order: what `agent-tools.json` names, the embedding package's own folder, every `node_modules` from there upwards (scoped and linked packages
//! too), then the folders of the options. The working folder is not searched: a plugin is a program, and opening a
//! project must not run it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::{
    Manifest,
    configured::{ConfigEntry, Configured, ConfiguredPlugin},
    prefix::MAX_PREFIX,
    restraint,
};
use crate::{
    config::{ChosenBy, Defaults, Options, own_file},
    policy::{Named, Policy},
    reply::Failure,
};

const FOLDER_PREFIX: &str = "agent-tools-plugin-";

/// The plugins found, and what went wrong with others.
#[derive(Debug, Default)]
pub struct Found {
    /// Manifests with unique prefixes, in a stable order.
    pub manifests: Vec<Manifest>,
    /// One sentence for each plugin that was left out, and why.
    pub warnings: Vec<String>,
    /// What is to be known of plugins, and works as it is.
    pub notes: Vec<String>,
    /// What the configuration says of the runtime as a whole.
    pub(crate) defaults: Defaults,
    /// What may be called.
    pub(crate) policy: Policy,
    /// What decides what the configuration says, whether it is there yet or not.
    pub(crate) watched: Vec<PathBuf>,
    /// Files and entries of the configuration that cannot be used.
    pub(crate) unreadable: Vec<ConfigEntry>,
}

/// Finds every plugin of the options. A broken one becomes a warning.
pub fn find(options: &Options) -> Found {
    let configured = Configured::read(&options.config);
    let mut found = Found {
        warnings: configured.warnings,
        notes: configured.notes,
        defaults: configured.defaults,
        policy: configured.policy,
        watched: configured.watched,
        unreadable: configured.unreadable,
        ..Found::default()
    };
    if let Some(policy) = &options.policy {
        let said = found.policy.add(policy, ChosenBy::User, "the options");
        found.warnings.extend(said);
    }
    let accepted = configured.accepted;
    let mut own_prefixes = configured.own_prefixes;
    let restrained = |manifest: Manifest| {
        restraint::check(&manifest, &accepted).map_err(|failure| Failure {
            error: format!("{}: {}", shown(&manifest), failure.error),
            ..failure
        })?;
        Ok(manifest)
    };
    let mut seen = BTreeSet::new();
    let mut is_new =
        |dir: &Path| seen.insert(dir.canonicalize().unwrap_or_else(|_| dir.to_owned()));
    for plugin in configured.plugins {
        match plugin {
            ConfiguredPlugin::Inline(manifest) => {
                found.add(manifest.and_then(|manifest| restrained(*manifest)));
            }
            ConfiguredPlugin::Folder {
                dir,
                changes,
                entry,
                chosen_by,
            } => {
                if !is_new(&dir) {
                    if chosen_by == ChosenBy::User {
                        let prefix = changes.get("prefix").and_then(Value::as_str);
                        own_prefixes.add_folder(&dir, prefix);
                    }
                    found.warnings.push(format!(
                        "{}: plugins: {} is named twice; the first time counts",
                        entry.file.display(),
                        dir.display()
                    ));
                } else {
                    let manifest = Manifest::read_with(&dir, changes);
                    let manifest = manifest.map(|manifest| Manifest {
                        configured: Some(entry),
                        chosen_by,
                        ..manifest
                    });
                    found.add(manifest.and_then(restrained));
                }
            }
            ConfiguredPlugin::Disabled(dir) => {
                own_prefixes.add_folder(&dir, None);
                is_new(&dir);
            }
        }
    }
    // An inline plugin has no folder of its own. An empty one would be no place to start a process in.
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    for (dir, chosen_by) in folders(options, &here, &mut found.warnings) {
        let chosen_by = accepted.judged(&dir.join("plugin.json"), chosen_by);
        if is_new(&dir) {
            let manifest = Manifest::read(&dir).map(|manifest| Manifest {
                chosen_by,
                ..manifest
            });
            // Who writes where the runtime itself is installed needs no plugin to start a program.
            found.add(manifest);
        } else if chosen_by == ChosenBy::User {
            own_prefixes.add_folder(&dir, None);
        }
    }
    for settings in &options.plugins {
        found.add(Manifest::from_settings(settings, &here));
    }
    own_prefixes.add_all(&found.manifests);
    for manifest in &mut found.manifests {
        manifest.borrows_name = own_prefixes.are_borrowed_by(manifest);
    }
    found.drop_collisions();
    found.apply_policy();
    found
}

/// What decides which plugins are found besides the configuration: the folders that are searched, and the manifests in them, whether they are
/// there yet or not.
pub(crate) fn watched(options: &Options) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut search = |dir: &Path| {
        paths.push(dir.to_owned());
        let plugins = entries(dir).filter(|path| file_name(path).starts_with(FOLDER_PREFIX));
        paths.extend(plugins.map(|plugin| plugin.join("plugin.json")));
    };
    if let Some(root) = &options.package_root {
        search(root);
        for ancestor in root.ancestors() {
            let modules = ancestor.join("node_modules");
            if modules.is_dir() {
                search(&modules);
                entries(&modules)
                    .filter(|path| file_name(path).starts_with('@'))
                    .for_each(|scope| search(&scope));
            }
        }
    }
    options.plugin_dirs.iter().for_each(|dir| search(dir));
    let own = options
        .plugin_dirs
        .iter()
        .map(|dir| dir.join("plugin.json"));
    paths.extend(own);
    paths
}

impl Found {
    fn add(&mut self, manifest: Result<Manifest, Failure>) {
        match manifest {
            Ok(manifest) => self.manifests.push(manifest),
            Err(failure) => self
                .warnings
                .push(format!("a plugin was left out: {}", failure.error)),
        }
    }

    /// What a plugin that nobody trusts says about needing no consent does not count, and what is denied is not named.
    fn apply_policy(&mut self) {
        let Self {
            manifests,
            policy,
            notes,
            ..
        } = self;
        for manifest in manifests {
            let named = Named::from(&*manifest);
            let is_freed = named.borrowed && policy.frees_by_name(named);
            let trusted = manifest.chosen_by == ChosenBy::User || policy.trusts(named).is_some();
            manifest.trusted = trusted;
            if is_freed {
                notes.push(format!(
                    "{}: the plugin {} belongs to the project, and one of your own has that name: what you trust and allow by it does not count for this one",
                    shown(manifest),
                    manifest.prefix,
                ));
            }
            if !manifest.trusted {
                notes.extend(manifest.take_no_word().map(|what| {
                    let trust = match manifest.borrows_name {
                        true => String::new(),
                        false => format!(
                            "; to trust it, write {{\"policy\":{{\"trust\":[{:?}]}}}} into {}",
                            manifest.prefix,
                            own_file()
                        ),
                    };
                    format!(
                        "{}: the plugin {} belongs to the project, so it is not believed when it says {what}{trust}",
                        shown(manifest),
                        manifest.prefix,
                    )
                }));
            }
            policy.withhold(manifest);
        }
    }

    /// Of two plugins with one prefix the first is kept: two tools of one name cannot be told apart. One whose prefix
    /// had to be changed never takes the place of one that declares it.
    fn drop_collisions(&mut self) {
        let mut owners: BTreeMap<String, (usize, String)> = BTreeMap::new();
        let (as_declared, changed): (Vec<_>, Vec<_>) = (self.manifests.iter().enumerate())
            .partition(|(_, manifest)| manifest.prefix == manifest.declared_prefix);
        for (position, manifest) in as_declared.into_iter().chain(changed) {
            let Manifest {
                prefix,
                declared_prefix,
                ..
            } = manifest;
            if let Some((_, owner)) = owners.get(prefix) {
                self.warnings.push(format!(
                    "a plugin was left out: {} has the prefix {declared_prefix:?}, which {} has already; change one of them",
                    shown(manifest),
                    owner
                ));
                continue;
            }
            owners.insert(prefix.clone(), (position, shown(manifest)));
            if prefix != declared_prefix {
                self.notes.push(format!(
                    "{}: the prefix {declared_prefix:?} is {prefix:?} in tool names, which take at most {MAX_PREFIX} of the characters A-Z, a-z, 0-9, _ and -, beginning with a letter or digit",
                    shown(manifest)
                ));
            }
        }
        let mut position = 0;
        self.manifests.retain(|manifest| {
            position += 1;
            owners
                .get(&manifest.prefix)
                .is_some_and(|(kept, _)| *kept == position - 1)
        });
    }
}

/// Where a plugin comes from: its entry in the configuration, or its folder. One of the options has neither.
fn shown(manifest: &Manifest) -> String {
    match &manifest.configured {
        Some(ConfigEntry {
            file,
            name: Some(name),
        }) if name != "plugins" => {
            format!("{}: {name}", file.display())
        }
        _ if manifest.dir.as_os_str().is_empty() => "a plugin of the options".into(),
        _ => manifest.dir.display().to_string(),
    }
}

/// The folders of plugins, each with whose choice it is.
fn folders(options: &Options, here: &Path, warnings: &mut Vec<String>) -> Vec<(PathBuf, ChosenBy)> {
    let named = named_folders(options, warnings);
    let chosen: BTreeSet<PathBuf> = named.iter().map(|dir| real(dir)).collect();
    let mut folders = Vec::new();
    if let Some(root) = &options.package_root {
        folders.extend(children(root).map(|dir| (dir, ChosenBy::User)));
        for ancestor in root.ancestors() {
            let is_of_project = of_project(ancestor, here);
            let modules = ancestor.join("node_modules");
            // What the user names is the user's choice, also where it is installed in the project as well.
            folders.extend(packages(&modules).map(|dir| {
                match is_of_project && !chosen.contains(&real(&dir)) {
                    true => (dir, ChosenBy::Project),
                    false => (dir, ChosenBy::User),
                }
            }));
        }
    }
    folders.extend(named.into_iter().map(|dir| (dir, ChosenBy::User)));
    folders
}

/// The plugins that the options name, each by its own folder or by the one that holds it.
fn named_folders(options: &Options, warnings: &mut Vec<String>) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for dir in &options.plugin_dirs {
        if dir.join("plugin.json").is_file() {
            folders.push(dir.clone());
        } else if dir.is_dir() {
            folders.extend(packages(dir));
        } else {
            warnings.push(format!(
                "the plugin folder {} does not exist",
                dir.display()
            ));
        }
    }
    folders
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether what is installed in a folder's `node_modules` belongs to the project that the user works in, and not to an
/// installation of their own.
fn of_project(folder: &Path, here: &Path) -> bool {
    // Of nested packages the outermost says whose they are.
    let parts = folder.components();
    let root: PathBuf = parts
        .take_while(|part| part.as_os_str() != "node_modules")
        .collect();
    let (root, here) = (real(&root), real(here));
    let home = etcetera::home_dir().ok().map(|home| real(&home));
    let of_user = |path: &Path| home.as_deref() == Some(path);
    let around = here.starts_with(&root) && !of_user(&root);
    let below = root.starts_with(&here) && !of_user(&here) && here.parent().is_some();
    around || below
}

/// An installed package of that name: in `node_modules` of the folder, or of one above it.
pub(super) fn package_folder(from: &Path, package: &str) -> Option<PathBuf> {
    let mut candidates = from
        .ancestors()
        .map(|folder| folder.join("node_modules").join(package));
    candidates.find(|dir| dir.join("plugin.json").is_file())
}

/// The plugins in a folder as package managers lay it out: scoped ones are one level deeper.
fn packages(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let scopes = entries(dir).filter(|path| file_name(path).starts_with('@'));
    children(dir).chain(scopes.flat_map(|scope| children(&scope).collect::<Vec<_>>()))
}

/// The `agent-tools-plugin-*` folders in a folder, links included.
fn children(dir: &Path) -> impl Iterator<Item = PathBuf> {
    entries(dir).filter(|path| {
        file_name(path).starts_with(FOLDER_PREFIX) && path.join("plugin.json").is_file()
    })
}

fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths.into_iter()
}

fn file_name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::prefix::published;

    fn plugin(dir: &Path, prefix: &str) {
        std::fs::create_dir_all(dir).unwrap();
        std::fs::write(
            dir.join("plugin.json"),
            format!(r#"{{"prefix":"{prefix}","adapter":"./a.mjs"}}"#),
        )
        .unwrap();
    }

    fn prefixes(found: &Found) -> Vec<&str> {
        found
            .manifests
            .iter()
            .map(|manifest| manifest.prefix.as_str())
            .collect()
    }

    fn find_in(dirs: &[PathBuf]) -> Found {
        find(&Options {
            plugin_dirs: dirs.to_vec(),
            ..Options::default()
        })
    }

    fn find_from(package_root: PathBuf) -> Found {
        find(&Options {
            package_root: Some(package_root),
            ..Options::default()
        })
    }

    #[cfg(unix)]
    fn link(target: &Path, link: &Path) {
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, link).unwrap();
    }

    #[test]
    fn the_package_then_node_modules_upwards_then_the_folders_of_the_options() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        let package = root.join("node_modules/@x/host");
        plugin(&package.join("agent-tools-plugin-own"), "own");
        plugin(
            &package.join("node_modules/agent-tools-plugin-inner"),
            "inner",
        );
        plugin(&root.join("node_modules/agent-tools-plugin-b"), "b");
        plugin(&root.join("node_modules/@y/agent-tools-plugin-c"), "c");
        plugin(&root.join("node_modules/other-package"), "no");
        plugin(&root.join("elsewhere/agent-tools-plugin-d"), "d");
        plugin(&root.join("elsewhere/@z/agent-tools-plugin-e"), "e");
        let found = find(&Options {
            package_root: Some(package),
            plugin_dirs: vec![
                root.join("elsewhere"),
                root.join("elsewhere/agent-tools-plugin-d"),
                root.join("missing"),
            ],
            ..Options::default()
        });
        assert_eq!(prefixes(&found), ["own", "inner", "b", "c", "d", "e"]);
        assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
        assert!(found.warnings[0].contains("missing"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_a_folder_counts_once() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        let modules = root.join("app/node_modules");
        plugin(&root.join("work/agent-tools-plugin-linked"), "linked");
        plugin(&root.join("work/any-name"), "named");
        let linked = root.join("work/agent-tools-plugin-linked");
        link(&linked, &modules.join("agent-tools-plugin-linked"));
        link(&linked, &modules.join("@me/agent-tools-plugin-again"));
        link(
            &root.join("work/any-name"),
            &modules.join("agent-tools-plugin-named"),
        );
        link(
            &root.join("gone"),
            &modules.join("agent-tools-plugin-dangling"),
        );
        link(&modules, &modules.join("agent-tools-plugin-circle"));
        let found = find_from(root.join("app"));
        assert_eq!(prefixes(&found), ["linked", "named"]);
        assert_eq!(found.warnings, [] as [String; 0]);
        // A folder of the options may be a link, too.
        link(&root.join("work"), &root.join("plugins"));
        assert_eq!(prefixes(&find_in(&[root.join("plugins")])), ["linked"]);
    }

    /// pnpm keeps each package in a folder of its own below `.pnpm`, with links to what it may use beside it. Node tells
    /// a module where it really is, which is there.
    #[cfg(unix)]
    #[test]
    fn plugins_that_pnpm_installed_are_found_from_the_real_folder() {
        let temp = tempfile::tempdir().unwrap();
        let modules = temp.path().join("app/node_modules");
        let store = modules.join(".pnpm");
        let runtime = store.join("@x+host@1.0.0/node_modules/@x/host");
        std::fs::create_dir_all(&runtime).unwrap();
        link(&runtime, &modules.join("@x/host"));
        for (name, prefix) in [
            ("agent-tools-plugin-p", "p"),
            ("@y/agent-tools-plugin-q", "q"),
        ] {
            let own = store.join(format!("{}@2.0.0/node_modules", name.replace('/', "+")));
            plugin(&own.join(name), prefix);
            link(&own.join(name), &modules.join(name));
            // Unless it is told to be strict, every package is linked here for tools that expect a flat folder.
            link(&own.join(name), &store.join("node_modules").join(name));
        }
        // Nobody depends on it: a rest of an earlier installation.
        plugin(
            &store.join("agent-tools-plugin-old@1.0.0/node_modules/agent-tools-plugin-old"),
            "old",
        );
        for root in [runtime, modules.join("@x/host")] {
            let found = find_from(root);
            assert_eq!(prefixes(&found), ["p", "q"]);
            assert_eq!(found.warnings, [] as [String; 0]);
        }
        std::fs::remove_dir_all(store.join("node_modules")).unwrap();
        let strict = find_from(modules.join("@x/host"));
        assert_eq!(prefixes(&strict), ["p", "q"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_the_user_names_is_the_users_also_where_the_project_has_it_installed() {
        let temp = tempfile::tempdir().unwrap();
        let project = temp.path().join("project");
        for name in ["a", "b"] {
            let source = temp
                .path()
                .join(format!("plugins/agent-tools-plugin-{name}"));
            plugin(&source, name);
            link(
                &source,
                &project.join(format!("node_modules/agent-tools-plugin-{name}")),
            );
        }
        let chosen = |plugin_dirs: Vec<PathBuf>| {
            let options = Options {
                package_root: Some(project.clone()),
                plugin_dirs,
                ..Options::default()
            };
            let found = folders(&options, &project, &mut Vec::new());
            found
                .into_iter()
                .take(2)
                .map(|(_, chosen_by)| chosen_by)
                .collect::<Vec<_>>()
        };
        assert_eq!(chosen(vec![]), [ChosenBy::Project, ChosenBy::Project]);
        let plugins = temp.path().join("plugins");
        assert_eq!(
            chosen(vec![plugins.join("agent-tools-plugin-b")]),
            [ChosenBy::Project, ChosenBy::User]
        );
        assert_eq!(chosen(vec![plugins]), [ChosenBy::User, ChosenBy::User]);
    }

    #[test]
    fn a_prefix_has_one_owner_and_a_broken_manifest_is_a_warning() {
        let temp = tempfile::tempdir().unwrap();
        let [first, second, broken] =
            ["1", "2", "3"].map(|name| temp.path().join(format!("agent-tools-plugin-{name}")));
        plugin(&first, "same");
        plugin(&second, "same");
        std::fs::create_dir_all(&broken).unwrap();
        std::fs::write(broken.join("plugin.json"), "{").unwrap();
        let found = find_in(&[temp.path().to_owned()]);
        assert_eq!(prefixes(&found), ["same"]);
        assert_eq!(found.manifests[0].dir, first);
        assert_eq!(found.warnings.len(), 2, "{:?}", found.warnings);
        let collision = &found.warnings[1];
        for path in [&first, &second] {
            assert!(collision.contains(path.to_str().unwrap()), "{collision}");
        }
    }

    #[test]
    fn a_changed_prefix_is_told_and_never_depends_on_the_order() {
        let temp = tempfile::tempdir().unwrap();
        let changed = published("my api");
        let declared = ["my-api", "my_api", "my api", &changed];
        for (name, prefix) in ["a", "b", "c", "d"].into_iter().zip(declared) {
            plugin(
                &temp.path().join(format!("agent-tools-plugin-{name}")),
                prefix,
            );
        }
        let dirs: Vec<PathBuf> = ["a", "b", "c", "d"]
            .map(|name| temp.path().join(format!("agent-tools-plugin-{name}")))
            .into();
        let forwards = find_in(&dirs);
        // The one that declares the name has it; the other cannot be told from it.
        assert_eq!(prefixes(&forwards), ["my-api", "my_api", &changed]);
        assert!(forwards.manifests[2].dir.ends_with("agent-tools-plugin-d"));
        let without = find_in(&[dirs[2].clone(), dirs[1].clone(), dirs[0].clone()]);
        assert_eq!(prefixes(&without), [&changed, "my_api", "my-api"]);
        assert_eq!(without.notes.len(), 1, "{:?}", without.notes);
        assert!(without.notes[0].contains("\"my api\""));
        assert!(without.notes[0].contains(&changed));
        let backwards = find_in(&dirs.iter().rev().cloned().collect::<Vec<_>>());
        let mut found = prefixes(&backwards);
        found.reverse();
        assert_eq!(found, ["my-api", "my_api", &changed]);
        assert!(backwards.manifests[0].dir.ends_with("agent-tools-plugin-d"));
    }

    #[test]
    fn an_inline_plugin_is_at_home_in_the_working_folder() {
        let options = Options {
            plugins: vec![
                serde_json::json!({"prefix": "a", "mcp": {"command": "true"}}),
                serde_json::json!({"prefix": "b", "mcp": {"command": "true"}, "dir": "sub"}),
            ],
            ..Options::default()
        };
        let found = find(&options);
        let here = std::env::current_dir().unwrap();
        assert_eq!(found.manifests[0].dir, here);
        assert_eq!(found.manifests[1].dir, here.join("sub"));
    }

    #[test]
    fn a_projects_plugin_inherits_nothing_by_the_name_of_one_of_the_users_own() {
        let temp = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::create_dir_all(temp.path().join(name).parent().unwrap()).unwrap();
            std::fs::write(temp.path().join(name), text).unwrap();
        };
        // Each of the user's own in another state: switched off, unusable, in a folder that is not loaded, there, and none.
        write(
            "agent-tools.json",
            r#"{
                "cli": {
                    "off": {"command": "x", "enabled": false},
                    "broken": {"command": "x", "nonsense": 1},
                    "odd name": {"command": "x", "enabled": false}
                },
                "openapi": {"entry": {"document": "./api.json", "prefix": "there"}},
                "plugins": [{"path": "./folder", "enabled": false}],
                "import": ["claude-code"],
                "policy": {"trust": ["off", "broken", "odd name", "there", "folded", "projects-own", "*-any"]}
            }"#,
        );
        plugin(&temp.path().join("folder"), "folded");
        let servers = [
            "off",
            "broken",
            "odd name",
            "there",
            "folded",
            "projects-own",
            "x-any",
        ];
        let servers: Vec<String> = servers
            .iter()
            .map(|name| {
                format!(r#"{name:?}: {{"type": "http", "url": "https://example.com/mcp"}}"#)
            })
            .collect();
        write(
            ".mcp.json",
            &format!(r#"{{"mcpServers": {{{}}}}}"#, servers.join(",")),
        );
        let found = find(&Options {
            config: crate::config::ConfigChoice::File(temp.path().join("agent-tools.json")),
            ..Options::default()
        });
        let of_project = found
            .manifests
            .iter()
            .filter(|manifest| manifest.chosen_by == ChosenBy::Project);
        let trusted: Vec<(&str, bool)> = of_project
            .map(|manifest| (manifest.declared_prefix.as_str(), manifest.trusted))
            .collect();
        assert_eq!(
            trusted,
            [
                ("off", false),
                ("broken", false),
                ("odd name", false),
                ("folded", false),
                ("projects-own", true),
                ("x-any", true)
            ]
        );
        let told = found
            .notes
            .iter()
            .filter(|note| note.contains("one of your own has that name"));
        assert_eq!(told.count(), 4, "{:?}", found.notes);
    }
}
