//! Logins in files that only the user may read: a file for each, in a folder that is closed to others.

use std::{
    fmt,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::time::Instant;

use crate::{
    private_file::{Others, foreign},
    reply::{Code, Failure},
};

/// How long another process may take to renew a token.
const LOCK_LIMIT: Duration = Duration::from_secs(60);
const LOCK_POLL: Duration = Duration::from_millis(20);
/// A login is a few kilobytes.
const MAX_BYTES: u64 = 1024 * 1024;

pub(super) struct FileStore {
    folder: PathBuf,
}

/// Held while a login is changed; dropping it, or the end of the process, gives it back.
pub(in crate::adapter::oauth) struct Lock(#[allow(dead_code, reason = "it is locked")] File);

impl FileStore {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub(super) fn load(&self, name: &str) -> Result<Option<String>, Failure> {
        let path = self.path(name);
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&path, &error)),
        };
        close_to_others(&path, 0o600)?;
        if let Some(why) = foreign(&path, Others::Anybody) {
            return Err(failed(&path, &why));
        }
        let mut text = String::new();
        file.take(MAX_BYTES)
            .read_to_string(&mut text)
            .map_err(|error| failed(&path, &error))?;
        Ok(Some(text))
    }

    /// Whoever reads meanwhile sees the old text or the new one, also when this process dies in between.
    pub(super) fn save(&self, name: &str, text: &str) -> Result<(), Failure> {
        self.make_folder()?;
        let path = self.path(name);
        let write = || -> io::Result<()> {
            // Only the user may read a file that `tempfile` makes.
            let mut new = tempfile::NamedTempFile::new_in(&self.folder)?;
            new.write_all(text.as_bytes())?;
            new.as_file().sync_all()?;
            new.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|error| failed(&path, &error))
    }

    pub(super) fn remove(&self, name: &str) -> Result<(), Failure> {
        let path = self.path(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&path, &error)),
            _ => Ok(()),
        }
    }

    pub(super) async fn lock(&self, name: &str) -> Result<Lock, Failure> {
        self.make_folder()?;
        let path = self.folder.join(format!("{name}.lock"));
        // The file stays: were it removed, two processes could hold two files of that name.
        let file = private(OpenOptions::new().create(true).append(true))
            .open(&path)
            .map_err(|error| failed(&path, &error))?;
        let end = Instant::now() + LOCK_LIMIT;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock(file)),
                Err(TryLockError::WouldBlock) if Instant::now() < end => {
                    tokio::time::sleep(LOCK_POLL).await;
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::new(
                        Code::Timeout,
                        format!("another process has held {} too long", path.display()),
                    )
                    .with_hint("End that process, or try again."));
                }
                Err(TryLockError::Error(error)) => return Err(failed(&path, &error)),
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }

    fn make_folder(&self) -> Result<(), Failure> {
        let path = &self.folder;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        }
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(failed(path, &error));
            }
            _ => {}
        }
        close_to_others(path, 0o700)
    }
}

/// Only the user may read what is made so.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// What others could read is closed to them, with a warning: they may have read it.
#[cfg(unix)]
fn close_to_others(path: &Path, mode: u32) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let failed = |error| failed(path, &error);
    let found = fs::metadata(path).map_err(failed)?.permissions().mode();
    if found & 0o077 == 0 {
        return Ok(());
    }
    tracing::warn!(
        "{} was open to other users (mode {:o}) and is closed to them now; log in again if somebody may have read it",
        path.display(),
        found & 0o777
    );
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(failed)
}

/// The folders of a Windows user are closed to others.
#[cfg(not(unix))]
fn close_to_others(_: &Path, _: u32) -> Result<(), Failure> {
    Ok(())
}

fn failed(path: &Path, error: &dyn fmt::Display) -> Failure {
    Failure::new(
        Code::ConfigInvalid,
        format!("the kept login {}: {error}", path.display()),
    )
    .with_hint("Make it a file that you may read and write, or name another folder in AGENT_TOOLS_DATA_DIR.")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn store() -> (tempfile::TempDir, FileStore) {
        let dir = tempfile::tempdir().unwrap();
        let store = FileStore::new(dir.path().join("data").join("logins"));
        (dir, store)
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_kept_is_read_again_and_closed_to_others() {
        let (_dir, store) = store();
        assert_eq!(store.load("a").unwrap(), None);
        store.save("a", "one").unwrap();
        store.save("a", "two").unwrap();
        assert_eq!(store.load("a").unwrap().unwrap(), "two");
        assert_eq!(mode(&store.folder), 0o700);
        assert_eq!(mode(&store.path("a")), 0o600);
        assert_eq!(fs::read_dir(&store.folder).unwrap().count(), 1);
        store.remove("a").unwrap();
        store.remove("a").unwrap();
        assert_eq!(store.load("a").unwrap(), None);
    }

    #[test]
    fn wider_permissions_are_repaired() {
        let (_dir, store) = store();
        store.save("a", "one").unwrap();
        let open = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        open(&store.path("a"), 0o644);
        assert_eq!(store.load("a").unwrap().unwrap(), "one");
        assert_eq!(mode(&store.path("a")), 0o600);
        open(&store.folder, 0o755);
        store.save("a", "two").unwrap();
        assert_eq!(mode(&store.folder), 0o700);
    }

    #[tokio::test]
    async fn one_holds_the_lock_at_a_time() {
        let (_dir, store) = store();
        let held = store.lock("a").await.unwrap();
        assert_eq!(mode(&store.folder.join("a.lock")), 0o600);
        let _another_login = store.lock("b").await.unwrap();
        let waiting = store.lock("a");
        tokio::pin!(waiting);
        let early = tokio::time::timeout(Duration::from_millis(100), &mut waiting).await;
        assert!(early.is_err());
        drop(held);
        waiting.await.unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_used_is_named() {
        let (_dir, store) = store();
        fs::create_dir_all(store.path("a")).unwrap();
        let failure = store.load("a").unwrap_err();
        assert!(failure.error.contains("a.json"), "{failure}");
    }
}
