//! Texts and JSON without secrets.

use std::{borrow::Cow, ops::Range};

use serde_json::{Map, Value};

use super::{known, shapes};

/// Stands where a secret is left out. It says nothing of its length.
pub const MASK: &str = "<redacted>";

/// The text without known secrets and without what has the shape of a token: for logs, errors, the call log and whatever is
/// kept on disk.
pub fn scrub(text: &str) -> Cow<'_, str> {
    match scrub_known(text) {
        Cow::Borrowed(text) => shapes::without_tokens(text),
        Cow::Owned(text) => match shapes::without_tokens(&text) {
            Cow::Borrowed(_) => Cow::Owned(text),
            Cow::Owned(text) => Cow::Owned(text),
        },
    }
}

/// The text without known secrets: for results, in which other tokens are data.
pub fn scrub_known(text: &str) -> Cow<'_, str> {
    without(text, known::find(text))
}

fn without(text: &str, found: Vec<Range<usize>>) -> Cow<'_, str> {
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut scrubbed = String::with_capacity(text.len());
    let mut from = 0;
    for range in found {
        scrubbed.push_str(text.get(from..range.start).unwrap_or_default());
        scrubbed.push_str(MASK);
        from = range.end;
    }
    scrubbed.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(scrubbed)
}

/// The value with every text, name and number passed through [`scrub`].
pub fn scrub_json(mut value: Value) -> Value {
    each(&mut value, &|text| scrub(text));
    value
}

/// As [`scrub_known`], for every text, name and number of a value, in place.
pub(crate) fn scrub_known_in(value: &mut Value) {
    each(value, &|text| scrub_known(text));
}

fn each(value: &mut Value, filter: &impl Fn(&str) -> Cow<'_, str>) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(scrubbed) = filter(text) {
                *text = still_json(text, scrubbed, filter);
            }
        }
        // A PIN that is echoed as a number.
        Value::Number(number) => {
            if let Cow::Owned(scrubbed) = filter(&number.to_string()) {
                *value = scrubbed.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, filter)),
        Value::Object(fields) => each_field(fields, filter),
        Value::Null | Value::Bool(_) => {}
    }
}

/// A JSON text, as services write their results, stays one: a number in it is replaced by a text.
fn still_json(text: &str, scrubbed: String, filter: &impl Fn(&str) -> Cow<'_, str>) -> String {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).ok();
    match parsed(text).filter(|value| value.is_object() || value.is_array()) {
        Some(mut value) if parsed(&scrubbed).is_none() => {
            each(&mut value, filter);
            value.to_string()
        }
        _ => scrubbed,
    }
}

fn each_field(fields: &mut Map<String, Value>, filter: &impl Fn(&str) -> Cow<'_, str>) {
    let is_media = matches!(
        fields.get("type").and_then(Value::as_str),
        Some("image" | "audio")
    );
    for (name, field) in fields.iter_mut() {
        match field {
            // Bytes in base64 are left alone. A service may write anything else there.
            Value::String(data) if name == "blob" || is_media && name == "data" => {
                if let Cow::Owned(scrubbed) = without(data, known::find_unencoded(data)) {
                    *data = scrubbed;
                }
            }
            _ => each(field, filter),
        }
    }
    if fields
        .keys()
        .any(|name| matches!(filter(name), Cow::Owned(_)))
    {
        let renamed = std::mem::take(fields).into_iter();
        fields.extend(renamed.map(|(name, field)| (filter(&name).into_owned(), field)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::remember;
    use serde_json::json;

    #[test]
    fn known_values_leave_every_text() {
        remember("scrub-Canary/1");
        assert_eq!(
            scrub("a scrub-Canary/1 b scrub-Canary%2F1c"),
            "a <redacted> b <redacted>c"
        );
        let same = "scrub-Canary/2";
        assert!(matches!(scrub(same), Cow::Borrowed(text) if text == same));
        // `Basic` credentials: the whole of them.
        assert_eq!(
            scrub_known("Basic dXNlcjpzY3J1Yi1DYW5hcnkvMQ== x"),
            "Basic <redacted> x"
        );
    }

    #[test]
    fn shapes_are_left_out_of_logs_and_stay_in_results() {
        let text = "created ghp_abcdefghijklmnopqrstuvwxyz0123456789";
        assert_eq!(scrub(text), "created <redacted>");
        assert_eq!(scrub_known(text), text);
    }

    #[test]
    fn json_stays_json() {
        remember("json\"Canary");
        remember("7731902245");
        let mut value = json!({
            "a": ["x json\"Canary", 7731902245_u64, 5, null, true],
            "json\"Canary": {"text": json!({"k": "json\"Canary"}).to_string(), "n": "[7731902245]"},
        });
        let want = json!({
            "a": ["x <redacted>", "<redacted>", 5, null, true],
            "<redacted>": {"text": "{\"k\":\"<redacted>\"}", "n": "[\"<redacted>\"]"},
        });
        assert_eq!(scrub_json(value.clone()), want);
        scrub_known_in(&mut value);
        assert_eq!(value, want);
    }

    #[test]
    fn bytes_are_no_text() {
        remember("bytes-Canary");
        let data = "Ynl0ZXMtQ2FuYXJ5";
        for part in [
            json!({"type": "image", "data": data, "mimeType": "image/png"}),
            json!({"type": "resource", "resource": {"uri": "a:b", "blob": data}}),
        ] {
            assert_eq!(scrub_json(part.clone()), part);
        }
        for name in ["data", "blob"] {
            let part = json!({"type": "image", name: "x bytes-Canary"});
            assert_eq!(scrub_json(part)[name], "x <redacted>");
        }
        assert_eq!(
            scrub_json(json!({"type": "text", "data": data}))["data"],
            "<redacted>"
        );
    }
}
