//! What a plugin is made of, so that the same one is known again: in the next run, for what was kept of it, and after a
//! reload, which leaves it alone.

mod files;

use std::{
    collections::BTreeSet,
    fmt::Write,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::{Manifest, Source};
use crate::{adapter::installed_package, config::ChosenBy, policy::Policy};
use files::Files;
pub(crate) use files::is_program;

/// A hash of everything that decides what a plugin offers, as far as that can be seen from outside.
///
/// In it are the settings as they are written, the values of the variables they name, the plugin's own program files and
/// the version of this runtime. It gives none of them away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    key: String,
    /// The same whatever the variables hold that the plugin says it needs.
    key_without_needs: String,
    files: Vec<PathBuf>,
}

impl Identity {
    pub(crate) fn of(manifest: &Manifest, version: &str, policy: &Policy) -> Self {
        let mut hash = Sha256::new();
        let mut add = |part: &[u8]| add_part(&mut hash, part);
        add(version.as_bytes());
        add(env!("CARGO_PKG_VERSION").as_bytes());
        add(&manifest.content.hash);
        // They decide what is shown of it, and how.
        add(policy.fingerprint().as_bytes());
        add(&[u8::from(manifest.trusted), u8::from(manifest.borrows_name)]);
        for text in [&manifest.prefix, &manifest.name] {
            add(text.as_bytes());
        }
        add(manifest
            .description
            .as_deref()
            .unwrap_or_default()
            .as_bytes());
        add(&[u8::from(manifest.chosen_by == ChosenBy::Project)]);
        add(manifest.dir.as_os_str().as_encoded_bytes());
        let files = files_of(manifest);
        for (path, seen) in files.seen() {
            add(path.as_os_str().as_encoded_bytes());
            add(&seen);
        }
        let add_variable = |hash: &mut Sha256, name: &str| {
            let value = std::env::var_os(name);
            add_part(hash, name.as_bytes());
            add_part(hash, &[u8::from(value.is_some())]);
            add_part(hash, value.unwrap_or_default().as_encoded_bytes());
        };
        let needed: BTreeSet<&str> = manifest.needs.names().collect();
        let variables = manifest.content.variables.iter().map(String::as_str);
        for name in variables.filter(|name| !needed.contains(name)) {
            add_variable(&mut hash, name);
        }
        let key_without_needs = hexadecimal(&hash.clone().finalize());
        for name in needed {
            add_variable(&mut hash, name);
        }
        let to_do = manifest.set_up.as_ref().map(|set_up| set_up.what.as_str());
        add_part(&mut hash, to_do.unwrap_or_default().as_bytes());
        Self {
            key: hexadecimal(&hash.finalize()),
            key_without_needs,
            files: files.into_paths(),
        }
    }

    /// 64 letters and digits.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// The same for a plugin whatever the variables hold that it says it needs; also where they are not there.
    pub(crate) fn key_without_needs(&self) -> &str {
        &self.key_without_needs
    }

    /// The files that it depends on.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

/// With its length, so that no two lists of parts look alike.
fn add_part(hash: &mut Sha256, part: &[u8]) {
    hash.update((part.len() as u64).to_le_bytes());
    hash.update(part);
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn files_of(manifest: &Manifest) -> Files {
    let mut files = Files::default();
    let dir = &manifest.dir;
    if matches!(manifest.source, Source::Module { .. }) || manifest.skill_modules().next().is_some()
    {
        files.add_tree(dir);
        manifest
            .skill_modules()
            .for_each(|path| files.add(&dir.join(path)));
    }
    match &manifest.source {
        Source::McpStdio(server) => {
            let cwd = server
                .cwd
                .as_ref()
                .map_or_else(|| dir.clone(), |cwd| dir.join(cwd));
            for arg in server.args.iter().filter(|arg| is_program(Path::new(arg))) {
                files.add(&cwd.join(arg));
            }
            let package = server
                .module
                .as_deref()
                .and_then(|name| installed_package(dir, name));
            if let Some(package) = package {
                files.add(&package.join("package.json"));
            }
        }
        Source::OpenApi(settings) if !settings.document.contains("://") => {
            files.add(&dir.join(&settings.document));
        }
        _ => {}
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::manifest::Content;
    use serde_json::{Value, json};

    fn identity(dir: &Path, settings: &Value) -> Identity {
        Identity::of(
            &Manifest::from_settings(settings, dir).unwrap(),
            "1.0.0",
            &Policy::default(),
        )
    }

    #[test]
    fn any_change_of_what_decides_is_seen_and_nothing_else_is() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path();
        let write = |name: &str, text: &str| {
            let path = dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("adapter.mjs", "1");
        write("lib/more.mjs", "1");
        write("node_modules/x/index.js", "1");
        let module = json!({"prefix": "m", "adapter": "./adapter.mjs"});
        let first = identity(dir, &module);
        assert_eq!(first, identity(dir, &module));
        assert_eq!(first.key().len(), 64);

        write("node_modules/x/index.js", "2");
        write(".git/index.mjs", "2");
        write("notes.db", "2");
        assert_eq!(first, identity(dir, &module));
        write("lib/more.mjs", "2");
        let edited = identity(dir, &module);
        assert_ne!(first, edited);
        write("lib/new.mjs", "2");
        assert_ne!(edited, identity(dir, &module));

        let manifest = Manifest::from_settings(&module, dir).unwrap();
        assert_ne!(
            Identity::of(&manifest, "1", &Policy::default()),
            Identity::of(&manifest, "2", &Policy::default())
        );
        let renamed = json!({"prefix": "m", "adapter": "./adapter.mjs", "description": "d"});
        assert_ne!(identity(dir, &module), identity(dir, &renamed));
    }

    #[test]
    fn a_servers_program_counts_and_its_data_does_not() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path();
        let server =
            json!({"prefix": "s", "mcp": {"command": "node", "args": ["server.mjs", "data.db"]}});
        for name in ["server.mjs", "data.db"] {
            std::fs::write(dir.join(name), "1").unwrap();
        }
        let first = identity(dir, &server);
        assert_eq!(first.files(), [dir.join("server.mjs")]);
        std::fs::write(dir.join("data.db"), "2").unwrap();
        assert_eq!(first, identity(dir, &server));
        std::fs::write(dir.join("server.mjs"), "2").unwrap();
        assert_ne!(first, identity(dir, &server));
    }

    #[test]
    fn a_document_counts() {
        let temp = tempfile::tempdir().unwrap();
        let settings = json!({"prefix": "o", "openapi": {"document": "./api.json"}});
        let without = identity(temp.path(), &settings);
        std::fs::write(temp.path().join("api.json"), "{}").unwrap();
        assert_ne!(without, identity(temp.path(), &settings));
    }

    #[test]
    fn what_a_plugin_needs_counts_in_one_of_two_keys() {
        let of = |needs: Value| {
            let settings = json!({"prefix": "e", "mcp": {"command": "x"}, "environment": needs});
            let mut manifest = Manifest::from_settings(&settings, Path::new("")).unwrap();
            // The settings themselves are the same.
            manifest.content = Content::of(&json!({}));
            Identity::of(&manifest, "1", &Policy::default())
        };
        let (none, needs_more) = (
            of(json!({})),
            of(json!({"PATH": "", "NOBODY_SETS_THIS": {"required": true}})),
        );
        assert_ne!(none.key(), needs_more.key());
        assert_eq!(none.key_without_needs(), needs_more.key_without_needs());
        assert_ne!(needs_more.key(), needs_more.key_without_needs());
    }

    #[test]
    fn the_values_of_named_variables_count_and_cannot_be_read_back() {
        // PATH is set wherever tests run.
        let named = json!({"prefix": "e", "mcp": {"command": "x", "env": {"P": "${PATH}"}}});
        let manifest = Manifest::from_settings(&named, Path::new("")).unwrap();
        assert!(manifest.content.variables.contains("PATH"));
        let value = std::env::var("PATH").unwrap();
        let shown = format!(
            "{:?} {manifest:?}",
            Identity::of(&manifest, "1", &Policy::default())
        );
        assert!(!shown.contains(&value));
    }
}
