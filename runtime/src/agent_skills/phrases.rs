//! Names of tools as the words that a person would ask with.

use indexmap::IndexMap;

use crate::catalog::search::{singular, words};

/// `list/create issues`, `export`: the verbs of each noun, the nouns with most of them first.
pub(super) fn phrases(prefix: &str, names: &[&str]) -> Vec<String> {
    let mut nouns: IndexMap<String, (String, Vec<String>)> = IndexMap::new();
    for words in without_brand(prefix, names) {
        let (verb, noun) = match words.split_first() {
            Some((verb, noun)) if !noun.is_empty() => (verb.clone(), noun.join(" ")),
            Some((word, _)) => (String::new(), word.clone()),
            None => continue,
        };
        let (shown, verbs) = nouns
            .entry(singular(&noun).to_owned())
            .or_insert_with(|| (noun.clone(), Vec::new()));
        if noun.len() > shown.len() {
            *shown = noun;
        }
        if !verb.is_empty() && !verbs.contains(&verb) {
            verbs.push(verb);
        }
    }
    let mut groups: Vec<(String, Vec<String>)> = nouns.into_values().collect();
    groups.sort_by_key(|(_, verbs)| std::cmp::Reverse(verbs.len()));
    groups
        .into_iter()
        .map(|(noun, verbs)| match verbs.is_empty() {
            true => noun,
            false => format!("{} {noun}", verbs.join("/")),
        })
        .collect()
}

/// The words of each name, without those that say which service it is: the prefix, and what all names begin with.
fn without_brand(prefix: &str, names: &[&str]) -> Vec<Vec<String>> {
    let brand = words(prefix);
    let mut all: Vec<Vec<String>> = names.iter().map(|name| words(name)).collect();
    loop {
        let first = all.first().and_then(|words| words.first()).cloned();
        let shared = |word: &String| {
            all.len() > 1 && all.iter().all(|words| words.len() > 1 && words[0] == *word)
        };
        match first {
            Some(word) if shared(&word) => all.iter_mut().for_each(|words| drop(words.remove(0))),
            _ => break,
        }
    }
    for words in &mut all {
        while words.len() > 1 && brand.contains(&words[0]) {
            words.remove(0);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::phrases;

    #[test]
    fn the_verbs_of_a_noun_stand_together() {
        assert_eq!(
            phrases(
                "demo",
                &[
                    "export",
                    "list_issues",
                    "get_issue",
                    "createIssue",
                    "add-note"
                ]
            ),
            ["list/get/create issues", "add note", "export"]
        );
    }

    #[test]
    fn what_every_name_says_is_left_out() {
        assert_eq!(
            phrases("x", &["brave_web_search", "brave_image_search"]),
            ["web/image search"]
        );
        assert_eq!(
            phrases("npm-info", &["npmVersions", "search"]),
            ["versions", "search"]
        );
        assert_eq!(phrases("calc", &["calc"]), ["calc"]);
        assert!(phrases("x", &["", "_"]).is_empty());
    }
}
