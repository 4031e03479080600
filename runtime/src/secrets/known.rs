//! The values that are known to be secrets, in this process.

use std::{
    ops::Range,
    sync::{Arc, LazyLock, PoisonError, RwLock},
};

use aho_corasick::AhoCorasick;
use indexmap::IndexSet;

use super::{forms::forms, scrub::MASK};

/// Shorter values are too common to be looked for in texts.
const MIN_LENGTH: usize = 6;
/// So many values are looked for; the oldest is forgotten first. Tokens that are renewed every hour would fill the memory.
const MAX_VALUES: usize = 4096;

static KNOWN: LazyLock<Known> = LazyLock::new(Known::default);

/// Registers a value as a secret: from now on it is left out of everything that leaves the runtime, also where it is
/// written in base64, hexadecimal, percent-encoded or escaped. Values of less than 6 bytes are not looked for.
pub fn remember(value: &str) {
    KNOWN.add(value);
}

/// Where known secrets stand in a text: ranges in order that do not touch.
pub(super) fn find(text: &str) -> Vec<Range<usize>> {
    KNOWN.find(text, true)
}

/// The same but for pieces of base64, in a text that is all base64.
pub(super) fn find_unencoded(text: &str) -> Vec<Range<usize>> {
    KNOWN.find(text, false)
}

/// Values, and what finds them.
#[derive(Default)]
pub(super) struct Known {
    state: RwLock<State>,
}

#[derive(Default)]
struct State {
    values: IndexSet<String>,
    /// Made at the first search after a change.
    searcher: Option<Arc<Searcher>>,
}

struct Searcher {
    automaton: AhoCorasick,
    /// For each pattern, whether it is a piece of a longer encoded text.
    in_base64: Vec<bool>,
}

impl Known {
    pub(super) fn add(&self, value: &str) {
        self.add_one(value.trim());
        // A log shows a private key line by line.
        let lines = value.trim().lines().map(str::trim);
        if value.trim().contains('\n') {
            for line in lines.filter(|line| line.len() >= 16 && !line.starts_with("-----")) {
                self.add_one(line);
            }
        }
    }

    fn add_one(&self, value: &str) {
        if value.len() < MIN_LENGTH || MASK.contains(value) {
            return;
        }
        let known = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if known.values.contains(value) {
            return;
        }
        drop(known);
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if state.values.len() >= MAX_VALUES {
            state.values.shift_remove_index(0);
        }
        state.values.insert(value.to_owned());
        state.searcher = None;
    }

    pub(super) fn find(&self, text: &str, encoded: bool) -> Vec<Range<usize>> {
        let Some(searcher) = self.searcher() else {
            return Vec::new();
        };
        let mut found: Vec<Range<usize>> = Vec::new();
        for hit in searcher.automaton.find_overlapping_iter(text) {
            match searcher.in_base64.get(hit.pattern().as_usize()) {
                Some(true) if encoded => found.push(whole_base64(text, hit.range())),
                Some(true) => {}
                _ => found.push(hit.range()),
            }
        }
        merged(found)
    }

    /// Nothing is held while it is made: what panics there is scrubbed as well.
    fn searcher(&self) -> Option<Arc<Searcher>> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        if state.values.is_empty() || state.searcher.is_some() {
            return state.searcher.clone();
        }
        let values = state.values.clone();
        drop(state);
        let searcher = Searcher::new(&values).map(Arc::new);
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if state.values == values {
            state.searcher.clone_from(&searcher);
        }
        searcher
    }
}

impl Searcher {
    fn new(values: &IndexSet<String>) -> Option<Self> {
        let forms: Vec<_> = values.iter().flat_map(|value| forms(value)).collect();
        let automaton = AhoCorasick::new(forms.iter().map(|form| &form.text))
            .inspect_err(|_| tracing::error!("too many secrets are known to look for them"))
            .ok()?;
        Some(Self {
            automaton,
            in_base64: forms.iter().map(|form| form.in_base64).collect(),
        })
    }
}

/// The encoded text that holds a piece of it: its ends depend on what stands beside the secret.
fn whole_base64(text: &str, range: Range<usize>) -> Range<usize> {
    let belongs = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/_-".contains(byte);
    let bytes = text.as_bytes();
    let before = bytes[..range.start]
        .iter()
        .rev()
        .take_while(|byte| belongs(byte));
    let after = bytes[range.end..]
        .iter()
        .take_while(|byte| belongs(byte) || **byte == b'=');
    range.start - before.count()..range.end + after.count()
}

fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_values_are_one_range() {
        let known = Known::default();
        for value in ["abcdef", "defghi", "zzz"] {
            known.add(value);
        }
        assert_eq!(known.find("x abcdefghi zzz abcdef", true), [2..11, 16..22]);
    }

    #[test]
    fn values_that_come_later_are_found_too() {
        let known = Known::default();
        assert!(known.find("first-one second-one", true).is_empty());
        known.add("first-one");
        assert_eq!(
            known.find("first-one second-one", true).first(),
            Some(&(0..9))
        );
        known.add("second-one");
        assert_eq!(known.find("first-one second-one", true).len(), 2);
    }

    #[test]
    fn a_private_key_is_found_line_by_line() {
        let known = Known::default();
        known.add("-----BEGIN PRIVATE KEY-----\nMIIEvAIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n");
        assert_eq!(known.find("read: hkiG9w0BAQEFAASC", true).len(), 1);
        assert!(known.find("-----BEGIN PRIVATE KEY-----", true).is_empty());
    }

    #[test]
    fn the_oldest_value_is_forgotten_first() {
        let known = Known::default();
        for number in 0..=MAX_VALUES {
            known.add(&format!("value-{number}-end"));
        }
        assert!(known.find("value-0-end", true).is_empty());
        assert_eq!(known.find("value-1-end", true).len(), 1);
    }
}
