//! Many tools in few words: grouped by what their names have in common.

use indexmap::IndexMap;

use crate::catalog::search::{self, singular};

/// Words that say what is done, not to what.
const VERBS: [&str; 24] = [
    "add", "batch", "cancel", "check", "copy", "create", "delete", "edit", "find", "get", "insert",
    "list", "make", "move", "open", "patch", "put", "read", "remove", "run", "search", "send",
    "set", "update",
];
/// A group has so many members at least.
const MIN_MEMBERS: usize = 3;
/// What is in a larger part of the names than this tells nothing apart.
const MAX_SHARE: f32 = 0.6;
/// The group of those that are in no other.
pub(super) const OTHERS: &str = "others";

/// The names by the word that most of them share; the largest group comes first, what is in none last.
pub(super) fn grouped<'a>(names: &[&'a str]) -> IndexMap<String, Vec<&'a str>> {
    let words: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for word in words.iter().flatten() {
        *counts.entry(word).or_default() += 1;
    }
    let most = names.len() as f32 * MAX_SHARE;
    counts.retain(|_, count| *count >= MIN_MEMBERS && (*count as f32) <= most);
    let mut groups: IndexMap<String, Vec<&str>> = IndexMap::new();
    for (name, words) in names.iter().zip(&words) {
        let shared = words
            .iter()
            .filter_map(|word| Some((*counts.get(word.as_str())?, word)));
        // What it is about comes before what is done; of two equal words the last in the name says more.
        let best = shared.max_by_key(|(count, word)| (!VERBS.contains(&word.as_str()), *count));
        let group = best.map_or(OTHERS, |(_, word)| word);
        groups.entry(group.to_owned()).or_default().push(name);
    }
    let small = |word: &String, members: &Vec<&str>| word != OTHERS && members.len() < MIN_MEMBERS;
    let others: Vec<&str> = groups
        .iter()
        .filter(|(word, members)| small(word, members))
        .flat_map(|(_, members)| members.clone())
        .collect();
    groups.retain(|word, members| !small(word, members));
    if !others.is_empty() {
        groups.entry(OTHERS.to_owned()).or_default().extend(others);
    }
    groups.sort_by(|a, left, b, right| {
        (a == OTHERS)
            .cmp(&(b == OTHERS))
            .then(right.len().cmp(&left.len()))
    });
    groups
}

/// The words of a name, each once: `listOpenIssues` and `list_open_issues` are `list`, `open` and `issue`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in search::words(name) {
        let single = singular(&word);
        if !words.iter().any(|known| known == single) {
            words.push(single.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_grouped_by_what_they_are_about() {
        let names = [
            "list_issues",
            "create_issue",
            "getIssue",
            "list_pulls",
            "merge_pull",
            "get_pull",
            "search_code",
            "whoami",
        ];
        let groups: Vec<(String, Vec<&str>)> = grouped(&names).into_iter().collect();
        assert_eq!(
            groups,
            [
                (
                    "issue".to_owned(),
                    vec!["list_issues", "create_issue", "getIssue"]
                ),
                (
                    "pull".to_owned(),
                    vec!["list_pulls", "merge_pull", "get_pull"]
                ),
                (OTHERS.to_owned(), vec!["search_code", "whoami"]),
            ]
        );
        assert_eq!(grouped(&["a", "b"]).len(), 1);
    }
}
