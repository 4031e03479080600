//! The ways in which a value is written where it stands inside something else.

use std::collections::BTreeSet;

use base64::{
    Engine,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::checksum;

/// What `encodeURIComponent` leaves as it is.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');
/// What stays as it is in a form and in strict RFC 3986 encoding.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// One way of writing a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub text: String,
    /// Whether it is the middle of a longer base64 text.
    pub in_base64: bool,
}

/// So often a text may be JSON within JSON: a service's answer in a program's output in a result.
const MAX_NESTING: usize = 4;

/// Every way of writing a value that is looked for.
pub(super) fn forms(value: &str) -> BTreeSet<Form> {
    let escaped = json_escaped(value);
    let mut texts = BTreeSet::from([
        ascii_only(&escaped),
        escaped.replace('/', "\\/"),
        value.escape_debug().to_string(),
        value.replace('\'', "'\\''"),
        html_escaped(value),
    ]);
    let nested = std::iter::successors(Some(value.to_owned()), |text| Some(json_escaped(text)));
    texts.extend(nested.take(MAX_NESTING + 1));
    // What else is written in base64 or hexadecimal: JSON, a URL, a form.
    let mut inner = BTreeSet::from([value.to_owned(), escaped]);
    for set in [COMPONENT, UNRESERVED] {
        let encoded = percent_encoded(value, set);
        texts.insert(percent_encoded(&encoded, set));
        inner.insert(encoded.replace("%20", "+"));
        inner.insert(encoded);
    }
    for set in [NON_ALPHANUMERIC, COMPONENT, UNRESERVED] {
        let encoded = percent_encoded(value, set);
        texts.insert(lower_percents(&encoded));
        texts.insert(encoded.replace("%20", "+"));
        texts.insert(encoded);
    }
    for text in &inner {
        let hexadecimal = checksum::hexadecimal(text.as_bytes());
        texts.insert(hexadecimal.to_uppercase());
        texts.insert(hexadecimal);
    }
    let form = |in_base64| move |text| Form { text, in_base64 };
    let encoded = inner.iter().flat_map(|text| base64_pieces(text));
    let plain = texts.into_iter().map(form(false));
    plain.chain(encoded.map(form(true))).collect()
}

fn percent_encoded(text: &str, set: &'static AsciiSet) -> String {
    utf8_percent_encode(text, set).to_string()
}

/// The value in base64 as it stands inside a longer encoded text, for each of the three places where it may begin.
fn base64_pieces(value: &str) -> impl Iterator<Item = String> {
    (0..3_usize).flat_map(move |offset| {
        let bytes = [&[0; 3][..offset], value.as_bytes()].concat();
        // Only characters that hold bits of the value alone.
        let piece = (offset * 8).div_ceil(6)..bytes.len() * 8 / 6;
        [
            STANDARD_NO_PAD.encode(&bytes),
            URL_SAFE_NO_PAD.encode(&bytes),
        ]
        .into_iter()
        .filter_map(move |text| text.get(piece.clone()).map(str::to_owned))
    })
}

fn json_escaped(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// As encoders write it that keep to ASCII.
fn ascii_only(escaped: &str) -> String {
    let mut text = String::new();
    for character in escaped.chars() {
        if character.is_ascii() {
            text.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    text
}

fn html_escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// `%2F` as `%2f`.
fn lower_percents(encoded: &str) -> String {
    let mut text = String::with_capacity(encoded.len());
    let mut digits = 0;
    for character in encoded.chars() {
        if digits > 0 {
            digits -= 1;
            text.extend(character.to_lowercase());
        } else {
            digits = if character == '%' { 2 } else { 0 };
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};

    const VALUE: &str = "p/\"ä? '&~q\\w";

    fn is_found(text: &str) -> bool {
        forms(VALUE).iter().any(|form| text.contains(&form.text))
    }

    #[test]
    fn encoded_and_escaped_it_is_still_found() {
        for text in [
            VALUE.to_owned(),
            serde_json::to_string(VALUE).unwrap(),
            serde_json::to_string(&serde_json::to_string(VALUE).unwrap()).unwrap(),
            format!("{VALUE:?}"),
            r#"p/\"\u00e4? '&~q\\w"#.to_owned(),
            r#"p\/\"ä? '&~q\\w"#.to_owned(),
            "p%2F%22%C3%A4%3F%20'%26~q%5Cw".to_owned(),
            "p%2f%22%c3%a4%3f%20%27%26~q%5cw".to_owned(),
            "p%2F%22%C3%A4%3F+%27%26~q%5Cw".to_owned(),
            "p/&quot;ä? '&amp;~q\\w".to_owned(),
            "702f22c3a43f2027267e715c77".to_owned(),
            "p%252F%2522%25C3%25A4%253F%2520%2527%2526~q%255Cw".to_owned(),
            checksum::hexadecimal(b"p%2F%22%C3%A4%3F%20'%26~q%5Cw"),
            STANDARD.encode(serde_json::to_string(VALUE).unwrap()),
            STANDARD.encode("x=p%2F%22%C3%A4%3F+%27%26~q%5Cw"),
            (0..4).fold(VALUE.to_owned(), |text, _| {
                serde_json::to_string(&text).unwrap()
            }),
        ] {
            assert!(is_found(&text), "{text}");
        }
        assert!(!is_found("p/\"ä? '&~q\\"));
    }

    #[test]
    fn in_base64_it_is_found_wherever_it_begins() {
        for before in ["", "a", "ab", "abc", "user:"] {
            for after in ["", "x", "xy"] {
                let text = format!("{before}{VALUE}{after}");
                assert!(is_found(&STANDARD.encode(&text)), "{text}");
                assert!(is_found(&URL_SAFE.encode(&text)), "{text}");
            }
        }
    }
}
