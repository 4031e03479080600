//! What the names of tools and skills say of a service: what it does, and to what.

use crate::catalog::search::{self, singular};

/// Words of names that say what is done.
const VERBS: [&str; 54] = [
    "add",
    "analyze",
    "append",
    "apply",
    "archive",
    "cancel",
    "check",
    "close",
    "compare",
    "convert",
    "copy",
    "count",
    "create",
    "delete",
    "describe",
    "download",
    "edit",
    "execute",
    "export",
    "fetch",
    "find",
    "fork",
    "generate",
    "get",
    "import",
    "insert",
    "install",
    "list",
    "lookup",
    "merge",
    "move",
    "open",
    "post",
    "publish",
    "push",
    "query",
    "read",
    "remove",
    "rename",
    "reply",
    "run",
    "save",
    "search",
    "send",
    "set",
    "show",
    "start",
    "stop",
    "submit",
    "translate",
    "update",
    "upload",
    "validate",
    "write",
];
/// Words of names that say nothing.
const EMPTY: [&str; 22] = [
    "a", "all", "and", "api", "as", "at", "by", "for", "from", "id", "in", "mcp", "of", "on", "or",
    "skill", "the", "to", "tool", "v1", "v2", "with",
];

/// The commonest words of a service's names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Vocabulary {
    /// What is done, the commonest first.
    pub verbs: Vec<String>,
    /// What it is done to, the commonest first.
    pub nouns: Vec<String>,
}

impl Vocabulary {
    /// Of the names of the plugin `prefix`, whose own name says nothing new.
    pub(super) fn of<'a>(prefix: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let own: Vec<String> = words(prefix).collect();
        let (mut verbs, mut nouns) = (Counts::default(), Counts::default());
        for name in names {
            for word in words(name) {
                if VERBS.contains(&word.as_str()) {
                    verbs.add(word);
                } else if word.len() > 1 && !EMPTY.contains(&word.as_str()) && !own.contains(&word)
                {
                    nouns.add(word);
                }
            }
        }
        Self {
            verbs: verbs.commonest(),
            nouns: nouns.commonest(),
        }
    }
}

/// Words in the order in which they first came, each with how often it came. Singular and plural are one word.
#[derive(Default)]
struct Counts(Vec<(String, usize)>);

impl Counts {
    fn add(&mut self, word: String) {
        let known = self
            .0
            .iter_mut()
            .find(|(known, _)| singular(known) == singular(&word));
        match known {
            Some((_, count)) => *count += 1,
            None => self.0.push((word, 1)),
        }
    }

    fn commonest(mut self) -> Vec<String> {
        self.0.sort_by_key(|(_, count)| usize::MAX - count);
        self.0.into_iter().map(|(word, _)| word).collect()
    }
}

/// The words of a name that are ASCII: descriptions are in English.
fn words(name: &str) -> impl Iterator<Item = String> {
    let words = search::words(name).into_iter();
    words.filter(|word| word.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_done_to_what() {
        let names = [
            "gh_list_issues",
            "gh_get_issue",
            "listPullRequests",
            "repos/list-for-user",
            "列表",
        ];
        let vocabulary = Vocabulary::of("gh", names.into_iter());
        assert_eq!(vocabulary.verbs, ["list", "get"]);
        assert_eq!(
            vocabulary.nouns,
            ["issues", "pull", "requests", "repos", "user"]
        );
        assert_eq!(
            Vocabulary::of("x", std::iter::empty()),
            Vocabulary::default()
        );
    }
}
