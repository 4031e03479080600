//! The prefix of a plugin as it stands in tool names.
//!
//! Model providers take `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`. A prefix that would break this is changed instead of refused,
//! as it may come from a file that was written for another program. What it becomes depends on the declared prefix
//! alone, so that no other plugin can change it, and it is the same on every start and machine.

use crate::checksum;

/// The longest of the names that a prefix stands in.
const AROUND: usize = "agent_tools_".len() + "_run_skill".len();
/// What is left for the prefix of a name's 64 characters.
pub(super) const MAX_PREFIX: usize = 64 - AROUND;

/// The declared prefix where it can be published, else a legal one made of it with a checksum behind.
pub(super) fn published(declared: &str) -> String {
    let clean: String = declared
        .chars()
        .map(|c| if is_legal(c) { c } else { '_' })
        .collect();
    // A name in the flat view begins with the prefix.
    let clean = clean.trim_start_matches(['_', '-']);
    if clean == declared && !clean.is_empty() && clean.len() <= MAX_PREFIX {
        return declared.to_owned();
    }
    let sum = checksum::short(declared);
    let room = MAX_PREFIX - 1 - sum.len();
    let kept: String = clean.chars().take(room).collect();
    let kept = kept.trim_end_matches(['_', '-']);
    match kept.is_empty() {
        true => format!("plugin_{sum}"),
        false => format!("{kept}_{sum}"),
    }
}

fn is_legal(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_legal_prefix_stays_as_it_is() {
        let longest = "x".repeat(MAX_PREFIX);
        for prefix in ["github", "my-api", "my_api", "7zip", "X", "a__b", &longest] {
            assert_eq!(published(prefix), prefix);
        }
        assert_eq!(MAX_PREFIX, 42);
    }

    #[test]
    fn any_other_becomes_a_legal_one_of_its_own() {
        let long = "very_long_".repeat(6);
        let longer = format!("{long}x");
        let declared = [
            "my api", "my.api", "my/api", "_x", "-x", "__x", "日本", "日", "a b", "", " ", &long,
            &longer,
        ];
        let mut names = BTreeSet::new();
        for prefix in declared {
            let name = published(prefix);
            assert!(
                name.len() <= MAX_PREFIX && name.chars().all(is_legal),
                "{name}"
            );
            assert!(
                name.starts_with(|c: char| c.is_ascii_alphanumeric()),
                "{name}"
            );
            assert_eq!(name, published(prefix));
            assert_eq!(published(&name), name, "a published prefix is legal");
            names.insert(name);
        }
        assert_eq!(names.len(), declared.len());
    }

    #[test]
    fn what_it_becomes_never_changes() {
        assert_eq!(published("my api"), "my_api_ddbe76bd");
    }
}
