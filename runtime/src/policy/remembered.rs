//! What the user allowed for good, in a file of their own.
//!
//! A yes belongs to a plugin from one place and to one definition: another plugin that takes the name, or a tool that has
//! become another one, is asked about again.

use std::{
    fs::{File, OpenOptions},
    io,
    path::PathBuf,
    time::Duration,
};

use chrono::Utc;
use serde::{Deserialize, Serialize};

use crate::{
    approval::{Kind, Subject},
    folders::config_dir,
    private_file::{self, Others},
    text_file::read_text,
};

const FILE_NAME: &str = "decisions.json";
const LOCK_NAME: &str = "decisions.lock";
/// How long another process may take to change it.
const LOCK_LIMIT: Duration = Duration::from_secs(5);

/// Something that was allowed for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Allowed {
    /// The plugin's prefix.
    pub plugin: String,
    pub name: String,
    pub subject: Subject,
    /// What it was said to do, so that a yes to a change is none to destruction.
    #[serde(default = "unsaid")]
    pub kind: Kind,
    /// Stands for where the plugin comes from.
    pub origin: String,
    /// Stands for what the tool was when it was allowed.
    pub definition: String,
    /// When; set when it is kept.
    #[serde(default)]
    pub at: String,
}

impl Allowed {
    fn is_of(&self, plugin: &str, name: &str) -> bool {
        self.plugin == plugin && self.name == name
    }

    /// Whether it is about the very same thing, which does no more than was said then.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.is_of(&other.plugin, &other.name)
            && self.subject == other.subject
            && self.kind >= other.kind
            && self.origin == other.origin
            && self.definition == other.definition
    }
}

/// Of a yes that does not say what it was to.
fn unsaid() -> Kind {
    Kind::Mutating
}

#[derive(Default, Serialize, Deserialize)]
struct Contents {
    allowed: Vec<Allowed>,
}

/// The file. It is read each time, so that what another process forgets is forgotten here too.
#[derive(Debug)]
pub(crate) struct Remembered {
    folder: Option<PathBuf>,
}

impl Remembered {
    /// The file in the user's folder of settings.
    pub(crate) fn of_user() -> Self {
        Self {
            folder: config_dir(),
        }
    }

    #[cfg(test)]
    pub(crate) fn below(folder: &std::path::Path) -> Self {
        Self {
            folder: Some(folder.to_owned()),
        }
    }

    /// Whether there is a place for it.
    pub(crate) fn has_place(&self) -> bool {
        self.folder.is_some()
    }

    /// Whether the user allowed it.
    pub(crate) fn allows(&self, wanted: &Allowed) -> bool {
        self.read().iter().any(|allowed| allowed.covers(wanted))
    }

    /// What the user allowed under that name, of whatever definition; the latest.
    pub(crate) fn last(&self, plugin: &str, name: &str, subject: Subject) -> Option<Allowed> {
        let mut allowed = self.read();
        allowed.retain(|allowed| allowed.is_of(plugin, name) && allowed.subject == subject);
        allowed.pop()
    }

    /// Keeps what was allowed now.
    pub(crate) fn keep(&self, wanted: &Allowed) -> io::Result<()> {
        let _alone = self.lock()?;
        let mut allowed = self.read();
        allowed.retain(|known| {
            !(known.is_of(&wanted.plugin, &wanted.name)
                && known.subject == wanted.subject
                && known.origin == wanted.origin)
        });
        allowed.push(Allowed {
            at: Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            ..wanted.clone()
        });
        self.write(allowed)
    }

    /// Forgets what was allowed under that name. False when there was nothing.
    pub(crate) fn forget(&self, plugin: &str, name: &str) -> io::Result<bool> {
        if self.read().is_empty() {
            return Ok(false);
        }
        let _alone = self.lock()?;
        let mut allowed = self.read();
        let before = allowed.len();
        allowed.retain(|allowed| !allowed.is_of(plugin, name));
        if allowed.len() == before {
            return Ok(false);
        }
        self.write(allowed)?;
        Ok(true)
    }

    /// Nothing where the file cannot be used: then the user is asked again.
    fn read(&self) -> Vec<Allowed> {
        let Some(path) = self.path().filter(|path| path.is_file()) else {
            return Vec::new();
        };
        if let Some(why) = private_file::foreign(&path, Others::Anybody) {
            tracing::warn!(
                path = %path.display(),
                "{why}, so that this file allows nothing; make it yours, and writable for you alone"
            );
            return Vec::new();
        }
        let contents = read_text(&path).and_then(|text| {
            serde_json::from_str(&text).map_err(|error: serde_json::Error| error.to_string())
        });
        match contents {
            Ok(Contents { allowed }) => allowed,
            Err(error) => {
                tracing::warn!(path = %path.display(), error, "what was allowed cannot be read");
                Vec::new()
            }
        }
    }

    /// Keeps others from changing the file until it is dropped, so that no change of theirs is lost.
    fn lock(&self) -> io::Result<File> {
        let folder = self.folder.as_ref().ok_or(io::ErrorKind::NotFound)?;
        std::fs::create_dir_all(folder)?;
        let path = folder.join(LOCK_NAME);
        let lock = OpenOptions::new().create(true).append(true).open(path)?;
        match private_file::lock_within(&lock, LOCK_LIMIT)? {
            true => Ok(lock),
            false => Err(io::Error::other("another process has held it too long")),
        }
    }

    fn write(&self, allowed: Vec<Allowed>) -> io::Result<()> {
        let (Some(folder), Some(path)) = (&self.folder, self.path()) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let text = serde_json::to_string_pretty(&Contents { allowed })?;
        private_file::write_whole(folder, &path, text.as_bytes())
    }

    fn path(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(FILE_NAME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(name: &str, origin: &str, definition: &str) -> Allowed {
        Allowed {
            plugin: "x".into(),
            name: name.into(),
            subject: Subject::Tool,
            kind: Kind::Mutating,
            origin: origin.into(),
            definition: definition.into(),
            at: String::new(),
        }
    }

    #[test]
    fn what_is_allowed_at_once_is_all_kept() {
        let temp = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for number in 0..16 {
                let remembered = Remembered::below(temp.path());
                scope.spawn(move || {
                    let wanted = allowed(&format!("t{number}"), "here", "1");
                    remembered.keep(&wanted).unwrap();
                });
            }
        });
        assert_eq!(Remembered::below(temp.path()).read().len(), 16);
    }

    #[test]
    fn a_yes_belongs_to_a_place_and_a_definition_until_it_is_forgotten() {
        let temp = tempfile::tempdir().unwrap();
        let remembered = Remembered::below(&temp.path().join("new"));
        assert!(!remembered.allows(&allowed("t", "here", "1")));
        remembered.keep(&allowed("t", "here", "1")).unwrap();
        remembered.keep(&allowed("u", "here", "1")).unwrap();
        assert!(remembered.allows(&allowed("t", "here", "1")));
        assert!(!remembered.allows(&allowed("t", "elsewhere", "1")));
        assert!(!remembered.allows(&allowed("t", "here", "2")));
        let skill = Allowed {
            subject: Subject::Skill,
            ..allowed("t", "here", "1")
        };
        assert!(!remembered.allows(&skill));
        let of_kind = |kind| Allowed {
            kind,
            ..allowed("t", "here", "1")
        };
        assert!(remembered.allows(&of_kind(Kind::ReadOnly)));
        assert!(!remembered.allows(&of_kind(Kind::Destructive)));
        remembered.keep(&allowed("t", "here", "2")).unwrap();
        assert!(!remembered.allows(&allowed("t", "here", "1")));
        assert_eq!(
            remembered.last("x", "t", Subject::Tool).unwrap().definition,
            "2"
        );
        assert!(remembered.forget("x", "t").unwrap());
        assert!(!remembered.forget("x", "t").unwrap());
        assert!(!remembered.allows(&allowed("t", "here", "2")));
        assert!(remembered.allows(&allowed("u", "here", "1")));
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_the_users_alone_and_one_that_others_may_write_allows_nothing() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        let remembered = Remembered::below(temp.path());
        remembered.keep(&allowed("t", "here", "1")).unwrap();
        let path = temp.path().join(FILE_NAME);
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o620)).unwrap();
        assert!(!remembered.allows(&allowed("t", "here", "1")));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert!(remembered.allows(&allowed("t", "here", "1")));
        std::fs::write(&path, "{").unwrap();
        assert!(!remembered.allows(&allowed("t", "here", "1")));
    }

    /// Only root can give a file away; of other users' files `private_file` tests what is made.
    #[cfg(unix)]
    #[test]
    fn a_file_of_another_user_allows_nothing() {
        if !nix::unistd::geteuid().is_root() {
            return;
        }
        let temp = tempfile::tempdir().unwrap();
        let remembered = Remembered::below(temp.path());
        remembered.keep(&allowed("t", "here", "1")).unwrap();
        assert!(remembered.allows(&allowed("t", "here", "1")));
        std::os::unix::fs::chown(temp.path().join(FILE_NAME), Some(1), None).unwrap();
        assert!(!remembered.allows(&allowed("t", "here", "1")));
    }
}
