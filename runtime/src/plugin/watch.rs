//! Watching files, so that a change of plugins is noticed without a restart.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use notify::{Config, Event, EventHandler, RecommendedWatcher, RecursiveMode, Watcher as _};

/// A change is acted on when nothing more has happened for this long, as an editor or a package manager does many things.
const QUIET: Duration = Duration::from_millis(300);
/// And at the latest after this.
const LATEST: Duration = Duration::from_secs(3);
/// How often files are looked at where the system does not tell of changes.
const POLL: Duration = Duration::from_secs(2);

/// Watches paths until it is dropped. It never fails: where the system has no way to watch, files are looked at again and
/// again.
pub(crate) struct Watcher {
    watched: Arc<Watched>,
    backend: Mutex<Backend>,
    events: mpsc::Sender<()>,
}

/// What the thread that tells of changes knows as well.
#[derive(Default)]
struct Watched {
    paths: RwLock<BTreeSet<PathBuf>>,
    polls: AtomicBool,
}

#[derive(Default)]
struct Backend {
    watcher: Option<RecommendedWatcher>,
    folders: BTreeSet<PathBuf>,
}

impl Watcher {
    /// Starts to watch nothing yet. `changed` runs on a thread of its own, and not twice at once.
    pub(crate) fn start(changed: impl Fn() + Send + 'static) -> Self {
        let (events, received) = mpsc::channel();
        let watched = Arc::<Watched>::default();
        let spawned = std::thread::Builder::new()
            .name("agent-tools-watch".into())
            .spawn({
                let watched = watched.clone();
                move || {
                    while await_change(&received, &watched) {
                        changed();
                    }
                }
            });
        if let Err(error) = spawned {
            tracing::warn!(%error, "plugins are not watched");
        }
        let watcher = Self {
            watched,
            backend: Mutex::default(),
            events,
        };
        match RecommendedWatcher::new(watcher.handler(), Config::default()) {
            Ok(native) => watcher.backend().watcher = Some(native),
            Err(error) => watcher.poll_instead(&error),
        }
        watcher
    }

    /// Watches these paths and no others. Of a folder every entry counts, of a file itself; neither has to be there yet.
    /// True when there are folders among them that were not watched before.
    pub(crate) fn watch(&self, paths: impl IntoIterator<Item = PathBuf>) -> bool {
        let paths: BTreeSet<PathBuf> = paths
            .into_iter()
            .filter_map(|path| std::path::absolute(path).ok())
            .collect();
        let folders: BTreeSet<PathBuf> = paths.iter().filter_map(|path| folder_of(path)).collect();
        *self
            .watched
            .paths
            .write()
            .unwrap_or_else(PoisonError::into_inner) = paths;
        let mut backend = self.backend();
        let former = std::mem::replace(&mut backend.folders, folders.clone());
        for gone in former.difference(&folders) {
            if let Some(watcher) = backend.watcher.as_mut() {
                // A folder that was removed is not watched any more anyway.
                let _ = watcher.unwatch(gone);
            }
        }
        let mut more = false;
        for folder in folders.difference(&former) {
            more = true;
            if let Err(error) = backend.add(folder) {
                self.poll_instead(&error);
            }
        }
        more
    }

    /// For systems without a way to be told, or with too many watches already.
    fn poll_instead(&self, error: &notify::Error) {
        if !self.watched.polls.swap(true, Ordering::Relaxed) {
            tracing::debug!(%error, "changes of plugins are looked for every {POLL:?}");
            let _ = self.events.send(());
        }
    }

    fn handler(&self) -> impl EventHandler + use<> {
        let (watched, events) = (self.watched.clone(), self.events.clone());
        move |event: notify::Result<Event>| match event {
            Ok(event) => {
                let paths = watched.paths.read().unwrap_or_else(PoisonError::into_inner);
                if concerns(&event, &paths) {
                    let _ = events.send(());
                }
            }
            Err(error) => tracing::debug!(%error, "a change was perhaps missed"),
        }
    }

    fn backend(&self) -> MutexGuard<'_, Backend> {
        self.backend.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend {
    fn add(&mut self, folder: &Path) -> notify::Result<()> {
        let Some(watcher) = self.watcher.as_mut() else {
            return Ok(());
        };
        match watcher.watch(folder, RecursiveMode::NonRecursive) {
            // It was removed between two looks.
            Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => Ok(()),
            watched => watched,
        }
    }
}

/// The folder that has to be watched for a path: itself, or the one it stands in or would stand in. A file itself is not
/// watched, as editors put another one in its place.
fn folder_of(path: &Path) -> Option<PathBuf> {
    path.ancestors()
        .find(|path| path.is_dir())
        .map(Path::to_owned)
}

/// Reading is no change.
fn concerns(event: &Event, paths: &BTreeSet<PathBuf>) -> bool {
    if event.need_rescan() {
        return true;
    }
    let closed_after_writing = matches!(
        event.kind,
        notify::EventKind::Access(notify::event::AccessKind::Close(
            notify::event::AccessMode::Write
        ))
    );
    if event.kind.is_access() && !closed_after_writing {
        return false;
    }
    event.paths.iter().any(|changed| {
        let above = changed.parent();
        let listed = above.is_some_and(|folder| paths.contains(folder) && folder.is_dir());
        // A folder on the way to a path that is not there yet.
        listed || paths.iter().any(|path| path.starts_with(changed))
    })
}

/// Waits for a change, and until nothing more happens. False when nobody watches any more.
fn await_change(events: &mpsc::Receiver<()>, watched: &Watched) -> bool {
    let mut seen = None;
    loop {
        let polls = watched.polls.load(Ordering::Relaxed);
        let wait = if polls { POLL } else { Duration::MAX };
        match events.recv_timeout(wait) {
            Ok(()) => break,
            Err(mpsc::RecvTimeoutError::Disconnected) => return false,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let now = look(&watched.paths.read().unwrap_or_else(PoisonError::into_inner));
                if seen.replace(now).is_some_and(|before| before != now) {
                    break;
                }
            }
        }
    }
    let first = Instant::now();
    while first.elapsed() < LATEST {
        match events.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => break,
            Err(mpsc::RecvTimeoutError::Disconnected) => return false,
        }
    }
    true
}

/// Differs after a change. A folder's time changes with its entries.
fn look(paths: &BTreeSet<PathBuf>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        let metadata = std::fs::metadata(path).ok();
        let seen = metadata.map(|metadata| (metadata.len(), metadata.modified().ok()));
        (path, seen).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    fn watcher() -> (Watcher, mpsc::Receiver<()>) {
        let (sender, receiver) = mpsc::channel();
        let watcher = Watcher::start(move || {
            let _ = sender.send(());
        });
        (watcher, receiver)
    }

    fn told(receiver: &mpsc::Receiver<()>) -> bool {
        receiver.recv_timeout(LONG).is_ok()
    }

    /// Nothing comes, which the next change that counts shows: it would be the second one.
    fn only_one(receiver: &mpsc::Receiver<()>) -> bool {
        told(receiver) && receiver.recv_timeout(2 * QUIET).is_err()
    }

    #[test]
    fn a_burst_of_changes_is_told_once() {
        let temp = tempfile::tempdir().unwrap();
        let (watcher, receiver) = watcher();
        assert!(watcher.watch([temp.path().to_owned()]));
        assert!(!watcher.watch([temp.path().to_owned()]));
        for number in 0..20 {
            std::fs::write(temp.path().join(format!("{number}")), "x").unwrap();
        }
        assert!(only_one(&receiver));
    }

    #[test]
    fn of_a_file_only_itself_counts_however_it_is_replaced() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("plugin.json");
        let (watcher, receiver) = watcher();
        watcher.watch([file.clone()]);
        std::fs::write(temp.path().join("log.txt"), "x").unwrap();
        std::fs::write(&file, "1").unwrap();
        assert!(only_one(&receiver));
        std::fs::write(temp.path().join("new"), "2").unwrap();
        std::fs::rename(temp.path().join("new"), &file).unwrap();
        assert!(told(&receiver));
        std::fs::read(&file).unwrap();
        std::fs::write(temp.path().join("log.txt"), "y").unwrap();
        std::fs::remove_file(&file).unwrap();
        assert!(only_one(&receiver));
    }

    #[test]
    fn a_path_that_is_not_there_yet_is_waited_for() {
        let temp = tempfile::tempdir().unwrap();
        let (watcher, receiver) = watcher();
        watcher.watch([temp.path().join("a/b/plugin.json")]);
        std::fs::create_dir(temp.path().join("a")).unwrap();
        assert!(told(&receiver));
        assert!(watcher.watch([temp.path().join("a/b/plugin.json")]));
    }

    #[test]
    fn where_nothing_tells_of_changes_they_are_looked_for() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("plugin.json");
        std::fs::write(&file, "1").unwrap();
        let (watcher, receiver) = watcher();
        watcher.watch([file.clone()]);
        watcher.backend().watcher = None;
        watcher.poll_instead(&notify::Error::generic("no watches left"));
        assert!(told(&receiver), "it looks at once what it may have missed");
        // Not before the first look.
        std::thread::sleep(POLL + QUIET);
        std::fs::write(&file, "two").unwrap();
        assert!(told(&receiver));
    }

    #[test]
    fn it_ends_with_its_owner() {
        let (watcher, receiver) = watcher();
        drop(watcher);
        assert_eq!(
            receiver.recv_timeout(LONG),
            Err(mpsc::RecvTimeoutError::Disconnected)
        );
    }
}
