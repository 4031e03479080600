//! Where the value of a reference comes from, from the moment that a configuration was read.
//!
//! A reference `${secret:NAME}` is bound when its file is read, as only then it is known who wrote it: it becomes
//! `${secret:NAME#HASH}`, where the hash names what the file says. A reference that was not bound has no value.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{LazyLock, Mutex, PoisonError},
};

use crate::checksum;

/// Where a secret is kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// In the system's keyring, or in the user's data folder where there is none.
    Keyring(String),
    /// In a file.
    File {
        path: PathBuf,
        /// A folder that it must not lead out of.
        within: Option<PathBuf>,
    },
    /// What a program prints.
    Command { words: Vec<String>, dir: PathBuf },
}

static SOURCES: LazyLock<Mutex<HashMap<String, Source>>> = LazyLock::new(Mutex::default);

impl Source {
    /// The name of a bound reference. The same source has the same name in every run, so that what is kept of a plugin is
    /// found again.
    pub(super) fn bind(self, name: &str) -> String {
        let hash = checksum::hex(&format!("{self:?}"));
        let bound = format!("{name}#{hash}");
        let mut sources = SOURCES.lock().unwrap_or_else(PoisonError::into_inner);
        sources.insert(bound.clone(), self);
        bound
    }

    /// What a bound reference stands for.
    pub(crate) fn of(bound: &str) -> Option<Self> {
        let sources = SOURCES.lock().unwrap_or_else(PoisonError::into_inner);
        sources.get(bound).cloned()
    }
}
