//! Binary data never enters a text: a long run of base64 says nothing to a model and fills its context.

use serde_json::Value;

/// Shorter runs may be keys, hashes or identifiers, and cost little.
const MIN_RUN: usize = 2048;

/// Whether a string of the value holds long base64.
pub(crate) fn holds_base64(value: &Value) -> bool {
    match value {
        Value::String(text) => replaced(text).is_some(),
        Value::Array(items) => items.iter().any(holds_base64),
        Value::Object(map) => map.values().any(holds_base64),
        _ => false,
    }
}

/// Replaces long base64 in every string of a value with `<base64 400000 characters>`.
pub(crate) fn replace_base64(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(shorter) = replaced(text) {
                *text = shorter;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(replace_base64),
        Value::Object(map) => map.values_mut().for_each(replace_base64),
        _ => {}
    }
}

fn replaced(text: &str) -> Option<String> {
    if text.len() < MIN_RUN {
        return None;
    }
    let mut shorter = String::new();
    let mut copied = 0;
    let mut start = 0;
    let bytes = text.as_bytes();
    for end in 0..=bytes.len() {
        if bytes.get(end).is_some_and(|byte| is_base64(*byte)) {
            continue;
        }
        // A run is ASCII, so its ends are borders of characters; what is between runs need not be.
        if end - start >= MIN_RUN && is_mixed(&bytes[start..end]) {
            shorter.push_str(&text[copied..start]);
            shorter.push_str(&format!("<base64 {} characters>", end - start));
            copied = end;
        }
        start = end + 1;
    }
    (copied > 0).then(|| {
        shorter.push_str(&text[copied..]);
        shorter
    })
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

/// Encoded data mixes cases and digits; a long word of one kind of letter is text.
fn is_mixed(run: &[u8]) -> bool {
    let has = |kind: fn(&u8) -> bool| run.iter().any(kind);
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_runs_are_replaced_wherever_they_are_and_text_is_not() {
        let data = "iVBORw0KGgo1".repeat(1000);
        let mut value = json!({
            "text": format!("before data:image/png;base64,{data} after é"),
            "list": [data],
            "word": "a".repeat(5000),
            "prose": "A sentence of 9 words, nothing to see here. ".repeat(200),
        });
        let prose = value["prose"].clone();
        assert!(holds_base64(&value));
        replace_base64(&mut value);
        assert_eq!(
            value["text"],
            "before data:image/png;base64,<base64 12000 characters> after é"
        );
        assert_eq!(value["list"][0], "<base64 12000 characters>");
        assert_eq!(value["word"], "a".repeat(5000));
        assert_eq!(value["prose"], prose);
        assert!(!holds_base64(&value));
        assert!(!holds_base64(&json!({"short": "iVBORw0KGgo="})));
    }
}
