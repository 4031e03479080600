//! The files that a plugin is made of.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use sha2::{Digest, Sha256};

/// A folder with more files than this is looked at no further.
const MAX_FILES: usize = 1000;
/// Of a longer file only size and time count, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

const PROGRAMS: [&str; 13] = [
    "js", "mjs", "cjs", "ts", "mts", "py", "rb", "php", "sh", "pl", "jar", "wasm", "node",
];

/// A set of files, in a stable order.
#[derive(Debug, Default)]
pub(super) struct Files(BTreeSet<PathBuf>);

impl Files {
    /// A file, whether it is there or not.
    pub(super) fn add(&mut self, path: &Path) {
        self.0.insert(path.to_owned());
    }

    /// Every program file of a folder, but for packages it depends on and what is hidden. What a plugin writes down for
    /// itself is no part of it.
    pub(super) fn add_tree(&mut self, folder: &Path) {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let mut entries: Vec<_> = std::fs::read_dir(&folder)
                .into_iter()
                .flatten()
                .flatten()
                .collect();
            // Where there are too many, the same ones are left out each time.
            entries.sort_by_key(std::fs::DirEntry::file_name);
            for entry in entries {
                let name = entry.file_name();
                let skipped = name == "node_modules" || name.as_encoded_bytes().starts_with(b".");
                if skipped || self.0.len() >= MAX_FILES {
                    continue;
                }
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                    Ok(_) if is_program(&entry.path()) || name == "package.json" => {
                        self.add(&entry.path());
                    }
                    Ok(_) => {}
                    Err(_) => {}
                }
            }
        }
    }

    /// Each file with what was seen of it: a hash of its content or, where it is long, its size and time.
    pub(super) fn seen(&self) -> impl Iterator<Item = (&PathBuf, Vec<u8>)> {
        self.0.iter().map(|path| (path, look(path)))
    }

    pub(super) fn into_paths(self) -> Vec<PathBuf> {
        self.0.into_iter().collect()
    }
}

/// By its name's end.
pub(crate) fn is_program(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| PROGRAMS.contains(&extension))
}

fn look(path: &Path) -> Vec<u8> {
    let Ok(metadata) = std::fs::metadata(path) else {
        return Vec::new();
    };
    if metadata.is_file() && metadata.len() <= MAX_BYTES {
        return std::fs::read(path)
            .map(|content| Sha256::digest(content).to_vec())
            .unwrap_or_default();
    }
    let changed = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let nanos = changed.map_or(0, |time| time.as_nanos());
    [
        metadata.len().to_le_bytes().as_slice(),
        &nanos.to_le_bytes(),
    ]
    .concat()
}
