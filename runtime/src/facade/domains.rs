//! The services behind the tools, named in one line, so that a model knows what to look for here.

use super::about::About;
use crate::tokens;

/// No more digits than a number behind a word has.
const NUMBER: usize = 3;
/// Longer than any word of a language.
const WORDY: usize = 16;
/// More consonants in a row than words of a language have.
const HARD: usize = 4;
/// What `, and 123 more` costs.
const AND_MORE: usize = 5;
/// Of more plugins than this the prefixes alone are named.
pub(super) const EXPLAINED: usize = 12;

/// `github (issues, pulls), slack, and 3 more` in at most about `budget` tokens. Nothing for no plugin.
pub(super) fn domains(plugins: &[About], budget: usize) -> String {
    if plugins.len() <= EXPLAINED {
        let explained: Vec<String> = plugins.iter().map(explained).collect();
        let line = explained.join(", ");
        if cost(&line) <= budget {
            return line;
        }
    }
    let prices: Vec<usize> = plugins
        .iter()
        .map(|plugin| cost(&plugin.prefix) + 1)
        .collect();
    let all = prices.iter().sum::<usize>() <= budget;
    let mut left = budget.saturating_sub(if all { 0 } else { AND_MORE });
    let mut named = Vec::new();
    for (About { prefix, .. }, price) in plugins.iter().zip(prices) {
        if price <= left {
            left -= price;
            named.push(prefix.as_str());
        }
    }
    let more = plugins.len() - named.len();
    match (named.is_empty(), more) {
        (_, 0) => named.join(", "),
        (true, 1) => "1 service".into(),
        (true, _) => format!("{more} services"),
        (false, _) => format!("{}, and {more} more", named.join(", ")),
    }
}

fn explained(plugin: &About) -> String {
    match &plugin.subject {
        Some(subject) => format!("{} ({subject})", plugin.prefix),
        None => plugin.prefix.clone(),
    }
}

/// Rather too much than too little: prefixes may be no words at all.
fn cost(text: &str) -> usize {
    text.split(' ')
        .map(|word| {
            let parts = word.split(|c: char| !c.is_alphanumeric());
            let disordered = parts.filter(|part| is_disordered(part));
            // Two tokens every three characters.
            let more: usize = disordered
                .map(|part| {
                    (part.len() * 2)
                        .div_ceil(3)
                        .saturating_sub(tokens::estimate(part))
                })
                .sum();
            tokens::estimate(word) + more
        })
        .sum()
}

/// Whether letters and digits are in no order: `searxng`, `mcp`, `bf269631`.
fn is_disordered(part: &str) -> bool {
    let is_vowel = |c: char| "aeiouy".contains(c.to_ascii_lowercase());
    let is_consonant = |c: char| c.is_ascii_alphabetic() && !is_vowel(c);
    let hard = part
        .split(|c| !is_consonant(c))
        .any(|run| run.len() >= HARD);
    // `service12` is a word and a number.
    let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
    let mixed = word.contains(|c: char| c.is_ascii_digit()) || part.len() - word.len() > NUMBER;
    part.len() > WORDY || hard || mixed || (part.is_ascii() && !part.contains(is_vowel))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(prefix: &str, subject: Option<&str>) -> About {
        About {
            prefix: prefix.into(),
            subject: subject.map(str::to_owned),
            ..About::default()
        }
    }

    #[test]
    fn few_are_explained_and_many_are_counted() {
        let few = [about("gh", Some("GitHub issues")), about("slack", None)];
        assert_eq!(domains(&few, 40), "gh (GitHub issues), slack");
        assert_eq!(domains(&few, 5), "gh, slack");
        assert_eq!(domains(&[], 40), "");
        let many: Vec<About> = (0..70).map(|n| about(&format!("s{n}"), None)).collect();
        assert_eq!(domains(&many, 20), "s0, s1, s2, s3, s4, and 65 more");
        let long = [about(&"x".repeat(42), None), about("gh", None)];
        assert_eq!(domains(&long, 10), "gh, and 1 more");
        assert_eq!(domains(&long[..1], 10), "1 service");
    }
}
