//! Files that are for this user alone, and never half written.

use std::{
    fs::{File, TryLockError},
    io::{self, Write},
    path::Path,
    time::{Duration, Instant},
};

/// How often it is looked whether a lock is free.
const LOCK_STEP: Duration = Duration::from_millis(1);

/// What the name of a file that is being written starts with.
pub(crate) const TEMPORARY: &str = ".writing-";

/// Whose writing makes a file another's work. Their bits of its mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    /// Anybody's but the user's: of files that this program writes.
    Anybody = 0o022,
    /// Everybody's: of files that people write, as systems make those writable for the user's own group.
    Everybody = 0o002,
}

/// Why a file may be the work of another user of the machine, if it may. It grants nothing then.
pub(crate) fn foreign(path: &Path, others: Others) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let looked_at = |path: &Path| {
            let found = path.metadata().ok()?;
            Some((found.uid(), found.mode()))
        };
        let (Some(file), folder) = (looked_at(path), path.parent().and_then(looked_at)) else {
            return Some("it cannot be looked at");
        };
        foreign_to(nix::unistd::geteuid().as_raw(), file, folder, others)
    }
    // Access lists are not looked at.
    #[cfg(not(unix))]
    {
        let _ = (path, others);
        None
    }
}

/// The same for the user of that number; owner and mode of the file and of its folder.
#[cfg(unix)]
fn foreign_to(
    user: u32,
    (owner, mode): (u32, u32),
    folder: Option<(u32, u32)>,
    others: Others,
) -> Option<&'static str> {
    const STICKY: u32 = 0o1000;
    if owner != user && owner != 0 {
        return Some("it belongs to another user");
    }
    if mode & others as u32 != 0 {
        return Some("others may write it");
    }
    let open = |(_, mode): (u32, u32)| mode & 0o002 != 0 && mode & STICKY == 0;
    folder
        .is_some_and(open)
        .then_some("everybody may replace it in its folder")
}

/// Puts a file into `folder`, which is made where it is missing. Whoever reads meanwhile finds the old file or the new one,
/// and never a part.
pub(crate) fn write_whole(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    // Only its owner may read a temporary file.
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Waits for the lock of a file, which lasts until the file is closed, but no longer than `wait`. False where somebody else
/// holds it still.
pub(crate) fn lock_within(file: &File, wait: Duration) -> io::Result<bool> {
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if since.elapsed() >= wait => return Ok(false),
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_STEP),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::{fs::Permissions, os::unix::fs::PermissionsExt};

    #[test]
    fn what_another_user_owns_or_could_have_written_is_not_the_users_own() {
        const FOLDER: Option<(u32, u32)> = Some((1000, 0o40755));
        for (file, folder, others, foreign) in [
            ((1000, 0o100600), FOLDER, Others::Anybody, false),
            ((0, 0o100644), FOLDER, Others::Anybody, false),
            ((1001, 0o100600), FOLDER, Others::Anybody, true),
            ((1001, 0o100600), FOLDER, Others::Everybody, true),
            ((1000, 0o100620), FOLDER, Others::Anybody, true),
            ((1000, 0o100664), FOLDER, Others::Everybody, false),
            ((1000, 0o100602), FOLDER, Others::Everybody, true),
            ((1000, 0o100600), Some((0, 0o40777)), Others::Anybody, true),
            ((1000, 0o100600), Some((0, 0o41777)), Others::Anybody, false),
        ] {
            let why = foreign_to(1000, file, folder, others);
            assert_eq!(why.is_some(), foreign, "{file:?} {folder:?} {others:?}");
        }
        // What another user owns is not root's own, either.
        assert!(foreign_to(0, (1000, 0o100600), FOLDER, Others::Anybody).is_some());
    }

    #[test]
    fn a_file_is_looked_at_with_its_folder() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a");
        assert!(foreign(&path, Others::Anybody).is_some());
        std::fs::write(&path, "x").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(foreign(&path, Others::Anybody), None);
        std::fs::set_permissions(temp.path(), Permissions::from_mode(0o777)).unwrap();
        assert!(foreign(&path, Others::Anybody).is_some());
    }
}
