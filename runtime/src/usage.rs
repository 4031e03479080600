//! How often tools and skills were called with success, kept in the user's cache folder, so that an overview can name
//! those that are used most. It decides about nothing else, and whatever goes wrong with it harms nothing.

use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};

use crate::private_file::write_whole;

/// Grows when the form of the file changes.
const FORMAT: u32 = 1;
const FILE: &str = "usage.json";
/// A longer file is not read, in bytes.
const MAX_FILE: u64 = 512 * 1024;
/// The names that are counted; those that are used least are forgotten first.
const MAX_NAMES: usize = 2000;
/// A longer name is not counted.
const MAX_NAME: usize = 200;
/// From this on all counts are halved, so that what was used long ago gives way.
const MAX_COUNT: u32 = 1000;
/// The counts are written after so many calls, and at the end.
const WRITTEN_EVERY: u32 = 16;

/// Counts of successful calls. Cloning gives another handle to the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Usage(Option<Arc<Kept>>);

#[derive(Debug)]
struct Kept {
    folder: PathBuf,
    counted: Mutex<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    /// What the file said, once it was read.
    before: Option<Counts>,
    /// What has come since, and is not in the file yet.
    since: Counts,
    unwritten: u32,
}

/// By plugin, by name.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
struct Counts(BTreeMap<String, BTreeMap<String, u32>>);

#[derive(Serialize, Deserialize)]
struct File {
    format: u32,
    counts: Counts,
}

impl Usage {
    /// Counts kept below the folder; without one nothing is counted.
    pub(crate) fn below(folder: Option<PathBuf>) -> Self {
        Self(folder.map(|folder| {
            Arc::new(Kept {
                folder,
                counted: Mutex::default(),
            })
        }))
    }

    /// Counts a call. Nobody waits for the writing.
    pub(crate) fn count(&self, plugin: &str, name: &str) {
        let Some(kept) = &self.0 else { return };
        if name.len() > MAX_NAME {
            return;
        }
        let mut counted = kept.counted();
        counted.since.add(plugin, name, 1);
        counted.unwritten += 1;
        if counted.unwritten == WRITTEN_EVERY {
            let kept = kept.clone();
            tokio::task::spawn_blocking(move || kept.write());
        }
    }

    /// The names of a plugin that were called most often, and how often.
    pub(crate) async fn most_used(&self, plugin: &str) -> Vec<(String, u32)> {
        let Some(kept) = self.0.clone() else {
            return Vec::new();
        };
        let plugin = plugin.to_owned();
        let read = tokio::task::spawn_blocking(move || kept.most_used(&plugin)).await;
        read.unwrap_or_default()
    }

    /// Writes what has not been written yet.
    pub(crate) async fn keep(&self) {
        let Some(kept) = self.0.clone() else { return };
        if kept.counted().unwritten > 0 {
            let _ = tokio::task::spawn_blocking(move || kept.write()).await;
        }
    }
}

impl Kept {
    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn most_used(&self, plugin: &str) -> Vec<(String, u32)> {
        let mut counted = self.counted();
        let path = self.folder.join(FILE);
        let before = counted.before.get_or_insert_with(|| read(&path));
        let mut all = Counts(BTreeMap::new());
        all.merge(before, Some(plugin));
        all.merge(&counted.since, Some(plugin));
        let mut names: Vec<(String, u32)> = all.0.remove(plugin).into_iter().flatten().collect();
        names.sort_by(|(a, left), (b, right)| right.cmp(left).then(a.cmp(b)));
        names
    }

    /// Another process may have written meanwhile: what it wrote is read, and ours is added.
    fn write(&self) {
        let mut counted = self.counted();
        let mut all = read(&self.folder.join(FILE));
        all.merge(&counted.since, None);
        all.bound();
        match write(&self.folder, &all) {
            Ok(()) => {
                counted.before = Some(all);
                counted.since = Counts::default();
            }
            Err(error) => tracing::debug!(%error, "what was used could not be kept"),
        }
        counted.unwritten = 0;
    }
}

impl Counts {
    fn add(&mut self, plugin: &str, name: &str, times: u32) {
        let names = self.0.entry(plugin.to_owned()).or_default();
        let count = names.entry(name.to_owned()).or_default();
        *count = count.saturating_add(times);
    }

    /// Adds other counts, those of one plugin or all.
    fn merge(&mut self, other: &Self, only: Option<&str>) {
        let wanted = other.0.iter();
        for (plugin, names) in wanted.filter(|(plugin, _)| only.is_none_or(|only| only == *plugin))
        {
            for (name, times) in names {
                self.add(plugin, name, *times);
            }
        }
    }

    fn bound(&mut self) {
        let highest = self.0.values().flat_map(BTreeMap::values).max();
        if highest.is_some_and(|highest| *highest > MAX_COUNT) {
            let counts = self.0.values_mut().flat_map(BTreeMap::values_mut);
            counts.for_each(|count| *count = count.div_ceil(2));
        }
        let mut all: Vec<u32> = self
            .0
            .values()
            .flat_map(BTreeMap::values)
            .copied()
            .collect();
        if all.len() > MAX_NAMES {
            all.sort_unstable_by(|a, b| b.cmp(a));
            let least = all[MAX_NAMES];
            for names in self.0.values_mut() {
                names.retain(|_, count| *count > least);
            }
        }
        self.0.retain(|_, names| !names.is_empty());
    }
}

/// What cannot be read counts nothing.
fn read(path: &Path) -> Counts {
    let mut text = String::new();
    let file = std::fs::File::open(path).map(|file| file.take(MAX_FILE));
    let file = file.and_then(|mut file| file.read_to_string(&mut text));
    let file = file
        .ok()
        .and_then(|_| serde_json::from_str::<File>(&text).ok());
    file.filter(|file| file.format == FORMAT)
        .map(|file| file.counts)
        .unwrap_or_default()
}

fn write(folder: &Path, counts: &Counts) -> io::Result<()> {
    let file = File {
        format: FORMAT,
        counts: counts.clone(),
    };
    write_whole(folder, &folder.join(FILE), &serde_json::to_vec(&file)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(folder: &Path) -> Usage {
        Usage::below(Some(folder.to_owned()))
    }

    #[tokio::test]
    async fn what_is_used_most_is_known_in_the_next_run() {
        let temp = tempfile::tempdir().unwrap();
        let first = usage(temp.path());
        for (name, times) in [("a", 1), ("b", 3), ("c", 2)] {
            (0..times).for_each(|_| first.count("p", name));
        }
        first.count("q", "x");
        let most = [("b", 3), ("c", 2), ("a", 1)].map(|(name, times)| (name.to_owned(), times));
        assert_eq!(
            first.most_used("p").await,
            most,
            "before anything is written"
        );
        first.keep().await;
        assert_eq!(first.most_used("p").await, most, "and behind it");
        let next = usage(temp.path());
        assert_eq!(next.most_used("p").await, most);
        next.count("p", "c");
        next.keep().await;
        assert_eq!(usage(temp.path()).most_used("p").await[0].1, 3);
    }

    #[tokio::test]
    async fn two_processes_add_up() {
        let temp = tempfile::tempdir().unwrap();
        let (one, other) = (usage(temp.path()), usage(temp.path()));
        one.count("p", "a");
        other.count("p", "a");
        one.keep().await;
        other.keep().await;
        assert_eq!(
            usage(temp.path()).most_used("p").await,
            [("a".to_owned(), 2)]
        );
    }

    #[tokio::test]
    async fn a_damaged_file_or_none_harms_nothing() {
        let temp = tempfile::tempdir().unwrap();
        for bad in ["", "{", "[]", r#"{"format":9,"counts":{}}"#] {
            std::fs::write(temp.path().join(FILE), bad).unwrap();
            let usage = usage(temp.path());
            assert_eq!(usage.most_used("p").await, [], "{bad}");
            usage.count("p", "a");
            usage.keep().await;
            assert_eq!(usage.most_used("p").await.len(), 1, "{bad}");
        }
        let taken = temp.path().join("file");
        std::fs::write(&taken, "").unwrap();
        let nowhere = usage(&taken);
        nowhere.count("p", "a");
        nowhere.keep().await;
        let off = Usage::below(None);
        off.count("p", "a");
        assert_eq!(off.most_used("p").await, []);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn only_the_user_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        let usage = usage(temp.path());
        usage.count("p", "a");
        usage.keep().await;
        let metadata = std::fs::metadata(temp.path().join(FILE)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn counts_are_bounded() {
        let mut counts = Counts::default();
        for number in 0..=MAX_NAMES {
            counts.add("p", &format!("t{number}"), 1);
        }
        counts.add("p", "often", MAX_COUNT + 1);
        counts.bound();
        assert!(counts.0["p"].len() <= MAX_NAMES);
        assert_eq!(counts.0["p"]["often"], MAX_COUNT / 2 + 1);
    }
}
