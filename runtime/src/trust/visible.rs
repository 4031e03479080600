//! Text for people that hides nothing.

use crate::catalog::is_hidden;

/// The text with every character that is not seen, or that would move the cursor, written as `\u{…}`.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | ' ' => shown.push(c),
            '\t' => shown.push_str("\\t"),
            c if is_hidden(c) || c.is_control() => {
                shown.extend(c.escape_unicode());
            }
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_nobody_sees_is_spelled_out() {
        assert_eq!(
            super::visible("a\u{200b}b\u{e0041}\r\n\tc\u{1b}[31m é"),
            "a\\u{200b}b\\u{e0041}\\u{d}\n\\tc\\u{1b}[31m é"
        );
    }
}
