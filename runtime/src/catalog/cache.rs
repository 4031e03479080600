//! What plugins offered, kept in the user's cache folder, so that the next run can show it before anything has started.
//!
//! One file for each plugin as it is: its name is a hash of everything that decides what the plugin offers, so a change
//! of any of it finds no file. A file that cannot be read, or that another version wrote, is as good as none.

mod file;
mod room;

use std::path::{Path, PathBuf};

use super::{Skill, Tool, search::SectionStore};
use crate::private_file::write_whole;
pub(super) use room::Room;

/// Listings of plugins on disk. Nothing about it ever fails a caller: what cannot be read or written is not there.
#[derive(Debug)]
pub(crate) struct CatalogueCache {
    folder: PathBuf,
    sections: SectionStore,
}

/// One kept listing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Kept {
    /// The service's tools.
    pub tools: Vec<Tool>,
    /// The skills that are modules; declarative ones are read from their files.
    pub skills: Vec<Skill>,
}

impl CatalogueCache {
    /// The cache below the folder `cache_dir`, which is made when something is first kept.
    pub(crate) fn below(cache_dir: &Path) -> Self {
        Self {
            folder: cache_dir.join("catalogues"),
            sections: SectionStore::below(cache_dir),
        }
    }

    /// The listing kept under `key`, a name of letters and digits.
    pub(crate) fn read(&self, key: &str) -> Option<Kept> {
        file::read(&self.path(key), key)
    }

    /// Keeps a listing, and makes room where there are too many. One that is kept already is not written again.
    pub(crate) fn write(&self, key: &str, kept: &Kept) {
        let path = self.path(key);
        let text = file::text(key, kept);
        if text.len() as u64 > room::MAX_FILE || file::holds(&path, &text) {
            return;
        }
        match write_whole(&self.folder, &path, text.as_bytes()) {
            Ok(()) => room::LISTINGS.make(&self.folder),
            Err(error) => tracing::debug!(%error, "what a plugin offers could not be kept"),
        }
    }

    /// What searches need of the same plugins.
    pub(crate) fn sections(&self) -> &SectionStore {
        &self.sections
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kept(names: &[&str]) -> Kept {
        Kept {
            tools: names
                .iter()
                .filter_map(|name| Tool::from_json(&json!({ "name": name })))
                .collect(),
            skills: vec![Skill {
                name: "tidy".into(),
                read_only: true,
                ..Skill::default()
            }],
        }
    }

    #[test]
    fn what_was_kept_is_read_by_its_key_alone() {
        let temp = tempfile::tempdir().unwrap();
        let cache = CatalogueCache::below(temp.path());
        assert_eq!(cache.read("a1"), None);
        cache.write("a1", &kept(&["x", "y"]));
        assert_eq!(cache.read("a1"), Some(kept(&["x", "y"])));
        assert_eq!(cache.read("b2"), None);
        cache.write("a1", &kept(&["z"]));
        assert_eq!(
            CatalogueCache::below(temp.path()).read("a1"),
            Some(kept(&["z"]))
        );
    }

    #[test]
    fn a_damaged_or_foreign_file_is_ignored_and_replaced() {
        let temp = tempfile::tempdir().unwrap();
        let cache = CatalogueCache::below(temp.path());
        cache.write("other", &kept(&["x"]));
        let foreign = std::fs::read_to_string(cache.path("other")).unwrap();
        let whole = file::text("a1", &kept(&["x"]));
        for bad in [
            "",
            "{",
            "[]",
            "{\"format\":99}",
            &whole[..whole.len() / 2],
            &foreign,
        ] {
            std::fs::write(cache.path("a1"), bad).unwrap();
            assert_eq!(cache.read("a1"), None, "{bad}");
            cache.write("a1", &kept(&["x"]));
            assert_eq!(cache.read("a1"), Some(kept(&["x"])));
        }
        std::fs::write(cache.path("a1"), [0xff, 0xfe, 0x00]).unwrap();
        assert_eq!(cache.read("a1"), None);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        let cache = CatalogueCache::below(temp.path());
        cache.write("a1", &kept(&["x"]));
        let mode = std::fs::metadata(cache.path("a1"))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_folder_that_cannot_be_made_harms_nothing() {
        let temp = tempfile::tempdir().unwrap();
        let taken = temp.path().join("file");
        std::fs::write(&taken, "").unwrap();
        let cache = CatalogueCache::below(&taken);
        cache.write("a1", &kept(&["x"]));
        assert_eq!(cache.read("a1"), None);
    }

    #[test]
    fn a_listing_that_is_too_long_is_not_kept() {
        let temp = tempfile::tempdir().unwrap();
        let cache = CatalogueCache::below(temp.path());
        let tool = json!({"name": "x", "description": "d".repeat(usize::try_from(room::MAX_FILE).unwrap())});
        let long = Kept {
            tools: Tool::from_json(&tool).into_iter().collect(),
            skills: Vec::new(),
        };
        cache.write("a1", &long);
        assert_eq!(cache.read("a1"), None);
    }

    #[test]
    fn many_writers_at_once_leave_a_whole_file() {
        let temp = tempfile::tempdir().unwrap();
        let names: Vec<String> = (0..200).map(|n| format!("tool_{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let (names, path) = (&names, temp.path());
                scope.spawn(move || {
                    // Each as a process of its own would.
                    let cache = CatalogueCache::below(path);
                    for round in 0..10 {
                        cache.write("a1", &kept(&names[..1 + (writer * 10 + round)]));
                        assert!(cache.read("a1").is_some());
                    }
                });
            }
        });
        let files = std::fs::read_dir(temp.path().join("catalogues")).unwrap();
        assert_eq!(files.count(), 1, "no temporary file is left");
    }
}
