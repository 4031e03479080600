//! Where plugins are found.
//!
//! In order: the embedding package's own folder, every `node_modules` from there upwards (scoped and linked packages
//! too), then the folders of the options. The working folder is not searched: a plugin is a program, and opening a
//! project must not run it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use super::Manifest;
use crate::{config::Options, reply::Failure};

const FOLDER_PREFIX: &str = "agent-tools-plugin-";

/// The plugins found, and what went wrong with others.
#[derive(Debug, Default)]
pub struct Found {
    /// Manifests with unique prefixes, in a stable order.
    pub manifests: Vec<Manifest>,
    /// One sentence for each plugin that was left out, and why.
    pub warnings: Vec<String>,
}

/// Finds every plugin of the options. A broken one becomes a warning.
pub fn find(options: &Options) -> Found {
    let mut found = Found::default();
    let mut seen = BTreeSet::new();
    for dir in folders(options, &mut found.warnings) {
        let real = dir.canonicalize().unwrap_or_else(|_| dir.clone());
        if seen.insert(real) {
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

impl Found {
    fn add(&mut self, manifest: Result<Manifest, Failure>) {
        match manifest {
            Ok(manifest) => self.manifests.push(manifest),
            Err(failure) => self
                .warnings
                .push(format!("a plugin was left out: {}", failure.error)),
        }
    }

    /// Of two plugins with one prefix the first is kept: two tools of one name cannot be told apart.
    fn drop_collisions(&mut self) {
        let mut owners: BTreeMap<String, PathBuf> = BTreeMap::new();
        let warnings = &mut self.warnings;
        self.manifests.retain(|manifest| match owners.get(&manifest.prefix) {
            None => {
                owners.insert(manifest.prefix.clone(), manifest.dir.clone());
                true
            }
            Some(owner) => {
                warnings.push(format!(
                    "a plugin was left out: {} has the prefix {:?}, which {} has already; change one of them",
                    manifest.dir.display(),
                    manifest.prefix,
                    owner.display()
                ));
                false
            }
        });
    }
}

fn folders(options: &Options, warnings: &mut Vec<String>) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(root) = &options.package_root {
        folders.extend(children(root));
        for ancestor in root.ancestors() {
            let modules = ancestor.join("node_modules");
            folders.extend(children(&modules));
            for scope in entries(&modules).filter(|path| file_name(path).starts_with('@')) {
                folders.extend(children(&scope));
            }
        }
    }
    for dir in &options.plugin_dirs {
        if dir.join("plugin.json").is_file() {
            folders.push(dir.clone());
        } else if dir.is_dir() {
            folders.extend(children(dir));
        } else {
            warnings.push(format!(
                "the plugin folder {} does not exist",
                dir.display()
            ));
        }
    }
    folders
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

    #[test]
    fn packages_scopes_links_and_folders_are_searched_in_order() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        let package = root.join("node_modules/@x/host");
        plugin(&package.join("agent-tools-plugin-own"), "own");
        plugin(&root.join("node_modules/agent-tools-plugin-b"), "b");
        plugin(&root.join("node_modules/@y/agent-tools-plugin-c"), "c");
        plugin(&root.join("elsewhere/agent-tools-plugin-d"), "d");
        plugin(&root.join("store/agent-tools-plugin-linked"), "linked");
        #[cfg(unix)]
        std::os::unix::fs::symlink(
            root.join("store/agent-tools-plugin-linked"),
            root.join("node_modules/agent-tools-plugin-linked"),
        )
        .unwrap();
        let options = Options {
            package_root: Some(package),
            plugin_dirs: vec![
                root.join("elsewhere"),
                root.join("elsewhere/agent-tools-plugin-d"),
                root.join("missing"),
            ],
            ..Options::default()
        };
        let found = find(&options);
        #[cfg(unix)]
        assert_eq!(prefixes(&found), ["own", "b", "linked", "c", "d"]);
        assert_eq!(found.warnings.len(), 1, "{:?}", found.warnings);
        assert!(found.warnings[0].contains("missing"));
    }

    #[test]
    fn a_prefix_has_one_owner_and_a_broken_manifest_is_a_warning() {
        let temp = tempfile::tempdir().unwrap();
        plugin(&temp.path().join("agent-tools-plugin-1"), "same");
        plugin(&temp.path().join("agent-tools-plugin-2"), "same");
        let broken = temp.path().join("agent-tools-plugin-3");
        std::fs::create_dir_all(&broken).unwrap();
        std::fs::write(broken.join("plugin.json"), "{").unwrap();
        let options = Options {
            plugin_dirs: vec![temp.path().to_owned()],
            ..Options::default()
        };
        let found = find(&options);
        assert_eq!(prefixes(&found), ["same"]);
        assert!(found.manifests[0].dir.ends_with("agent-tools-plugin-1"));
        assert_eq!(found.warnings.len(), 2);
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
