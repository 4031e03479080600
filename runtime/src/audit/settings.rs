//! What is recorded, and where: what the host, the environment and configuration files say of it.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{config::ChosenBy, folders};

/// Names the folder of the log; more important than a configuration file.
const VARIABLE: &str = "AGENT_TOOLS_AUDIT_DIR";
const MAX_BYTES: u64 = 10 * 1024 * 1024;
const KEEP: u64 = 10;

/// The call log. A project's `agent-tools.json` can switch it on and make it required, and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct AuditSettings {
    /// Whether calls are recorded; yes when absent.
    pub enabled: Option<bool>,
    /// The folder of the log, from the file's own folder; the user's state folder when absent (`AGENT_TOOLS_AUDIT_DIR`).
    pub dir: Option<PathBuf>,
    /// A file of the log is not made longer than this, in bytes; 10 MiB when absent.
    pub max_bytes: Option<u64>,
    /// Files of the log that are kept, with the one that is written; 10 when absent, and at least 1.
    pub keep: Option<u64>,
    /// Whether a call that cannot be recorded is refused; no when absent.
    pub required: Option<bool>,
}

/// Where the log is, and how much of it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub dir: PathBuf,
    pub max_bytes: u64,
    pub keep: u64,
}

impl AuditSettings {
    /// As a file in `folder` means it. That of a project may only ask for more: what else it says is left out, and told of
    /// as the end of a sentence that begins with the file.
    pub(crate) fn of_file(self, folder: &Path, chosen_by: ChosenBy) -> (Self, Option<String>) {
        if chosen_by == ChosenBy::User {
            let dir = self.dir.map(|dir| folder.join(dir));
            return (Self { dir, ..self }, None);
        }
        let allowed = Self {
            enabled: self.enabled.filter(|enabled| *enabled),
            required: self.required.filter(|required| *required),
            ..Self::default()
        };
        let problem = (allowed != self).then(|| {
            "audit: a project can only switch the call log on (`enabled`, `required`); the rest is left out, and belongs into the user's own file"
                .to_owned()
        });
        (allowed, problem)
    }

    /// Takes what a less important place says. That the log is required is taken from any.
    pub(crate) fn fill(&mut self, other: Self) {
        self.enabled = self.enabled.or(other.enabled);
        self.dir = self.dir.take().or(other.dir);
        self.max_bytes = self.max_bytes.or(other.max_bytes);
        self.keep = self.keep.or(other.keep);
        if other.required == Some(true) {
            self.required = other.required;
        }
    }

    /// Takes what the environment says.
    pub(crate) fn fill_from_environment(&mut self) {
        let named = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        self.dir = self.dir.take().or(named.map(PathBuf::from));
    }

    pub(crate) fn is_on(&self) -> bool {
        self.is_required() || self.enabled != Some(false)
    }

    pub(crate) fn is_required(&self) -> bool {
        self.required == Some(true)
    }

    /// `None` where no folder of the user is known.
    pub(crate) fn place(&self) -> Option<Place> {
        let own = || folders::state_dir().map(|folder| folder.join("audit"));
        Some(Place {
            dir: self.dir.clone().or_else(own)?,
            max_bytes: self.max_bytes.unwrap_or(MAX_BYTES),
            keep: self.keep.unwrap_or(KEEP).max(1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> AuditSettings {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_project_may_only_ask_for_more() {
        let folder = Path::new("/project");
        for off in [
            r#"{"enabled":false}"#,
            r#"{"required":false,"dir":"/elsewhere"}"#,
            r#"{"maxBytes":1,"keep":1}"#,
        ] {
            let (settings, problem) = read(off).of_file(folder, ChosenBy::Project);
            assert_eq!(settings, AuditSettings::default(), "{off}");
            assert!(problem.is_some(), "{off}");
        }
        let more = r#"{"enabled":true,"required":true}"#;
        assert_eq!(
            read(more).of_file(folder, ChosenBy::Project),
            (read(more), None),
            "and nothing is said"
        );
    }

    #[test]
    fn the_users_own_file_decides_and_its_paths_start_from_it() {
        let (settings, problem) =
            read(r#"{"dir":"log","enabled":false}"#).of_file(Path::new("/u"), ChosenBy::User);
        assert_eq!(settings.dir.as_deref(), Some(Path::new("/u/log")));
        assert_eq!((settings.is_on(), problem), (false, None));
    }

    #[test]
    fn what_is_required_stays_required() {
        let mut host = read(r#"{"enabled":false,"required":false,"keep":0}"#);
        host.fill(read(r#"{"required":true,"keep":5,"dir":"/d"}"#));
        assert!(host.is_on() && host.is_required());
        let place = host.place().unwrap();
        assert_eq!((place.keep, place.max_bytes), (1, MAX_BYTES));
        assert_eq!(place.dir, Path::new("/d"));
    }
}
