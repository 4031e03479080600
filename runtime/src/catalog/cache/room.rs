//! How much is kept.

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use crate::private_file::TEMPORARY;

/// A longer listing is not kept, in bytes.
pub(super) const MAX_FILE: u64 = 16 * 1024 * 1024;

/// By then whoever wrote a temporary file has died.
const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// How much a folder may hold.
#[derive(Debug, Clone, Copy)]
pub(in crate::catalog) struct Room {
    pub max_files: usize,
    pub max_bytes: u64,
}

/// For listings.
pub(super) const LISTINGS: Room = Room {
    max_files: 1000,
    max_bytes: 128 * 1024 * 1024,
};

impl Room {
    /// Removes what was abandoned, and the oldest files where there are too many.
    pub(in crate::catalog) fn make(self, folder: &Path) {
        make_for(folder, self.max_files, self.max_bytes);
    }
}

fn make_for(folder: &Path, max_files: usize, max_bytes: u64) {
    let mut files: Vec<(SystemTime, u64, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some((metadata.modified().ok()?, metadata.len(), entry.path()))
        })
        .collect();
    files.sort_by(|a, b| b.cmp(a));
    let (mut count, mut bytes) = (0, 0);
    for (written, size, path) in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(TEMPORARY) {
            if written.elapsed().is_ok_and(|age| age > ABANDONED_AFTER) {
                let _ = std::fs::remove_file(&path);
            }
            continue;
        }
        count += 1;
        bytes += size;
        if count > max_files || bytes > max_bytes {
            let _ = std::fs::remove_file(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &Path, name: &str, size: usize, minutes_ago: u64) {
        std::fs::write(folder.join(name), vec![b'x'; size]).unwrap();
        let file = std::fs::File::options()
            .write(true)
            .open(folder.join(name))
            .unwrap();
        let then = SystemTime::now() - Duration::from_secs(60 * minutes_ago);
        file.set_modified(then).unwrap();
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_oldest_go_first_by_count_and_by_size() {
        for (max_files, max_bytes, left) in [(2, 1000, ["b", "c"]), (10, 25, ["b", "c"])] {
            let temp = tempfile::tempdir().unwrap();
            for (name, age) in [("a", 30), ("b", 20), ("c", 10)] {
                file(temp.path(), name, 10, age);
            }
            make_for(temp.path(), max_files, max_bytes);
            assert_eq!(names(temp.path()), left);
        }
    }

    #[test]
    fn only_an_abandoned_temporary_file_is_removed() {
        let temp = tempfile::tempdir().unwrap();
        file(temp.path(), ".writing-old", 1, 90);
        file(temp.path(), ".writing-new", 1, 1);
        LISTINGS.make(temp.path());
        assert_eq!(names(temp.path()), [".writing-new"]);
    }
}
