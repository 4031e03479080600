//! How many tokens a text costs a model, without a model's vocabulary.

/// A word of up to so many letters is mostly one token.
const WORD: usize = 8;
/// What is longer goes on in pieces of this many letters.
const PIECE: usize = 4;
/// Digits and signs come in groups of up to three.
const GROUP: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    Sign,
    Space,
    Other,
}

fn class(c: char) -> Class {
    match c {
        'A'..='Z' => Class::Upper,
        'a'..='z' => Class::Lower,
        '0'..='9' => Class::Digit,
        _ if c.is_whitespace() => Class::Space,
        _ if c.is_ascii() => Class::Sign,
        _ => Class::Other,
    }
}

/// About as many tokens as the common tokenizers make of it, and for what is mostly words and JSON rather more than fewer.
pub(crate) fn estimate(text: &str) -> usize {
    let mut tokens = 0;
    let mut chars = text.chars().peekable();
    while let Some(first) = chars.next() {
        let kind = class(first);
        let mut run: usize = 1;
        let mut last = first;
        while let Some(next) = chars.next_if(|next| goes_on(class(last), class(*next))) {
            last = next;
            run += 1;
        }
        // `_name` is one token like `name`.
        if last == '_' && chars.peek().is_some_and(char::is_ascii_alphabetic) {
            run -= 1;
        }
        tokens += match kind {
            Class::Upper | Class::Lower => 1 + run.saturating_sub(WORD).div_ceil(PIECE),
            Class::Digit | Class::Sign => run.div_ceil(GROUP),
            // A single blank belongs to the word behind it.
            Class::Space => usize::from(run > 1 || first == '\n'),
            Class::Other => run,
        };
    }
    tokens
}

/// Whether a character of the class `next` belongs to the run that `last` ends.
fn goes_on(last: Class, next: Class) -> bool {
    last == next || (last == Class::Upper && next == Class::Lower)
}

#[cfg(test)]
mod tests {
    use super::estimate;

    #[test]
    fn words_signs_and_foreign_letters_are_counted() {
        assert_eq!(estimate(""), 0);
        assert_eq!(estimate("List the issues"), 3);
        assert_eq!(estimate("listOpenIssues"), 3);
        assert_eq!(estimate("list_open_issues"), 3);
        assert_eq!(estimate("{\"a\":12345}"), 6);
        assert_eq!(estimate("获取热榜"), 4);
        assert_eq!(estimate("internationalisation"), 4);
    }
}
