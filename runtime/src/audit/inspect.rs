//! Reading the log: its lines, one receipt, counts, and whether the chain is whole. Nothing here changes it.

mod filter;
mod statistics;
mod verify;

pub use filter::Filter;
pub use statistics::statistics;
pub use verify::verify;

use std::{fs::File, io, path::PathBuf};

use serde_json::{Map, Value, json};

use super::{AuditSettings, files::Files, tail::Backwards};
use crate::{Code, Failure, config::ConfigChoice, plugin::audit_settings};

/// A log to be read.
#[derive(Debug, Clone)]
pub struct CallLog {
    files: Files,
}

impl CallLog {
    /// The log in that folder; else where the environment and the configuration have it.
    pub fn find(folder: Option<PathBuf>, config: &ConfigChoice) -> Result<Self, Failure> {
        let mut settings = AuditSettings {
            dir: folder,
            ..AuditSettings::default()
        };
        settings.fill_from_environment();
        settings.fill(audit_settings(config));
        let place = settings.place().ok_or_else(|| {
            Failure::new(Code::ConfigInvalid, "there is no folder for the call log")
                .with_hint("Name it: --dir, or AGENT_TOOLS_AUDIT_DIR.")
        })?;
        Ok(Self {
            files: Files::in_folder(&place.dir),
        })
    }

    /// The log that a runtime writes.
    pub(super) fn of(files: &Files) -> Self {
        Self {
            files: files.clone(),
        }
    }

    /// The lines that pass the filter, the oldest of the last `limit` first: `{folder, lines: [...]}`.
    pub fn list(&self, filter: &Filter, limit: usize) -> Result<Value, Failure> {
        let mut lines = Vec::new();
        self.backwards(|entry| {
            if filter.ends(&entry) {
                return false;
            }
            if filter.passes(&entry) {
                lines.push(Value::Object(entry));
            }
            lines.len() < limit
        })?;
        lines.reverse();
        Ok(json!({ "folder": self.files.dir(), "lines": lines }))
    }

    /// The lines about a receipt, and whether the log that holds them is whole: `{found, intact, lines, broken?}`.
    pub fn receipt(&self, id: &str) -> Result<Value, Failure> {
        let mut lines = Vec::new();
        self.backwards(|entry| {
            if entry.get("receipt").and_then(Value::as_str) == Some(id) {
                lines.push(Value::Object(entry));
            }
            true
        })?;
        lines.reverse();
        let verdict = verify(self, None)?;
        let mut said =
            json!({ "found": !lines.is_empty(), "intact": verdict["ok"], "lines": lines });
        if let Some(broken) = verdict.get("broken") {
            said["broken"] = broken.clone();
        }
        Ok(said)
    }

    /// Calls `take` with every line, the last first, for as long as it says so. What is no line of ours is left out:
    /// `verify` tells of it.
    fn backwards(&self, mut take: impl FnMut(Map<String, Value>) -> bool) -> Result<(), Failure> {
        for number in self.numbers()?.into_iter().rev() {
            let Some(file) = self.open(number)? else {
                continue;
            };
            let read = || -> io::Result<bool> {
                let size = file.metadata()?.len();
                let mut lines = Backwards::new(file, size)?;
                while let Some(line) = lines.next()? {
                    if let Ok(Value::Object(entry)) = serde_json::from_slice(&line)
                        && !take(entry)
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            };
            if !read().map_err(|error| self.unreadable(&error))? {
                break;
            }
        }
        Ok(())
    }

    fn numbers(&self) -> Result<Vec<u64>, Failure> {
        match self.files.numbers() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            numbers => numbers.map_err(|error| self.unreadable(&error)),
        }
    }

    /// `None` when it was removed meanwhile, as the oldest is.
    fn open(&self, number: u64) -> Result<Option<File>, Failure> {
        match File::open(self.files.path(number)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    fn unreadable(&self, error: &io::Error) -> Failure {
        let folder = self.files.dir().display();
        Failure::new(
            Code::ConfigInvalid,
            format!("the call log in {folder} cannot be read: {error}"),
        )
        .with_hint("Read it as the user whose log it is.")
    }
}
