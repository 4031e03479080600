//! JSON as careless programs write it: `NaN` and `Infinity` (Python), halves of surrogate pairs (cut texts), bytes that
//! are no UTF-8, values nested deeper than readers go.

/// Deeper values are cut, as no reader takes them.
const MAX_DEPTH: usize = 100;
/// What stands for them.
const TOO_DEEP: &str = "\"[nested too deep]\"";

/// The text with these faults replaced: by `null`, and by the replacement character.
pub(super) fn mended(json: &[u8]) -> String {
    let text = String::from_utf8_lossy(json);
    let mut mended = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    let mut depth = 0_usize;
    while let Some(c) = rest.chars().next() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let taken = if c == '"' {
            mend_text(rest, &mut mended)
        } else if depth > MAX_DEPTH {
            depth -= 1;
            mended.push_str(TOO_DEEP);
            end_of_value(rest)
        } else if let Some(word) = ["NaN", "Infinity", "-Infinity"]
            .iter()
            .find(|word| rest.starts_with(**word))
        {
            mended.push_str("null");
            word.len()
        } else {
            mended.push(c);
            c.len_utf8()
        };
        rest = &rest[taken..];
    }
    mended
}

/// Where the list or object ends that `rest` begins with.
fn end_of_value(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut depth, mut at, mut in_text) = (0_usize, 0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if in_text => at += 1,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at.min(bytes.len())
}

/// Copies the text literal that `rest` begins with, and says how long it was.
fn mend_text(rest: &str, mended: &mut String) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    let mut copied = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                mended.push_str(&rest[copied..=at]);
                return at + 1;
            }
            b'\\' => match surrogate(&rest[at..]) {
                Some(Half::Pair) => at += 12,
                Some(Half::Lone) => {
                    mended.push_str(&rest[copied..at]);
                    mended.push_str("\\ufffd");
                    at += 6;
                    copied = at;
                }
                // Whatever is escaped, it does not end the text.
                None => at += 2,
            },
            _ => at += 1,
        }
    }
    mended.push_str(&rest[copied..]);
    rest.len()
}

enum Half {
    /// Two escapes that are one character.
    Pair,
    /// One without the other.
    Lone,
}

fn surrogate(escapes: &str) -> Option<Half> {
    let unit = |at: usize| {
        let digits = escapes.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    match unit(0)? {
        0xD800..=0xDBFF => Some(match unit(6) {
            Some(0xDC00..=0xDFFF) => Half::Pair,
            _ => Half::Lone,
        }),
        0xDC00..=0xDFFF => Some(Half::Lone),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::mended;

    #[test]
    fn what_is_nested_too_deep_is_cut_and_what_follows_is_kept() {
        let deep = format!("{{\"a\":{}{},\"b\":1}}", "[".repeat(300), "]".repeat(300));
        let cut: serde_json::Value = serde_json::from_str(&mended(deep.as_bytes())).unwrap();
        assert_eq!(cut["b"], 1);
        assert!(cut.to_string().contains("[nested too deep]"));
        let odd = format!(
            "{}{{\"]}}\":\"\\\"]\"}}{}",
            "[".repeat(100),
            "]".repeat(100)
        );
        assert!(serde_json::from_str::<serde_json::Value>(&mended(odd.as_bytes())).is_ok());
    }

    #[test]
    fn faults_are_replaced_and_the_rest_is_kept() {
        for (json, want) in [
            (
                r#"{"a":NaN,"NaN":"Infinity"}"#,
                r#"{"a":null,"NaN":"Infinity"}"#,
            ),
            (r#"[-Infinity,"\"NaN"]"#, r#"[null,"\"NaN"]"#),
            (r#""\ud83c\udf89 \ud83c""#, r#""\ud83c\udf89 \ufffd""#),
            (r#""\udf89\\ud83c""#, r#""\ufffd\\ud83c""#),
            (r#"{"open":"\"#, r#"{"open":"\"#),
            ("\"é\"", "\"é\""),
        ] {
            assert_eq!(mended(json.as_bytes()), want);
        }
        assert_eq!(mended(b"\"\xff\""), "\"\u{fffd}\"");
    }
}
