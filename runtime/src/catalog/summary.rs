//! A description in one sentence of plain text.

use super::hidden::{is_hidden, without_hidden};

/// Words that end in a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 9] = [
    "e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "no", "resp",
];

/// The first sentence of a description, without markup and what cannot be seen, in `max` characters at most.
pub(crate) fn summary(text: &str, max: usize) -> String {
    let plain = plain(paragraph(text));
    let sentence = first_sentence(&plain);
    shortened(sentence, max)
}

/// The text in one line, without what cannot be seen, in `max` characters at most.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    shortened(&without_hidden(&words.join(" ")), max)
}

/// The first paragraph that is no heading; a heading where there is nothing else.
fn paragraph(text: &str) -> &str {
    let lines = || text.lines().map(str::trim).filter(|line| is_said(line));
    let Some(first) = lines()
        .find(|line| !is_heading(line))
        .or_else(|| lines().next())
    else {
        return "";
    };
    // From the line on, as a sentence may go on in the next one.
    let start = first.as_ptr() as usize - text.as_ptr() as usize;
    let rest = &text[start..];
    let end = blank_line(rest).unwrap_or(rest.len());
    &rest[..end]
}

/// Where the first empty line, or the next item of a list, begins.
fn blank_line(text: &str) -> Option<usize> {
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let trimmed = line.trim();
        let item = ["- ", "* ", "#"]
            .iter()
            .any(|mark| trimmed.starts_with(mark));
        if number > 0 && (trimmed.is_empty() || item) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

fn is_heading(line: &str) -> bool {
    line.starts_with('#') || (line.starts_with('<') && line.ends_with('>'))
}

fn is_said(line: &str) -> bool {
    line.chars().any(|c| c.is_alphanumeric() && !is_hidden(c))
}

/// Without Markdown: `**bold**`, `` `code` ``, `[link](address)`, `# heading`, `- item`, `> quote`.
fn plain(text: &str) -> String {
    let text = without_hidden(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut text = words
        .join(" ")
        .replace("**", "")
        .replace("__", "")
        .replace('`', "");
    while let Some((start, end, label)) = link(&text) {
        text.replace_range(start..end, &label);
    }
    let text = text.trim_start_matches(|c: char| "#>*-•=".contains(c) || c.is_whitespace());
    text.trim_end().to_owned()
}

/// The first `[label](address)`: from where to where it goes, and its label.
fn link(text: &str) -> Option<(usize, usize, String)> {
    let middle = text.find("](")?;
    let start = text[..middle].rfind('[')?;
    let end = middle + text[middle..].find(')')? + 1;
    Some((start, end, text[start + 1..middle].to_owned()))
}

fn first_sentence(text: &str) -> &str {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let ends = match c {
            '。' | '！' | '？' => true,
            '!' | '?' => next.is_none_or(char::is_whitespace),
            '.' => next.is_none_or(char::is_whitespace) && !is_abbreviation(&text[..at]),
            _ => false,
        };
        if ends {
            let keep = if c == '.' || c == '。' {
                at
            } else {
                at + c.len_utf8()
            };
            return text[..keep].trim_end();
        }
    }
    text.trim_end_matches(':')
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(', ',']).next().unwrap_or_default();
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    is_initial
        || ABBREVIATIONS
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
}

/// Cut behind a word where one ends in the second half of what fits.
fn shortened(text: &str, max: usize) -> String {
    let Some(end) = end_of(text, max) else {
        return text.to_owned();
    };
    let kept = &text[..end];
    let at_word = match text[end..].starts_with(' ') {
        true => Some(end),
        false => kept.rfind(' ').filter(|at| at * 2 > end),
    };
    let kept = &kept[..at_word.unwrap_or(end)];
    let kept = kept.trim_end_matches([' ', ',', ';', ':', '(']);
    match kept.is_empty() {
        true => String::new(),
        false => format!("{kept}…"),
    }
}

/// Where the text is cut; `None` when it fits. A character of a script that says a word in one counts twice.
fn end_of(text: &str, max: usize) -> Option<usize> {
    let mut used: usize = 0;
    for (at, c) in text.char_indices() {
        used = used.saturating_add(if c >= '\u{2e80}' { 2 } else { 1 });
        if used > max {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_becomes_its_first_sentence() {
        for (text, sentence) in [
            ("List issues. Then more.", "List issues"),
            (
                "\n   Apply **surgical** edits,\n   e.g. to `code`. More.",
                "Apply surgical edits, e.g. to code",
            ),
            (
                "# Title\n\nSee [the docs](http://x/y). Then",
                "See the docs",
            ),
            ("# Only a title", "Only a title"),
            ("<use_case>\nFinds files!\n</use_case>", "Finds files!"),
            ("Takes:\n- a list\n- of things", "Takes"),
            ("获取热榜。然后", "获取热榜"),
            (
                "Version 1.2 of J. Doe's tool",
                "Version 1.2 of J. Doe's tool",
            ),
            ("", ""),
            ("---", ""),
        ] {
            assert_eq!(summary(text, 100), sentence, "{text:?}");
        }
    }

    #[test]
    fn what_nobody_sees_is_left_out() {
        let text = "Adds\u{200b} two\u{202e} numbers\u{e0041}\u{7}\u{feff}. x";
        assert_eq!(summary(text, 100), "Adds two numbers");
        assert_eq!(one_line(text, 100), "Adds two numbers. x");
    }

    #[test]
    fn a_long_sentence_ends_behind_a_word() {
        assert_eq!(
            summary("Finds all of the things, everywhere", 26),
            "Finds all of the things…"
        );
        assert_eq!(summary(&"x".repeat(50), 10), format!("{}…", "x".repeat(10)));
    }
}
