//! The lock files: what is trusted of each plugin, in the user's data folder.
//!
//! One file for each plugin and the place its definitions come from. No project can ship one: a project decides what is
//! started, and only what the user has met or accepted is trusted.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{self, Read},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};

use super::pins::{Pin, Pins};
use crate::private_file::{Others, foreign, lock_within, write_whole};

/// Grows when the form changes.
const FORMAT: u32 = 1;
/// The definitions of some ten thousand tools, in bytes.
const MAX_FILE: u64 = 64 * 1024 * 1024;
/// How long another process may take to write one.
const LOCK_LIMIT: Duration = Duration::from_secs(5);

/// Why a lock file is of no use; a sentence.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum LockError {
    #[error("the lock file {path} cannot be read: {why}")]
    Read { path: String, why: String },
    #[error("the lock file {path} cannot be written: {why}")]
    Write { path: String, why: String },
}

/// The lock file of one plugin.
#[derive(Debug)]
pub(crate) struct LockFile {
    folder: PathBuf,
    name: String,
    prefix: String,
}

/// When a file was written and how long it is: another one is another state.
pub(crate) type Stamp = Option<(SystemTime, u64)>;

#[derive(Deserialize)]
struct Content {
    format: u32,
    tools: BTreeMap<String, Pin>,
    #[serde(default)]
    partial: bool,
}

#[derive(Serialize)]
struct NewContent<'a> {
    format: u32,
    /// For people who look into the folder.
    plugin: &'a str,
    tools: &'a BTreeMap<String, Pin>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partial: bool,
}

impl LockFile {
    /// `name` is made of letters and digits.
    pub(crate) fn new(data_dir: &Path, name: String, prefix: &str) -> Self {
        Self {
            folder: data_dir.join("trust"),
            name,
            prefix: prefix.to_owned(),
        }
    }

    pub(crate) fn stamp(&self) -> Stamp {
        let metadata = std::fs::metadata(self.path()).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    }

    /// What is trusted; `None` where nothing has been seen of the plugin yet.
    pub(crate) fn read(&self) -> Result<Option<Pins>, LockError> {
        let failed = |why: String| LockError::Read {
            path: self.path().display().to_string(),
            why,
        };
        let file = match File::open(self.path()) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error.to_string())),
        };
        if let Some(why) = foreign(&self.path(), Others::Anybody) {
            return Err(failed(why.to_owned()));
        }
        let mut text = String::new();
        let read = file.take(MAX_FILE).read_to_string(&mut text);
        read.map_err(|error| failed(error.to_string()))?;
        let content: Content =
            serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
        match content.format {
            FORMAT => Ok(Some(Pins {
                tools: content.tools,
                partial: content.partial,
            })),
            other => Err(failed(format!(
                "it has the format {other}, which this version does not know"
            ))),
        }
    }

    /// Changes what is trusted, and gives it back. Processes that do so at the same time wait for each other, and each
    /// sees what the one before has written. An unreadable file is an error, or is replaced.
    pub(crate) fn update(
        &self,
        replace: bool,
        change: impl FnOnce(Option<Pins>) -> Pins,
    ) -> Result<Pins, LockError> {
        let _alone = self.lock()?;
        let before = match self.read() {
            Err(_) if replace => None,
            read => read?,
        };
        let pins = change(before.clone());
        if before.as_ref() != Some(&pins) {
            let content = NewContent {
                format: FORMAT,
                plugin: &self.prefix,
                tools: &pins.tools,
                partial: pins.partial,
            };
            let text = serde_json::to_vec(&content).map_err(|error| self.unwritable(&error))?;
            write_whole(&self.folder, &self.path(), &text)
                .map_err(|error| self.unwritable(&error))?;
        }
        Ok(pins)
    }

    /// Held until it is dropped, or the process ends.
    fn lock(&self) -> Result<File, LockError> {
        let failed = |error: io::Error| self.unwritable(&error);
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        // The file stays: were it removed, two processes could hold two files of that name.
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join(format!("{}.lock", self.name)))
            .map_err(failed)?;
        match lock_within(&file, LOCK_LIMIT).map_err(failed)? {
            true => Ok(file),
            false => Err(self.unwritable(&"another process has held it too long")),
        }
    }

    fn unwritable(&self, why: &dyn std::fmt::Display) -> LockError {
        LockError::Write {
            path: self.path().display().to_string(),
            why: why.to_string(),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalog::Tool, trust::definition::Definition};
    use serde_json::json;

    fn pin(description: &str) -> Pin {
        let tool = Tool::from_json(&json!({"name": "t", "description": description})).unwrap();
        Pin::of(&Definition::of(&tool), false)
    }

    fn with(name: &str, pins: Option<Pins>) -> Pins {
        let mut pins = pins.unwrap_or_default();
        pins.tools.insert(name.into(), pin("d"));
        pins
    }

    fn file(folder: &Path) -> LockFile {
        LockFile::new(folder, "a1".into(), "p")
    }

    #[test]
    fn many_writers_at_once_lose_nothing() {
        let temp = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let folder = temp.path();
                scope.spawn(move || {
                    // Each as a process of its own would.
                    let file = file(folder);
                    for round in 0..5 {
                        let name = format!("{writer} {round}");
                        file.update(false, |pins| with(&name, pins)).unwrap();
                    }
                });
            }
        });
        assert_eq!(file(temp.path()).read().unwrap().unwrap().tools.len(), 40);
    }

    #[test]
    fn a_broken_file_is_told_and_replaced_only_on_demand() {
        let temp = tempfile::tempdir().unwrap();
        let file = file(temp.path());
        assert_eq!(file.read().unwrap(), None);
        let add = |pins| with("t", pins);
        file.update(false, add).unwrap();
        let whole = std::fs::read_to_string(file.path()).unwrap();
        for broken in [
            "",
            "{",
            &whole[..whole.len() / 2],
            r#"{"format":99,"tools":{}}"#,
        ] {
            std::fs::write(file.path(), broken).unwrap();
            let error = file.update(false, add).unwrap_err().to_string();
            assert!(error.contains("cannot be read"), "{error}");
            assert_eq!(std::fs::read_to_string(file.path()).unwrap(), broken);
        }
        file.update(true, add).unwrap();
        assert_eq!(file.read().unwrap().unwrap().tools["t"], pin("d"));
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        let file = file(temp.path());
        file.update(false, |pins| with("t", pins)).unwrap();
        let mode = std::fs::metadata(file.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn one_that_others_may_have_written_is_not_believed() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        let file = file(temp.path());
        file.update(false, |pins| with("t", pins)).unwrap();
        let open = std::fs::Permissions::from_mode(0o622);
        std::fs::set_permissions(file.path(), open).unwrap();
        for error in [
            file.read().unwrap_err(),
            file.update(false, |pins| with("u", pins)).unwrap_err(),
        ] {
            assert!(error.to_string().contains("others may write it"), "{error}");
        }
        let accepted = file.update(true, |pins| with("v", pins)).unwrap();
        assert!(!accepted.tools.contains_key("t"));
        assert_eq!(file.read().unwrap(), Some(accepted));
    }

    #[test]
    fn a_long_definition_is_known_by_its_checksums() {
        let (long, other) = ("d".repeat(20_000), "e".repeat(20_000));
        assert_eq!(pin(&long).definition, None);
        let tool = Tool::from_json(&json!({"name": "t", "description": other})).unwrap();
        let now = Definition::of(&tool).checksums();
        assert_eq!(pin(&long).differences(&now), ["description"]);
    }
}
