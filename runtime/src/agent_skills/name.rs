//! Names as the Agent Skills specification wants them.

use std::collections::HashSet;

use super::LEAD;
use crate::checksum;

const MAX_NAME: usize = 64;

/// Gives names that are unique among the plugins.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// `agent-tools-<prefix>`: lower-case letters, digits and single hyphens. Of two prefixes that look alike then, the
    /// second gets a checksum.
    pub(super) fn of(&mut self, prefix: &str) -> String {
        let wanted = match hyphenated(prefix) {
            plain if plain.is_empty() => format!("{LEAD}-{}", checksum::short(prefix)),
            plain => format!("{LEAD}-{plain}"),
        };
        if wanted.len() <= MAX_NAME && self.0.insert(wanted.clone()) {
            return wanted;
        }
        let sum = checksum::short(prefix);
        let kept: String = wanted.chars().take(MAX_NAME - 1 - sum.len()).collect();
        let name = format!("{}-{sum}", kept.trim_end_matches('-'));
        self.0.insert(name.clone());
        name
    }
}

fn hyphenated(prefix: &str) -> String {
    prefix
        .to_ascii_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_the_specification_allows_and_unique() {
        let mut names = Names::default();
        assert_eq!(names.of("github"), "agent-tools-github");
        assert_eq!(names.of("My__Server"), "agent-tools-my-server");
        let twin = names.of("my-server");
        assert!(twin.starts_with("agent-tools-my-server-"), "{twin}");
        for prefix in ["_", "1st_", &"x".repeat(80), &"x".repeat(81)] {
            let name = names.of(prefix);
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(name.len() <= MAX_NAME && name.chars().all(fits), "{name}");
            assert!(!name.contains("--") && !name.ends_with('-'), "{name}");
        }
    }
}
