//! What is too long for a model is cut visibly: its beginning, its end, and how much is left out.

/// A text for a model has at most this many bytes, written as JSON.
pub(crate) const MAX_BYTES: usize = 50 * 1024;
/// And at most this many lines.
pub(crate) const MAX_LINES: usize = 2000;
/// A page of what was left out.
const PAGE_BYTES: usize = 40 * 1024;

/// The ends of a text that is too long.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cut<'a> {
    pub head: &'a str,
    pub tail: &'a str,
    pub omitted_chars: usize,
    pub omitted_lines: usize,
}

/// Cuts a text that does not fit; `None` when it does.
pub(crate) fn cut(text: &str) -> Option<Cut<'_>> {
    if json_len(text) <= MAX_BYTES && text.lines().count() <= MAX_LINES {
        return None;
    }
    // Together they stay well below the limit, so that what stands around them fits too.
    let head = &text[..border(text, MAX_BYTES * 6 / 10, MAX_LINES * 6 / 10)];
    let rest = &text[head.len()..];
    let tail = &rest[rest.len() - tail_len(rest, MAX_BYTES * 2 / 10, MAX_LINES * 2 / 10)..];
    let omitted = &rest[..rest.len() - tail.len()];
    Some(Cut {
        head,
        tail,
        omitted_chars: omitted.chars().count(),
        omitted_lines: omitted.lines().count(),
    })
}

/// Page `number` (from 1) of a text, and how many pages there are.
pub(crate) fn page(text: &str, number: usize) -> (Option<&str>, usize) {
    let mut pages = 0;
    let mut wanted = None;
    let mut rest = text;
    while !rest.is_empty() {
        let end = border(rest, PAGE_BYTES, MAX_LINES);
        pages += 1;
        if pages == number {
            wanted = Some(&rest[..end]);
        }
        rest = &rest[end..];
    }
    (wanted, pages)
}

/// Where the longest beginning ends that has at most `bytes` written as JSON and at most `lines`: behind a line's end
/// where one is near, else behind a character. Never 0 for a text that is not empty.
fn border(text: &str, bytes: usize, lines: usize) -> usize {
    let mut used = 0;
    let mut line_ends = 0;
    let mut last_line_end = 0;
    let mut end = 0;
    for (start, c) in text.char_indices() {
        used += json_len_of(c);
        if (used > bytes && end > 0) || line_ends == lines {
            break;
        }
        end = start + c.len_utf8();
        if c == '\n' {
            line_ends += 1;
            last_line_end = end;
        }
    }
    if end == text.len() || last_line_end * 2 < end {
        end
    } else {
        last_line_end
    }
}

/// As [`border`], for the end of a text.
fn tail_len(text: &str, bytes: usize, lines: usize) -> usize {
    let mut used = 0;
    let mut line_ends = 0;
    let mut length = 0;
    let mut at_line_start = 0;
    for c in text.chars().rev() {
        if c == '\n' {
            line_ends += 1;
            at_line_start = length;
        }
        used += json_len_of(c);
        if used > bytes || line_ends > lines {
            break;
        }
        length += c.len_utf8();
    }
    if length == text.len() || at_line_start * 2 < length {
        length
    } else {
        at_line_start
    }
}

/// How many bytes the text takes inside a JSON string.
fn json_len(text: &str) -> usize {
    text.chars().map(json_len_of).sum()
}

fn json_len_of(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c.is_ascii_control() => 6,
        c => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_left_alone() {
        assert_eq!(cut(""), None);
        assert_eq!(cut(&"x".repeat(MAX_BYTES)), None);
        assert!(cut(&"x".repeat(MAX_BYTES + 1)).is_some());
        assert!(cut(&"x\n".repeat(MAX_LINES + 1)).is_some());
    }

    #[test]
    fn nothing_is_cut_inside_a_character_and_all_of_it_is_accounted_for() {
        for unit in ["x", "é", "🦀", "line of text\n", "\"\\\n", "🦀é\n"] {
            let text = unit.repeat(200_000 / unit.len());
            let cut = cut(&text).unwrap();
            let omitted = text.len() - cut.head.len() - cut.tail.len();
            assert!(text.starts_with(cut.head) && text.ends_with(cut.tail));
            assert!(json_len(cut.head) + json_len(cut.tail) < MAX_BYTES);
            assert_eq!(
                text[cut.head.len()..][..omitted].chars().count(),
                cut.omitted_chars
            );
        }
    }

    #[test]
    fn lines_stay_whole_where_they_are_short() {
        let text: String = (0..100_000).map(|line| format!("line {line}\n")).collect();
        let cut = cut(&text).unwrap();
        assert!(cut.head.ends_with('\n') && cut.tail.starts_with("line "));
    }

    #[test]
    fn pages_give_the_whole_text_back() {
        for unit in ["x", "🦀", "some words\n", "\n", "\u{1}"] {
            let text = unit.repeat(150_000 / unit.len());
            let (_, pages) = page(&text, 1);
            let whole: String = (1..=pages)
                .map(|number| page(&text, number).0.unwrap())
                .collect();
            assert_eq!(whole, text);
            assert_eq!(page(&text, pages + 1).0, None);
        }
        assert_eq!(page("", 1), (None, 0));
    }
}
