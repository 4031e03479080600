//! What is wrong with a document, and where.

use std::fmt;

/// More problems than this are counted, not written out.
const SHOWN: usize = 20;

/// A place in a document, as a JSON Pointer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct At(String);

impl At {
    pub(super) fn key(&self, key: &str) -> Self {
        Self(format!(
            "{}/{}",
            self.0,
            key.replace('~', "~0").replace('/', "~1")
        ))
    }

    pub(super) fn item(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// A place inside what is here, given as a pointer that starts from here.
    pub(super) fn inner(&self, pointer: &str) -> Self {
        Self(format!("{}{pointer}", self.0))
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "/" } else { &self.0 })
    }
}

/// Everything that is wrong with a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Problems(Vec<(At, String)>);

impl Problems {
    /// Adds a problem: what is wrong, and what to write instead.
    pub(super) fn add(&mut self, at: &At, what: impl Into<String>) {
        self.0.push((at.clone(), what.into()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (at, what)) in self.0.iter().take(SHOWN).enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{at}: {what}")?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}
