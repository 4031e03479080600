//! Long results, kept to be read on: in memory while they are few, else in a private folder, and gone at the end.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    io::Write,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use indexmap::IndexMap;
use tempfile::TempDir;

use super::{Code, Failure};
use crate::private_folder::private_folder;

/// Kept in memory, in bytes.
const MEMORY: usize = 8 * 1024 * 1024;
/// Kept in all, in bytes; the oldest go first.
const QUOTA: usize = 256 * 1024 * 1024;

/// Long results by id.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// In the order in which they came.
    results: IndexMap<String, Stored>,
    in_memory: usize,
    on_disk: usize,
    folder: Option<TempDir>,
}

#[derive(Debug)]
enum Stored {
    Memory(Arc<str>),
    Disk(PathBuf, usize),
}

impl Kept {
    /// Keeps a text and gives its id, which cannot be guessed. `None` when it cannot be kept.
    pub(crate) fn keep(&self, text: &str) -> Option<String> {
        let mut state = self.lock();
        if text.len() > QUOTA {
            return None;
        }
        while state.in_memory + state.on_disk + text.len() > QUOTA {
            state.drop_oldest();
        }
        let id = random_id();
        let stored = if state.in_memory + text.len() <= MEMORY {
            state.in_memory += text.len();
            Stored::Memory(text.into())
        } else {
            let path = match state.write(&id, text) {
                Ok(path) => path,
                Err(error) => {
                    tracing::warn!(%error, "a long result cannot be kept");
                    return None;
                }
            };
            state.on_disk += text.len();
            Stored::Disk(path, text.len())
        };
        state.results.insert(id.clone(), stored);
        Some(id)
    }

    /// The text of an id.
    pub(crate) fn read(&self, id: &str) -> Result<Arc<str>, Failure> {
        let path = match self.lock().results.get(id) {
            Some(Stored::Memory(text)) => return Ok(text.clone()),
            Some(Stored::Disk(path, _)) => path.clone(),
            None => return Err(gone(id)),
        };
        std::fs::read_to_string(path)
            .map(Arc::from)
            .map_err(|_| gone(id))
    }

    /// Forgets everything, files included.
    pub(crate) fn clear(&self) {
        *self.lock() = State::default();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn drop_oldest(&mut self) {
        match self.results.shift_remove_index(0) {
            Some((_, Stored::Memory(text))) => self.in_memory -= text.len(),
            Some((_, Stored::Disk(path, length))) => {
                self.on_disk -= length;
                let _ = std::fs::remove_file(path);
            }
            None => (self.in_memory, self.on_disk) = (0, 0),
        }
    }

    fn write(&mut self, id: &str, text: &str) -> std::io::Result<PathBuf> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => private_folder("agent-tools-")?,
        };
        let path = self.folder.insert(folder).path().join(id);
        std::fs::File::create_new(&path)?.write_all(text.as_bytes())?;
        Ok(path)
    }
}

fn gone(id: &str) -> Failure {
    Failure::new(
        Code::ResultGone,
        format!("there is no kept result {id:?} (any more)"),
    )
    .with_hint("Make the original call again, asking for less at once where the tool lets you.")
}

/// 64 bits that the standard library seeds at random.
fn random_id() -> String {
    let bits = RandomState::new().build_hasher().finish();
    format!("r{bits:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_kept_on_disk_when_memory_is_full_and_removed_at_the_end() {
        let kept = Kept::default();
        let small = kept.keep("small").unwrap();
        let large = "x".repeat(MEMORY);
        let id = kept.keep(&large).unwrap();
        assert_eq!(&*kept.read(&small).unwrap(), "small");
        assert_eq!(kept.read(&id).unwrap().len(), large.len());
        let folder = kept.lock().folder.as_ref().unwrap().path().to_owned();
        assert!(folder.join(&id).is_file());
        kept.clear();
        assert!(!folder.exists());
        assert_eq!(kept.read(&id).unwrap_err().code, Code::ResultGone);
    }

    #[test]
    fn the_oldest_goes_when_the_quota_is_full() {
        let kept = Kept::default();
        let text = "x".repeat(QUOTA / 3);
        let ids: Vec<String> = (0..4).map(|_| kept.keep(&text).unwrap()).collect();
        assert!(kept.read(&ids[0]).is_err());
        assert!(kept.read(&ids[3]).is_ok());
        assert!(kept.keep(&"x".repeat(QUOTA + 1)).is_none());
    }
}
