//! Where plugins are found.
//!
//! In order: what `agent-tools.json` names, the embedding package's own folder, every `node_modules` from there upwards (scoped and linked packages
//! too), then the folders of the options. The working folder is not searched: a plugin is a program, and opening a
//! project must not run it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use super::{
    Manifest,
    configured::{ConfigEntry, Configured, ConfiguredPlugin},
    prefix::MAX_PREFIX,
};
use crate::{
    config::{Deadlines, Options, RepeatLimits},
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
    /// Time limits that the configuration file sets.
    pub(crate) deadlines: Option<Deadlines>,
    /// Limits of repeated failures that the configuration file sets.
    pub(crate) repeats: Option<RepeatLimits>,
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
        deadlines: configured.deadlines,
        repeats: configured.repeats,
        watched: configured.watched,
        unreadable: configured.unreadable,
        ..Found::default()
    };
    let mut seen = BTreeSet::new();
    let mut is_new =
        |dir: &Path| seen.insert(dir.canonicalize().unwrap_or_else(|_| dir.to_owned()));
    for plugin in configured.plugins {
        match plugin {
            ConfiguredPlugin::Inline(manifest) => found.add(manifest.map(|manifest| *manifest)),
            ConfiguredPlugin::Folder {
                dir,
                changes,
                entry,
            } => {
                if !is_new(&dir) {
                    found.warnings.push(format!(
                        "{}: plugins: {} is named twice; the first time counts",
                        entry.file.display(),
                        dir.display()
                    ));
                } else {
                    let manifest = Manifest::read_with(&dir, changes);
                    found.add(manifest.map(|manifest| Manifest {
                        configured: Some(entry),
                        ..manifest
                    }));
                }
            }
            ConfiguredPlugin::Disabled(dir) => {
                is_new(&dir);
            }
        }
    }
    for dir in folders(options, &mut found.warnings) {
        if is_new(&dir) {
            found.add(Manifest::read(&dir));
        }
    }
    // An inline plugin has no folder of its own. An empty one would be no place to start a process in.
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    for settings in &options.plugins {
        found.add(Manifest::from_settings(settings, &here));
    }
    found.drop_collisions();
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
                self.warnings.push(format!(
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

fn folders(options: &Options, warnings: &mut Vec<String>) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(root) = &options.package_root {
        folders.extend(children(root));
        for ancestor in root.ancestors() {
            folders.extend(packages(&ancestor.join("node_modules")));
        }
    }
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
        assert_eq!(without.warnings.len(), 1, "{:?}", without.warnings);
        assert!(without.warnings[0].contains("\"my api\""));
        assert!(without.warnings[0].contains(&changed));
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
}
