//! The secrets that `agent-tools secret set` was given: in the system's keyring where there is a light way to it, else in a
//! file for each that only the user may read.

use std::{io, path::PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

use super::{file, remember};
use crate::{
    folders,
    private_file::{TEMPORARY, write_whole},
    private_folder::make_private,
    reply::{Code, Failure},
};

/// The longest value: that of a file.
const MAX_BYTES: usize = 64 * 1024;
/// The longest name.
const MAX_NAME: usize = 100;

/// Where a value is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Place {
    #[cfg_attr(
        not(any(target_os = "macos", windows)),
        allow(dead_code, reason = "there is none")
    )]
    Keyring,
    File,
}

/// Keeps a value under a name, and answers where: `{name, keptIn: "keyring" | "file", path?}`.
pub fn set(name: &str, value: &str) -> Result<Value, Failure> {
    check_name(name)?;
    let value = value.trim_end_matches(['\r', '\n']);
    if value.is_empty() || value.len() > MAX_BYTES {
        return Err(
            Failure::new(Code::ConfigInvalid, "a secret has 1 to 65,536 bytes").with_hint(
                "Give the value on stdin, for example: agent-tools secret set NAME < file",
            ),
        );
    }
    remember(value);
    let path = path_of(name)?;
    if keyring_save(name, value) {
        // An older copy would come to light again when the keyring's is removed.
        remove_file(&path)?;
        return Ok(shown(name, Place::Keyring, None));
    }
    let folder = folder()?;
    make_private(&folder).map_err(|error| failed(&folder, &error))?;
    write_whole(&folder, &path, value.as_bytes()).map_err(|error| failed(&path, &error))?;
    Ok(shown(name, Place::File, Some(&path)))
}

/// The value kept under a name.
pub(crate) fn get(name: &str) -> Result<String, Failure> {
    check_name(name)?;
    if let Some(value) = keyring_load(name) {
        return Ok(value);
    }
    let path = path_of(name)?;
    match path.exists() {
        true => file::read(&path, None),
        false => Err(missing(name)),
    }
}

/// The names for which a file is kept, and where: `[{name, keptIn, path}]`. A keyring does not list what it holds.
pub fn list() -> Result<Value, Failure> {
    let folder = folder()?;
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(json!([])),
        Err(error) => return Err(failed(&folder, &error)),
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with(TEMPORARY)).collect();
    names.sort();
    let shown = names
        .iter()
        .map(|name| shown(name, Place::File, Some(&folder.join(name))));
    Ok(shown.collect())
}

/// Removes what is kept under a name.
pub fn remove(name: &str) -> Result<(), Failure> {
    check_name(name)?;
    let in_keyring = keyring_remove(name);
    let in_file = remove_file(&path_of(name)?)?;
    match in_keyring || in_file {
        true => Ok(()),
        false => Err(missing(name)),
    }
}

fn shown(name: &str, place: Place, path: Option<&PathBuf>) -> Value {
    let mut shown = json!({ "name": name, "keptIn": place });
    if let Some(path) = path {
        shown["path"] = json!(path);
    }
    shown
}

fn check_name(name: &str) -> Result<(), Failure> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_name = !name.is_empty() && name.len() <= MAX_NAME && name.chars().all(fits);
    match is_name && !name.starts_with('.') {
        true => Ok(()),
        false => Err(Failure::new(
            Code::ConfigInvalid,
            format!("{name:?} is no name of a kept secret"),
        )
        .with_hint("A name has letters, digits, `-`, `_` and `.`, and does not begin with a dot.")),
    }
}

fn folder() -> Result<PathBuf, Failure> {
    let data = folders::data_dir().ok_or_else(|| {
        Failure::new(Code::ConfigInvalid, "no folder for secrets is known")
            .with_hint("Set HOME, or name a folder in AGENT_TOOLS_DATA_DIR.")
    })?;
    Ok(data.join("secrets"))
}

fn path_of(name: &str) -> Result<PathBuf, Failure> {
    Ok(folder()?.join(name))
}

/// Whether there was one.
fn remove_file(path: &PathBuf) -> Result<bool, Failure> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed(path, &error)),
    }
}

fn missing(name: &str) -> Failure {
    Failure::new(
        Code::ConfigInvalid,
        format!("no secret is kept under the name {name}"),
    )
    .with_hint(format!("Keep it: agent-tools secret set {name}"))
}

fn failed(path: &std::path::Path, error: &io::Error) -> Failure {
    Failure::new(Code::ConfigInvalid, format!("{}: {error}", path.display()))
        .with_hint("Correct the file or folder, or name another one in AGENT_TOOLS_DATA_DIR.")
}

/// Beside the logins, which have names of their own.
#[cfg(any(target_os = "macos", windows))]
fn entry(name: &str) -> String {
    format!("secret {name}")
}

#[cfg(any(target_os = "macos", windows))]
fn keyring_load(name: &str) -> Option<String> {
    super::keyring::load(&entry(name))
}

#[cfg(any(target_os = "macos", windows))]
fn keyring_save(name: &str, value: &str) -> bool {
    super::keyring::save(&entry(name), value)
}

#[cfg(any(target_os = "macos", windows))]
fn keyring_remove(name: &str) -> bool {
    let there = keyring_load(name).is_some();
    super::keyring::remove(&entry(name));
    there
}

#[cfg(not(any(target_os = "macos", windows)))]
fn keyring_load(_: &str) -> Option<String> {
    None
}

#[cfg(not(any(target_os = "macos", windows)))]
fn keyring_save(_: &str, _: &str) -> bool {
    false
}

#[cfg(not(any(target_os = "macos", windows)))]
fn keyring_remove(_: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        for name in ["", "../x", "a/b", "a\\b", ".x", "a b", &"a".repeat(101)] {
            assert!(check_name(name).is_err(), "{name}");
            assert!(get(name).is_err() && set(name, "v").is_err() && remove(name).is_err());
        }
        assert!(check_name("github-token_2.x").is_ok());
    }
}
