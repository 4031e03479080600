//! The form of one kept listing.

use std::{io::Read, path::Path, time::Duration};

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Kept, room};
use crate::catalog::{Skill, Tool};

/// Grows when the form changes.
const FORMAT: u32 = 1;
/// An older file is no longer believed: its service may have changed without anything here changing.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// A file that is as it should be is written again after this, so that one in use does not grow too old.
const RENEWED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Deserialize)]
struct File {
    format: u32,
    key: String,
    tools: Vec<Value>,
    skills: Vec<Skill>,
}

pub(super) fn text(key: &str, kept: &Kept) -> String {
    let tools: Vec<Value> = kept.tools.iter().map(Tool::to_json).collect();
    json!({ "format": FORMAT, "key": key, "tools": tools, "skills": kept.skills }).to_string()
}

pub(super) fn read(path: &Path, key: &str) -> Option<Kept> {
    if age(path)? > MAX_AGE {
        return None;
    }
    let mut text = String::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(room::MAX_FILE).read_to_string(&mut text).ok()?;
    let file: File = serde_json::from_str(&text).ok()?;
    if file.format != FORMAT || file.key != key {
        return None;
    }
    Some(Kept {
        tools: file
            .tools
            .iter()
            .map(Tool::from_json)
            .collect::<Option<_>>()?,
        skills: file.skills,
    })
}

/// Whether the file is there, says the same and is young.
pub(super) fn holds(path: &Path, text: &str) -> bool {
    age(path).is_some_and(|age| age < RENEWED_AFTER)
        && std::fs::read(path).is_ok_and(|there| there == text.as_bytes())
}

/// How long ago the file was written; a clock that went back makes it new.
fn age(path: &Path) -> Option<Duration> {
    let written = std::fs::metadata(path).ok()?.modified().ok()?;
    Some(written.elapsed().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::private_file::write_whole;
    use std::time::SystemTime;

    #[test]
    fn a_file_grows_too_old() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a1.json");
        let text = text("a1", &Kept::default());
        write_whole(temp.path(), &path, text.as_bytes()).unwrap();
        assert!(read(&path, "a1").is_some() && holds(&path, &text));
        for (age, readable) in [(RENEWED_AFTER, true), (MAX_AGE, false)] {
            let then = SystemTime::now() - age - Duration::from_secs(1);
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(then).unwrap();
            assert_eq!(read(&path, "a1").is_some(), readable);
            assert!(!holds(&path, &text), "it is written anew");
        }
    }
}
