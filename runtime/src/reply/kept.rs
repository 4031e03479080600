//! Long results, kept to be read on: in memory while they are few, else in a private folder, and gone after an hour or at
//! the end. Their ids cannot be guessed, and what was kept in a client's session is read in that session only.

use std::{
    io::Write,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use indexmap::IndexMap;
use tempfile::TempDir;

use super::{Code, Failure};
use crate::private_folder::private_folder;

/// Kept in memory, in bytes.
const MEMORY: usize = 8 * 1024 * 1024;
/// Kept in all, in bytes; the oldest go first.
const QUOTA: usize = 256 * 1024 * 1024;
/// How long a result can be read on.
const LIFETIME: Duration = Duration::from_secs(60 * 60);

tokio::task_local! {
    /// The session whose call is being answered.
    static SESSION: Option<Arc<str>>;
}

/// Answers a call of a session: what is kept meanwhile is the session's, and so is what can be read. Without one, whoever
/// knows an id can read.
pub(crate) async fn in_session<T>(session: Option<Arc<str>>, call: impl Future<Output = T>) -> T {
    SESSION.scope(session, call).await
}

fn session() -> Option<Arc<str>> {
    SESSION.try_with(Clone::clone).unwrap_or_default()
}

/// Long results by id.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// In the order in which they came.
    results: IndexMap<String, LongResult>,
    in_memory: usize,
    on_disk: usize,
    folder: Option<TempDir>,
}

#[derive(Debug)]
struct LongResult {
    since: Instant,
    session: Option<Arc<str>>,
    stored: Stored,
}

#[derive(Debug)]
enum Stored {
    Memory(Arc<str>),
    Disk(PathBuf, usize),
}

impl Kept {
    /// Keeps a text and gives its id, which cannot be guessed. `None` when it cannot be kept.
    pub(crate) fn keep(&self, text: &str) -> Option<String> {
        let id = random_id()?;
        let mut state = self.lock();
        state.drop_expired(Instant::now());
        if text.len() > QUOTA {
            return None;
        }
        while state.in_memory + state.on_disk + text.len() > QUOTA {
            state.drop_oldest();
        }
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
        let result = LongResult {
            since: Instant::now(),
            session: session(),
            stored,
        };
        state.results.insert(id.clone(), result);
        Some(id)
    }

    /// The text of an id.
    pub(crate) fn read(&self, id: &str) -> Result<Arc<str>, Failure> {
        let mut state = self.lock();
        state.drop_expired(Instant::now());
        let result = state.results.get(id);
        // To others it is as if it had never been there.
        let own = result.filter(|result| result.session.is_none() || result.session == session());
        let path = match own.map(|result| &result.stored) {
            Some(Stored::Memory(text)) => return Ok(text.clone()),
            Some(Stored::Disk(path, _)) => path.clone(),
            None => return Err(gone(id)),
        };
        drop(state);
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
    /// The oldest stand first.
    fn drop_expired(&mut self, now: Instant) {
        while let Some((_, oldest)) = self.results.first()
            && now.duration_since(oldest.since) >= LIFETIME
        {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        let oldest = self.results.shift_remove_index(0);
        match oldest.map(|(id, result)| (id, result.stored)) {
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

/// 128 bits of the system's random numbers.
fn random_id() -> Option<String> {
    let mut bits = [0; 16];
    let random = rustls::crypto::ring::default_provider().secure_random;
    if random.fill(&mut bits).is_err() {
        tracing::warn!("the system gives no random numbers, so that a long result cannot be kept");
        return None;
    }
    Some(format!("r{:032x}", u128::from_be_bytes(bits)))
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
    fn ids_have_128_random_bits() {
        let kept = Kept::default();
        let ids: Vec<String> = (0..64).map(|_| kept.keep("x").unwrap()).collect();
        for (position, id) in ids.iter().enumerate() {
            assert!(id.len() == 33 && id.starts_with('r'), "{id}");
            assert!(!ids[..position].contains(id), "{id}");
        }
        // Every bit takes both values among so many.
        let bits = ids
            .iter()
            .map(|id| u128::from_str_radix(&id[1..], 16).unwrap());
        let (any, all) = bits.fold((0, u128::MAX), |(any, all), id| (any | id, all & id));
        assert_eq!((any, all), (u128::MAX, 0));
    }

    #[tokio::test]
    async fn another_session_reads_nothing() {
        let kept = Kept::default();
        let of = |session: &str| Some(Arc::from(session));
        let id = in_session(of("a"), async { kept.keep("text").unwrap() }).await;
        for session in [of("b"), of(""), None] {
            let read = in_session(session.clone(), async { kept.read(&id) }).await;
            assert_eq!(read.unwrap_err().code, Code::ResultGone, "{session:?}");
        }
        assert!(in_session(of("a"), async { kept.read(&id) }).await.is_ok());
        let anybody = in_session(None, async { kept.keep("text").unwrap() }).await;
        assert!(
            in_session(of("b"), async { kept.read(&anybody) })
                .await
                .is_ok()
        );
    }

    #[test]
    fn nothing_is_kept_longer_than_its_lifetime() {
        let kept = Kept::default();
        let id = kept.keep("text").unwrap();
        let began = Instant::now();
        kept.lock().drop_expired(began + LIFETIME / 2);
        assert!(kept.read(&id).is_ok());
        kept.lock().drop_expired(began + LIFETIME);
        assert!(kept.read(&id).is_err());
        assert_eq!(kept.lock().in_memory, 0);
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
