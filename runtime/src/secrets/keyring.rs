//! Logins and secrets in the system's keyring: the Keychain of macOS, the Credential Manager of Windows.
//!
//! Whatever goes wrong here is a reason to use the file instead, for example a keychain that is locked or an entry that is
//! too long for Windows (2,560 bytes).

use std::sync::Once;

use keyring_core::{Entry, Error};

const SERVICE: &str = "agent-tools-runtime";

/// Whether the keyring is used: not where somebody names a folder for what is kept.
fn entry(name: &str) -> Option<Entry> {
    static OPEN: Once = Once::new();
    if std::env::var_os("AGENT_TOOLS_DATA_DIR").is_some_and(|folder| !folder.is_empty()) {
        return None;
    }
    OPEN.call_once(open);
    Entry::new(SERVICE, name)
        .inspect_err(|error| told("opened", error))
        .ok()
}

#[cfg(target_os = "macos")]
fn open() {
    match apple_native_keyring_store::keychain::Store::new() {
        Ok(store) => keyring_core::set_default_store(store),
        Err(error) => told("opened", &error),
    }
}

#[cfg(windows)]
fn open() {
    match windows_native_keyring_store::Store::new() {
        Ok(store) => keyring_core::set_default_store(store),
        Err(error) => told("opened", &error),
    }
}

pub(crate) fn load(name: &str) -> Option<String> {
    match entry(name)?.get_password() {
        Ok(text) => Some(text),
        Err(Error::NoEntry) => None,
        Err(error) => {
            told("read", &error);
            None
        }
    }
}

/// Whether it is kept. What was there before is gone then or else removed, so that it does not hide the file's.
pub(crate) fn save(name: &str, text: &str) -> bool {
    let Some(entry) = entry(name) else {
        return false;
    };
    match entry.set_password(text) {
        Ok(()) => true,
        Err(error) => {
            told("written", &error);
            let _ = entry.delete_credential();
            false
        }
    }
}

pub(crate) fn remove(name: &str) {
    if let Some(entry) = entry(name) {
        match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => {}
            Err(error) => told("changed", &error),
        }
    }
}

/// The error's kind only: some hold the secret.
fn told(what: &str, error: &Error) {
    let why = match error {
        Error::NoStorageAccess(_) => "it is locked or closed",
        Error::TooLong(..) => "the value is too long for it",
        Error::NoDefaultStore => "there is none",
        _ => "it failed",
    };
    tracing::debug!("the system's keyring could not be {what}: {why}");
}
