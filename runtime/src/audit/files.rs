//! The files of a log: `calls-<number>.jsonl`, of which the highest is written, `head` and `lock`. Nobody but the user
//! can read them.

use std::{
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{private_file::lock_within, private_folder::make_private};

const PREFIX: &str = "calls-";
const SUFFIX: &str = ".jsonl";
/// Whoever writes holds the lock for microseconds. Who waits longer waits for a process that was stopped in the middle.
pub(super) const LOCK_WAIT: Duration = Duration::from_secs(1);
/// For who has waited that long in vain.
pub(super) const SHORT_LOCK_WAIT: Duration = Duration::from_millis(10);

/// The folder of one log.
#[derive(Debug, Clone)]
pub(super) struct Files {
    dir: PathBuf,
}

impl Files {
    pub(super) fn in_folder(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
        }
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(super) fn name(number: u64) -> String {
        format!("{PREFIX}{number:08}{SUFFIX}")
    }

    pub(super) fn path(&self, number: u64) -> PathBuf {
        self.dir.join(Self::name(number))
    }

    pub(super) fn head(&self) -> PathBuf {
        self.dir.join("head")
    }

    /// The numbers of the files that are there, ascending.
    pub(super) fn numbers(&self) -> io::Result<Vec<u64>> {
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(&self.dir)? {
            let name = entry?.file_name();
            let number: Option<u64> = name.to_str().and_then(|name| {
                let digits = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
                digits.parse().ok()
            });
            numbers.extend(number);
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    pub(super) fn make_folder(&self) -> io::Result<()> {
        make_private(&self.dir)
    }

    /// Keeps other writers out for as long as the file is open. Who holds the lock already is waited for, but no longer
    /// than `wait`.
    pub(super) fn lock(&self, wait: Duration) -> io::Result<File> {
        let lock = open_private(&self.dir.join("lock"))?;
        match lock_within(&lock, wait)? {
            true => Ok(lock),
            false => Err(io::Error::new(
                io::ErrorKind::WouldBlock,
                "another process holds its lock",
            )),
        }
    }
}

/// For reading and writing, made where it is missing. A link is not followed: it could lead out of the folder.
pub(super) fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options
            .mode(0o600)
            .custom_flags(nix::fcntl::OFlag::O_NOFOLLOW.bits());
    }
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(file)
}
