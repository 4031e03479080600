//! Text to index words: split at case and punctuation, lower-cased, stemmed.

use rust_stemmers::{Algorithm, Stemmer};

/// Words that say nothing about which tool is meant.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "could", "do", "does", "for", "from",
    "give", "has", "have", "how", "i", "in", "into", "is", "it", "its", "me", "my", "of", "on",
    "or", "our", "please", "should", "some", "tell", "that", "the", "their", "them", "there",
    "these", "this", "those", "to", "use", "using", "want", "was", "we", "what", "when", "where",
    "which", "who", "will", "with", "would", "you", "your",
];

/// The stemmed words of a text, stop words left out.
pub(super) fn words(text: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    split(text)
        .filter(|word| !STOP_WORDS.contains(&word.as_str()))
        .map(|word| stemmer.stem(&word).into_owned())
        .collect()
}

/// Splits at anything that is no letter or digit, and where a lower-case letter meets an upper-case one.
fn split(text: &str) -> impl Iterator<Item = String> {
    let mut parts = vec![String::new()];
    let mut before_is_lower = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || (before_is_lower && c.is_uppercase()) {
            parts.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.extend(c.to_lowercase());
        }
        before_is_lower = c.is_lowercase();
    }
    parts.into_iter().filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_split_and_stemmed() {
        assert_eq!(words("listOpenIssues"), ["list", "open", "issu"]);
        assert_eq!(words("get_repo-name.v2"), ["get", "repo", "name", "v2"]);
        assert_eq!(
            words("show me the open issues, please"),
            ["show", "open", "issu"]
        );
        assert_eq!(words("ÁRBOL"), ["árbol"]);
    }
}
