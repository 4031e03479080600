//! Values as text: the styles of OpenAPI, percent-encoded.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use super::description::{Style, Writing};

/// Only what needs no encoding anywhere stays.
const STRICT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
/// As `allowReserved` asks, but for what would end the value: `&`, `#`, `+`, and brackets, which no query may hold.
const RESERVED_KEPT: &AsciiSet = &STRICT
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';')
    .remove(b'=');
/// Objects deeper than this are written as JSON.
const MAX_DEPTH: usize = 8;

/// Percent-encodes everything that is not plain.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, STRICT).to_string()
}

fn encoder(allow_reserved: bool) -> fn(&str) -> String {
    if allow_reserved {
        reserved_kept
    } else {
        encoded
    }
}

/// What is percent-encoded already stays as it is.
fn reserved_kept(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (position, part) in text.split('%').enumerate() {
        if position > 0 {
            let is_code =
                part.len() >= 2 && part.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
            out.push_str(if is_code { "%" } else { "%25" });
        }
        out.extend(utf8_percent_encode(part, RESERVED_KEPT));
    }
    out
}

/// A value as plain text. `null` is no value; what has parts is written as JSON.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(match number.as_f64() {
            // 5.0 is 5 to a service that wants a whole number.
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => {
                format!("{float:.0}")
            }
            _ => number.to_string(),
        }),
        other => Some(other.to_string()),
    }
}

/// A path variable. Empty when there is nothing to write, which the template refuses.
pub(super) fn in_path(name: &str, value: &Value, writing: &Writing) -> String {
    let (style, explode) = match writing {
        Writing::Json => return encoded(&value.to_string()),
        Writing::Styled { style, explode, .. } => (*style, *explode),
    };
    let parts = Parts::of(value, &encoded);
    if parts.is_empty() {
        return String::new();
    }
    match style {
        Style::Label => {
            let between = if explode { "." } else { "," };
            format!(".{}", parts.joined(between, explode))
        }
        Style::Matrix => {
            let name = encoded(name);
            match parts {
                Parts::List(items) if explode => {
                    items.iter().map(|item| format!(";{name}={item}")).collect()
                }
                Parts::Pairs(_) if explode => format!(";{}", parts.joined(";", true)),
                _ => {
                    let text = parts.joined(",", false);
                    match text.is_empty() {
                        true => format!(";{name}"),
                        false => format!(";{name}={text}"),
                    }
                }
            }
        }
        Style::Form(between) => parts.joined(between, explode),
        Style::Simple | Style::DeepObject => parts.joined(",", explode),
    }
}

/// A header's value, which is not percent-encoded.
pub(super) fn in_header(value: &Value, writing: &Writing) -> Option<String> {
    match writing {
        Writing::Json => Some(value.to_string()),
        Writing::Styled { explode, .. } => {
            let parts = Parts::of(value, &str::to_owned);
            (!matches!(value, Value::Null)).then(|| parts.joined(",", *explode))
        }
    }
}

/// `name=value` pairs for a query, a form or a cookie. None for `null` and for an empty list.
pub(super) fn pairs(name: &str, value: &Value, writing: &Writing) -> Vec<String> {
    let (style, explode, allow_reserved) = match writing {
        Writing::Json => return vec![format!("{}={}", encoded(name), encoded(&value.to_string()))],
        Writing::Styled {
            style,
            explode,
            allow_reserved,
        } => (*style, *explode, *allow_reserved),
    };
    let encode = encoder(allow_reserved);
    if style == Style::DeepObject && (value.is_object() || value.is_array()) {
        let mut out = Vec::new();
        deep(&encoded(name), value, &encode, 0, &mut out);
        return out;
    }
    let between = match style {
        Style::Form(between) => between,
        _ => ",",
    };
    let parts = Parts::of(value, &encode);
    let name = encoded(name);
    match &parts {
        Parts::One(None) => Vec::new(),
        Parts::List(items) if items.is_empty() => Vec::new(),
        Parts::Pairs(pairs) if pairs.is_empty() => Vec::new(),
        Parts::List(items) if explode => {
            items.iter().map(|item| format!("{name}={item}")).collect()
        }
        Parts::Pairs(pairs) if explode => pairs
            .iter()
            .map(|(key, item)| format!("{key}={item}"))
            .collect(),
        _ => vec![format!("{name}={}", parts.joined(between, false))],
    }
}

/// `filter[a][b]=c`. Lists of plain values are `tags[]=x`; only a list of objects needs positions.
fn deep(
    name: &str,
    value: &Value,
    encode: &impl Fn(&str) -> String,
    depth: usize,
    out: &mut Vec<String>,
) {
    let bracket = |inner: &str| format!("{name}%5B{inner}%5D");
    match value {
        Value::Object(map) if depth < MAX_DEPTH => {
            for (key, inner) in map {
                deep(&bracket(&encoded(key)), inner, encode, depth + 1, out);
            }
        }
        Value::Array(items) if depth < MAX_DEPTH => {
            let nested = items.iter().any(|item| item.is_object() || item.is_array());
            for (position, item) in items.iter().enumerate() {
                let place = if nested {
                    position.to_string()
                } else {
                    String::new()
                };
                deep(&bracket(&place), item, encode, depth + 1, out);
            }
        }
        other => {
            if let Some(text) = plain(other) {
                out.push(format!("{name}={}", encode(&text)));
            }
        }
    }
}

/// A value taken apart, with encoded texts.
enum Parts {
    One(Option<String>),
    List(Vec<String>),
    Pairs(Vec<(String, String)>),
}

impl Parts {
    fn of(value: &Value, encode: &impl Fn(&str) -> String) -> Self {
        let text = |value: &Value| plain(value).map(|text| encode(&text));
        match value {
            Value::Array(items) => Self::List(items.iter().filter_map(text).collect()),
            Value::Object(map) => Self::Pairs(pairs_of(map, &text, encode)),
            other => Self::One(text(other)),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::One(text) => text.is_none(),
            Self::List(items) => items.is_empty(),
            Self::Pairs(pairs) => pairs.is_empty(),
        }
    }

    fn joined(&self, between: &str, explode: bool) -> String {
        match self {
            Self::One(text) => text.clone().unwrap_or_default(),
            Self::List(items) => items.join(between),
            Self::Pairs(pairs) => {
                let inside = if explode { "=" } else { between };
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(key, value)| format!("{key}{inside}{value}"))
                    .collect();
                pairs.join(between)
            }
        }
    }
}

fn pairs_of(
    map: &Map<String, Value>,
    text: &impl Fn(&Value) -> Option<String>,
    encode: &impl Fn(&str) -> String,
) -> Vec<(String, String)> {
    map.iter()
        .filter_map(|(key, value)| Some((encode(key), text(value)?)))
        .collect()
}

#[cfg(test)]
#[path = "writing_tests.rs"]
mod tests;
