//! Arguments as the log may keep them: what looks like a secret is masked, by its name or by what it looks like, and what is
//! long is cut.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::chain;
use crate::secrets::{MASK, scrub};

/// The arguments of a line are not longer than this, in bytes of JSON.
const MAX_ARGUMENTS: usize = 4096;
/// In a line that would be longer, texts are cut to so many characters.
const MAX_TEXT: usize = 200;
/// Deeper values are left out.
const MAX_DEPTH: usize = 32;

/// Parts of names whose values are secrets, in lower case without separators.
const SECRET_NAMES: [&str; 18] = [
    "accesskey",
    "apikey",
    "authorization",
    "bearer",
    "clientsecret",
    "cookie",
    "credential",
    "jwt",
    "passphrase",
    "passwd",
    "password",
    "pincode",
    "privatekey",
    "pwd",
    "secret",
    "sessionid",
    "signature",
    "token",
];
/// Names that hold such a part and say how much of something there is, or where in a list.
const HARMLESS_NAMES: [&str; 7] = [
    "continuationtoken",
    "inputtokens",
    "maxtokens",
    "nextpagetoken",
    "outputtokens",
    "pagetoken",
    "tokens",
];

/// `{"sha256", "redacted"}`. The hash is that of the compact JSON with sorted keys, before anything was masked.
pub(super) fn for_the_log(arguments: &Map<String, Value>) -> Value {
    let mut canonical = Value::Object(arguments.clone());
    canonical.sort_all_objects();
    let sha256 = chain::digest(canonical.to_string().as_bytes());
    json!({ "sha256": sha256, "redacted": redacted(arguments) })
}

fn redacted(arguments: &Map<String, Value>) -> Value {
    let masked = masked_object(arguments, 0);
    if masked.to_string().len() <= MAX_ARGUMENTS {
        return masked;
    }
    let shorter = shortened(&masked);
    let text = shorter.to_string();
    if text.len() <= MAX_ARGUMENTS {
        return shorter;
    }
    // Escaping may make it twice as long.
    let kept: String = text.chars().take(MAX_ARGUMENTS / 5).collect();
    json!({ "cut": kept, "bytes": text.len() })
}

fn masked_object(object: &Map<String, Value>, depth: usize) -> Value {
    // `{"name": "Authorization", "value": "…"}` is how lists of headers and variables are written.
    let names_secret = ["name", "key", "header"].iter().any(|key| {
        let name = object.get(*key).and_then(Value::as_str);
        name.is_some_and(is_secret_name)
    });
    let fields = object.iter().map(|(key, value)| {
        let secret = is_secret_name(key) || (names_secret && key == "value");
        let value = match secret && !value.is_null() && !value.is_boolean() {
            true => json!(MASK),
            false => masked(value, depth + 1),
        };
        (scrub(key).into_owned(), value)
    });
    Value::Object(fields.collect())
}

fn masked(value: &Value, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return json!("…");
    }
    match value {
        Value::Object(object) => masked_object(object, depth),
        Value::Array(items) => items.iter().map(|item| masked(item, depth + 1)).collect(),
        Value::String(text) => json!(scrub(text)),
        // A number may be a secret that is known.
        Value::Number(number) => match scrub(&number.to_string()) {
            Cow::Owned(scrubbed) => json!(scrubbed),
            Cow::Borrowed(_) => value.clone(),
        },
        other => other.clone(),
    }
}

fn is_secret_name(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    !HARMLESS_NAMES.contains(&plain.as_str())
        && SECRET_NAMES.iter().any(|secret| plain.contains(secret))
}

fn shortened(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let fields = object.iter();
            Value::Object(
                fields
                    .map(|(key, value)| (key.clone(), shortened(value)))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(shortened).collect(),
        Value::String(text) => match text.char_indices().nth(MAX_TEXT) {
            Some((end, _)) => json!(format!(
                "{}… ({} more bytes)",
                &text[..end],
                text.len() - end
            )),
            None => value.clone(),
        },
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(arguments: Value) -> Value {
        for_the_log(arguments.as_object().unwrap())["redacted"].clone()
    }

    #[test]
    fn what_looks_like_a_secret_is_not_there() {
        let arguments = json!({
            "owner": "a",
            "api_key": "canary1",
            "X-Auth-Token": ["canary2"],
            "nested": [{ "Password": { "value": "canary3" } }],
            "headers": [{ "name": "Authorization", "value": "canary4" }, { "name": "Accept", "value": "text/plain" }],
            "curl": "curl -H 'Authorization: Bearer canary5-long-enough-0123' https://user:canary6@example.com/x?y=1",
            "maxTokens": 5,
            "page_token": "abc",
            "secret": null,
        });
        let text = shown(arguments).to_string();
        assert!(!text.contains("canary"), "{text}");
        for kept in [
            "\"owner\":\"a\"",
            "text/plain",
            "@example.com/x?y=1",
            "\"maxTokens\":5",
            "abc",
        ] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
    }

    #[test]
    fn long_arguments_are_cut_and_their_hash_is_of_all() {
        let text = "x".repeat(100_000);
        let long = json!({ "text": text, "n": 1 });
        let kept = shown(long.clone());
        assert_eq!(kept["n"], 1);
        assert!(kept.to_string().len() <= MAX_ARGUMENTS);
        let many: Vec<usize> = (0..10_000).collect();
        let kept = shown(json!({ "many": many }));
        assert!(kept.to_string().len() <= MAX_ARGUMENTS && kept["cut"].is_string());
        let quotes = shown(json!({ "q": vec!["\"\\\u{1}"; 5000] }));
        assert!(
            quotes.to_string().len() <= MAX_ARGUMENTS,
            "{}",
            quotes.to_string().len()
        );
        let hash = |value: &Value| for_the_log(value.as_object().unwrap())["sha256"].clone();
        assert_eq!(
            hash(&long),
            hash(&json!({ "n": 1, "text": text })),
            "in any order"
        );
        assert_ne!(hash(&long), hash(&json!({ "n": 2, "text": text })));
    }

    #[test]
    fn deep_values_end() {
        let mut deep = json!(1);
        for _ in 0..1000 {
            deep = json!([deep]);
        }
        assert!(shown(json!({ "deep": deep })).to_string().len() < 200);
    }
}
