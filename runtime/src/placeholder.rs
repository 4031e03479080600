//! `${NAME}` in configured texts: also `${env:NAME}`, `${NAME:-default}` and `${secret:NAME}`. `$${` is a `${` that is meant as it stands, and
//! `$NAME` without braces stays as it is: a password may hold a `$`.

use serde_json::Value;

/// A piece of a configured text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// Meant as it stands.
    Text(&'a str),
    /// Replaced by the environment variable, or by the default where that is not set.
    Variable {
        name: &'a str,
        default: Option<&'a str>,
    },
    /// Replaced by the secret of that name.
    Secret(&'a str),
    /// A `${` without `}`, with which the text ends.
    Unclosed,
}

/// What a reference to a secret begins with.
pub(crate) const SECRET: &str = "${secret:";

/// The pieces of a text, in order.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    written_parts(text).map(|(part, _)| part)
}

/// As [`parts`], each with how it is written.
pub(crate) fn written_parts(text: &str) -> impl Iterator<Item = (Part<'_>, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (part, length) = first(rest);
        let (written, after) = rest.split_at(length);
        rest = after;
        Some((part, written))
    })
}

/// The first piece of a text that is not empty, and how long it is written.
fn first(text: &str) -> (Part<'_>, usize) {
    if text.starts_with("$${") {
        return (Part::Text("${"), "$${".len());
    }
    let Some(inner) = text.strip_prefix("${") else {
        let start = text.find("${").unwrap_or(text.len());
        // The `$` before it belongs to `$${`, unless that is all there is.
        let end = match text[..start].strip_suffix('$') {
            Some(before) if start < text.len() && !before.is_empty() => before.len(),
            _ => start,
        };
        return (Part::Text(&text[..end]), end);
    };
    let Some(end) = inner.find('}') else {
        return (Part::Unclosed, text.len());
    };
    if let Some(name) = inner[..end].strip_prefix("secret:") {
        return (Part::Secret(name), "${}".len() + end);
    }
    let (name, default) = match inner[..end].split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (&inner[..end], None),
    };
    let name = name.strip_prefix("env:").unwrap_or(name);
    (Part::Variable { name, default }, "${}".len() + end)
}

/// Calls `see` with every text of a value.
pub(crate) fn each_text<'a>(value: &'a Value, see: &mut impl FnMut(&'a str)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, see)),
        Value::Object(fields) => fields.values().for_each(|field| each_text(field, see)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_taken_apart() {
        let variable = |name, default| Part::Variable { name, default };
        for (text, want) in [
            ("", vec![]),
            ("$", vec![Part::Text("$")]),
            ("$A-$$", vec![Part::Text("$A-$$")]),
            (
                "a${B}c",
                vec![Part::Text("a"), variable("B", None), Part::Text("c")],
            ),
            ("${secret:a-b}", vec![Part::Secret("a-b")]),
            ("${env:A:-x}", vec![variable("A", Some("x"))]),
            (
                "a$${B}",
                vec![Part::Text("a"), Part::Text("${"), Part::Text("B}")],
            ),
            (
                "$$${A}",
                vec![Part::Text("$"), Part::Text("${"), Part::Text("A}")],
            ),
            ("é${", vec![Part::Text("é"), Part::Unclosed]),
        ] {
            assert_eq!(parts(text).collect::<Vec<_>>(), want, "{text}");
        }
    }
}
