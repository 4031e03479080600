//! Text for a terminal as text: without colours, cursor movements and progress lines that were written over.
//!
//! Escape sequences as in ECMA-48 (CSI, and strings such as OSC) and xterm's control sequences.

/// A text without what is meant for a terminal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plain {
    pub text: String,
    /// How many states of lines were written over by later ones, and are left out.
    pub overwritten: usize,
}

/// The text as a reader of the terminal sees it in the end.
pub(super) fn plain(text: &str) -> Plain {
    let has_controls = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(has_controls) {
        return Plain {
            text: text.to_owned(),
            overwritten: 0,
        };
    }
    let mut overwritten = 0;
    let without = without_sequences(text);
    let lines: Vec<String> = without
        .split('\n')
        .map(|line| {
            let mut states = line.split('\r').filter(|state| !state.trim().is_empty());
            let last = states.next_back();
            overwritten += states.count();
            typed(last.unwrap_or_else(|| line.trim_end_matches('\r')))
        })
        .collect();
    Plain {
        text: lines.join("\n"),
        overwritten,
    }
}

fn without_sequences(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['\u{1b}', '\u{9b}']) {
        kept.push_str(&rest[..start]);
        rest = &rest[start + sequence_len(&rest[start..])..];
    }
    kept.push_str(rest);
    kept
}

/// The length of the escape sequence that the text starts with.
fn sequence_len(text: &str) -> usize {
    let mut chars = text.char_indices();
    let introducer = match chars.next() {
        Some((_, '\u{9b}')) => '[',
        _ => match chars.next() {
            Some((_, c)) => c,
            None => return text.len(),
        },
    };
    match introducer {
        '[' => end_after(chars, text, |c| matches!(c, '\u{40}'..='\u{7e}')),
        // Operating system command and its like: a string up to BEL or ESC \. It never spans lines.
        ']' | 'P' | 'X' | '^' | '_' => string_len(text),
        '\u{20}'..='\u{2f}' => end_after(chars, text, |c| matches!(c, '\u{30}'..='\u{7e}')),
        '\u{30}'..='\u{7e}' => 1 + introducer.len_utf8(),
        _ => 1,
    }
}

/// Up to the final character; a character that cannot be inside ends what was no sequence after all.
fn end_after(
    chars: std::str::CharIndices<'_>,
    text: &str,
    is_final: impl Fn(char) -> bool,
) -> usize {
    for (at, c) in chars {
        if is_final(c) {
            return at + c.len_utf8();
        }
        if !matches!(c, '\u{20}'..='\u{3f}') {
            return at;
        }
    }
    text.len()
}

fn string_len(text: &str) -> usize {
    for (at, c) in text.char_indices().skip(2) {
        match c {
            '\u{7}' | '\u{9c}' => return at + c.len_utf8(),
            '\u{1b}' => {
                return at
                    + if text[at + 1..].starts_with('\\') {
                        2
                    } else {
                        0
                    };
            }
            '\n' => return at,
            _ => {}
        }
    }
    text.len()
}

/// A line with its backspaces carried out (as manual pages print bold letters) and without other controls.
fn typed(line: &str) -> String {
    let mut typed = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\u{8}' => {
                typed.pop();
            }
            '\t' => typed.push(c),
            c if c.is_control() => {}
            c => typed.push(c),
        }
    }
    typed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_reader_sees_is_left() {
        for (raw, text, overwritten) in [
            ("plain\ttext\n", "plain\ttext\n", 0),
            (
                "\u{1b}[1;31mred\u{1b}[0m \u{1b}[38;2;1;2;3mx\u{1b}[K",
                "red x",
                0,
            ),
            ("\u{9b}31mred", "red", 0),
            (
                "\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\",
                "alink",
                0,
            ),
            ("\u{1b}(Bx\u{1b}=y\u{1b}7z", "xyz", 0),
            ("10%\r50%\r100%\ndone\r\n", "100%\ndone\n", 2),
            ("10%\r\u{1b}[K\rdone\r", "done", 1),
            ("N\u{8}NA\u{8}A _\u{8}x\u{7}", "NA x", 0),
            (
                "an unfinished title \u{1b}]0;x\nnext",
                "an unfinished title \nnext",
                0,
            ),
            ("end \u{1b}", "end ", 0),
            ("end \u{1b}[3", "end ", 0),
            ("odd \u{1b}[3é", "odd é", 0),
            ("\u{1b}[?25l嗨\u{1b}[?25h", "嗨", 0),
        ] {
            let wanted = Plain {
                text: text.into(),
                overwritten,
            };
            assert_eq!(plain(raw), wanted, "{raw:?}");
        }
    }
}
