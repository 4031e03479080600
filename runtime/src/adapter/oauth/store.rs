//! Where logins are kept: in the system's keyring where there is a light way to it, else in a file that only the user may
//! read.

mod file;

use reqwest::Url;
use sha2::{Digest, Sha256};

use self::file::{FileStore, Lock};
use super::{exchange::place, record::Record};
use crate::reply::{Code, Failure};
#[cfg(any(target_os = "macos", windows))]
use crate::secrets::keyring;

/// The logins of one user.
pub(super) struct Store {
    file: FileStore,
}

/// Names one login: that of a client at a server. A text that is no secret and fits a file name.
#[derive(Debug, Clone)]
pub(super) struct Key(String);

impl Key {
    /// The server is named by origin and path; a client that registers itself has no id yet.
    pub(super) fn new(server: &Url, client_id: Option<&str>) -> Self {
        let name = format!("{}\n{}", place(server), client_id.unwrap_or_default());
        let digest = Sha256::digest(name.as_bytes());
        Self(
            digest
                .iter()
                .take(16)
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        )
    }
}

impl Store {
    /// The store in the user's data folder.
    pub(super) fn open() -> Result<Self, Failure> {
        let folder = crate::folders::data_dir().ok_or_else(|| {
            Failure::new(Code::ConfigInvalid, "no folder for logins is known")
                .with_hint("Set HOME, or name a folder in AGENT_TOOLS_DATA_DIR.")
        })?;
        Ok(Self {
            file: FileStore::new(folder.join("logins")),
        })
    }

    /// What is kept. A keyring that cannot be asked holds nothing.
    pub(super) fn load(&self, key: &Key) -> Result<Option<Record>, Failure> {
        let text = match keyring_load(key) {
            Some(text) => Some(text),
            None => self.file.load(&key.0)?,
        };
        // A record of another version is a login that has to be made again.
        Ok(text.and_then(|text| {
            serde_json::from_str(&text)
                .inspect_err(|_| tracing::warn!("a kept login cannot be read and is left out"))
                .ok()
        }))
    }

    /// Keeps a record, and says where.
    pub(super) fn save(&self, key: &Key, record: &Record) -> Result<&'static str, Failure> {
        let text = serde_json::to_string(record)
            .map_err(|error| Failure::new(Code::Internal, format!("a login: {error}")))?;
        if keyring_save(key, &text) {
            // An older copy would come to light again when the keyring's is removed.
            self.file.remove(&key.0)?;
            return Ok("keyring");
        }
        self.file.save(&key.0, &text)?;
        Ok("file")
    }

    /// Removes a record from wherever it is.
    pub(super) fn remove(&self, key: &Key) -> Result<(), Failure> {
        #[cfg(any(target_os = "macos", windows))]
        keyring::remove(&key.0);
        self.file.remove(&key.0)
    }

    /// Keeps other processes from changing that login meanwhile: a refresh token may be used once only.
    pub(super) async fn lock(&self, key: &Key) -> Result<Lock, Failure> {
        self.file.lock(&key.0).await
    }
}

#[cfg(any(target_os = "macos", windows))]
fn keyring_load(key: &Key) -> Option<String> {
    keyring::load(&key.0)
}

#[cfg(any(target_os = "macos", windows))]
fn keyring_save(key: &Key, text: &str) -> bool {
    keyring::save(&key.0, text)
}

#[cfg(not(any(target_os = "macos", windows)))]
fn keyring_load(_: &Key) -> Option<String> {
    None
}

#[cfg(not(any(target_os = "macos", windows)))]
fn keyring_save(_: &Key, _: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_server_and_client() {
        let key = |url: &str, client| Key::new(&Url::parse(url).unwrap(), client).0;
        let one = key("https://x.org/mcp", None);
        assert_eq!(one.len(), 32);
        assert_eq!(one, key("https://X.org:443/mcp?token=a#b", None));
        for other in [
            key("https://x.org/mcp", Some("c")),
            key("https://x.org/other", None),
            key("https://y.org/mcp", None),
            key("http://x.org/mcp", None),
            key("https://x.org:444/mcp", None),
        ] {
            assert_ne!(one, other);
        }
    }
}
