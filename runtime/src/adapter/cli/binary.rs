//! Output that is no text: what it is, and a private file that holds it until the runtime closes.

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use tempfile::TempDir;

use crate::private_folder::private_folder;

/// As much as is looked at to tell text from data.
const LOOKED_AT: usize = 64 * 1024;
/// Fewer bytes with control characters may be a text with an accident in it.
const MIN_FOR_CONTROLS: usize = 32;
/// Kept in files, in bytes; the oldest go first.
const QUOTA: usize = 256 * 1024 * 1024;

/// The beginnings of files of common kinds: media type, file name's extension, beginning.
const KINDS: &[(&str, &str, &[u8])] = &[
    ("image/png", "png", b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", "jpg", b"\xff\xd8\xff"),
    ("image/gif", "gif", b"GIF8"),
    ("application/pdf", "pdf", b"%PDF-"),
    ("application/zip", "zip", b"PK\x03\x04"),
    ("application/gzip", "gz", b"\x1f\x8b"),
    ("application/x-bzip2", "bz2", b"BZh"),
    ("application/x-xz", "xz", b"\xfd7zXZ\0"),
    ("application/zstd", "zst", b"\x28\xb5\x2f\xfd"),
    ("application/wasm", "wasm", b"\0asm"),
    ("application/x-executable", "elf", b"\x7fELF"),
    ("application/vnd.sqlite3", "sqlite", b"SQLite format 3\0"),
    ("audio/ogg", "ogg", b"OggS"),
    ("audio/mpeg", "mp3", b"ID3"),
];

/// What data is: its media type and an extension for its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DataKind {
    pub media_type: &'static str,
    extension: &'static str,
}

/// What kind of data it is, where it is no text.
pub(super) fn data_kind(bytes: &[u8]) -> Option<DataKind> {
    let seen = &bytes[..bytes.len().min(LOOKED_AT)];
    let known = KINDS.iter().find(|(_, _, start)| seen.starts_with(start));
    // Text has none of these; the escape character and line ends it does have.
    let controls = seen
        .iter()
        .filter(|byte| matches!(byte, 1..=7 | 0x0e..=0x1a | 0x1c..=0x1f))
        .count();
    let is_data = seen.contains(&0)
        || (seen.len() >= MIN_FOR_CONTROLS && controls * 20 > seen.len())
        || (known.is_some() && std::str::from_utf8(bytes).is_err());
    let (media_type, extension) = known.map_or(
        ("application/octet-stream", "bin"),
        |(media_type, extension, _)| (media_type, extension),
    );
    is_data.then_some(DataKind {
        media_type,
        extension,
    })
}

/// Files of data, gone when this is dropped.
#[derive(Debug, Default)]
pub(super) struct DataFiles(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    folder: Option<TempDir>,
    written: VecDeque<(PathBuf, usize)>,
    count: u64,
}

impl DataFiles {
    /// Writes a file and says where it is.
    pub(super) fn keep(&self, bytes: &[u8], kind: DataKind) -> std::io::Result<PathBuf> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut used = bytes.len() + state.written.iter().map(|(_, size)| size).sum::<usize>();
        while used > QUOTA
            && let Some((oldest, size)) = state.written.pop_front()
        {
            used -= size;
            let _ = std::fs::remove_file(oldest);
        }
        let folder = match state.folder.take() {
            Some(folder) => folder,
            None => private_folder("agent-tools-output-")?,
        };
        state.count += 1;
        let name = format!("output-{}.{}", state.count, kind.extension);
        let path = state.folder.insert(folder).path().join(name);
        std::fs::write(&path, bytes)?;
        state.written.push_back((path.clone(), bytes.len()));
        Ok(path)
    }

    /// Removes every file.
    pub(super) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_told_from_text() {
        let kind = |bytes: &[u8]| data_kind(bytes).map(|kind| kind.media_type);
        for text in [
            b"".as_slice(),
            b"hello\r\n\x1b[31mred",
            b"\xc4\xe3\xba\xc3\xc3\xa9",
            b"GIF89a is a format, and %PDF- the start of another",
            b"ring \x07",
        ] {
            assert_eq!(kind(text), None, "{text:?}");
        }
        assert_eq!(kind(b"a\0b"), Some("application/octet-stream"));
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Some("image/png"));
        assert_eq!(
            kind(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3"),
            Some("application/pdf")
        );
        let scattered: Vec<u8> = (1..=255).collect();
        assert_eq!(kind(&scattered), Some("application/octet-stream"));
    }

    #[test]
    fn files_are_private_and_gone_in_the_end() {
        let files = DataFiles::default();
        let kind = data_kind(b"\0").unwrap();
        let path = files.keep(b"\0\x01", kind).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"\0\x01");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let folder = std::fs::metadata(path.parent().unwrap()).unwrap();
            assert_eq!(folder.permissions().mode() & 0o077, 0);
        }
        files.clear();
        assert!(!path.exists());
    }
}
