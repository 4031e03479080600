//! Text to words: split where names are split, lower-cased, without accents; and words to stems.

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A longer word is no word of a language: a key, a hash, a picture in base64. Characters.
const LONGEST: usize = 40;

/// The words of a text: split at whatever is no letter or digit, and at the humps of a name.
///
/// `getRepoURLs_v2` is `get`, `repo`, `urls`, `v2`; `HTTPServer` is `http`, `server`.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in text.split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c)) {
        for part in humps(run) {
            let word = fold(part);
            if !word.is_empty() && word.chars().count() <= LONGEST {
                words.push(word);
            }
        }
    }
    words
}

/// A plural as its singular, as far as an `s` tells: `issues` is `issue`, and `access` is itself.
pub(crate) fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem,
        _ => word,
    }
}

/// A word as it is compared: lower case, no accents, `ñ` as `n`.
pub(super) fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let lower = word.nfkd().filter(|c| !is_combining_mark(*c));
    lower.flat_map(char::to_lowercase).collect()
}

/// The letters and digits of a name alone: `getRepo`, `get_repo` and `Get repo` are one name.
pub(super) fn compact(name: &str) -> String {
    words(name).concat()
}

/// The English stem.
pub(super) fn stem(word: &str) -> String {
    Stemmer::create(Algorithm::English).stem(word).into_owned()
}

/// The Spanish stem. Its input has no accents, on both sides of the comparison.
pub(super) fn spanish_stem(word: &str) -> String {
    Stemmer::create(Algorithm::Spanish).stem(word).into_owned()
}

/// The parts of `run` between a small and a capital letter, and before the last capital of several: `HTTP|Server`.
/// A plural behind capitals stays with them: `URLs`.
fn humps(run: &str) -> Vec<&str> {
    if run.bytes().all(|byte| !byte.is_ascii_uppercase()) && run.is_ascii() {
        return vec![run];
    }
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, (at, c)) in chars.iter().enumerate().skip(1) {
        if !c.is_uppercase() {
            continue;
        }
        let before = chars[index - 1].1;
        let after = chars.get(index + 1).map(|(_, c)| *c);
        let plural =
            after == Some('s') && chars.get(index + 2).is_none_or(|(_, c)| c.is_uppercase());
        let starts_word = before.is_uppercase() && after.is_some_and(char::is_lowercase) && !plural;
        if before.is_lowercase()
            || before.is_numeric() && after.is_some_and(char::is_lowercase)
            || starts_word
        {
            parts.push(&run[start..*at]);
            start = *at;
        }
    }
    parts.push(&run[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_where_their_writers_split_them() {
        for (text, expected) in [
            ("listOpenIssues", vec!["list", "open", "issues"]),
            ("get_repo-name.v2", vec!["get", "repo", "name", "v2"]),
            ("HTTPServer", vec!["http", "server"]),
            ("getURLs", vec!["get", "urls"]),
            ("URLsOf", vec!["urls", "of"]),
            ("S3Bucket to-do", vec!["s3", "bucket", "to", "do"]),
            ("Árbol, año; ¿QUÉ?", vec!["arbol", "ano", "que"]),
            ("e\u{301}tat", vec!["etat"]),
            ("使用必应", vec!["使用必应"]),
            ("… -- _", vec![]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
        assert!(words(&"x".repeat(41)).is_empty());
    }

    #[test]
    fn a_plural_is_its_singular() {
        for (word, one) in [
            ("issues", "issue"),
            ("access", "access"),
            ("dns", "dns"),
            ("as", "as"),
            ("list", "list"),
        ] {
            assert_eq!(singular(word), one);
        }
    }

    #[test]
    fn one_name_in_any_spelling() {
        for name in ["getRepo", "get_repo", "Get repo", "GET-REPO", "getrepo"] {
            assert_eq!(compact(name), "getrepo");
        }
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        assert_eq!(stem("issues"), stem("issue"));
        assert_eq!(spanish_stem("archivos"), spanish_stem("archivo"));
        assert_eq!(spanish_stem("traducir"), spanish_stem("traduce"));
    }
}
