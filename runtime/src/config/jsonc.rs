//! JSON as people write it: with comments and trailing commas, where a file may have them.

use jsonc_parser::{
    CollectOptions, ParseOptions, ParseResult, ParseStringErrorKind, ast,
    errors::{ParseError, ParseErrorKind},
    parse_to_ast,
};
use serde_json::Value;

/// Which liberties a file may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// RFC 8259.
    Json,
    /// With comments and trailing commas.
    WithComments,
}

/// Reads a document. The error says where, what is wrong, and what to write instead where that is known.
pub(crate) fn parse(text: &str, dialect: Dialect) -> Result<Value, String> {
    let liberal = dialect == Dialect::WithComments;
    let options = ParseOptions {
        allow_comments: liberal,
        allow_trailing_commas: liberal,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let ParseResult { value, .. } = parse_to_ast(text, &CollectOptions::default(), &options)
        .map_err(|error| explain(&error))?;
    let value = value.ok_or("the file is empty")?;
    match repeated_key(&value) {
        Some((key, at)) => Err(format!(
            "{}: the key {key:?} stands there twice",
            place(text, at)
        )),
        None => Ok(value.into()),
    }
}

fn explain(error: &ParseError) -> String {
    let place = format!(
        "line {}, column {}",
        error.line_display(),
        error.column_display()
    );
    let what = error.kind().to_string();
    match error.kind() {
        ParseErrorKind::String(
            ParseStringErrorKind::InvalidEscape
            | ParseStringErrorKind::InvalidEscapeInDoubleQuoteString
            | ParseStringErrorKind::ExpectedFourHexDigits
            | ParseStringErrorKind::InvalidUnicodeEscapeSequence(_),
        ) => format!(
            "{place}: {what}. Write each backslash of a path twice (C:\\\\Users\\\\me), or write / instead (C:/Users/me)"
        ),
        _ => format!("{place}: not JSON: {what}"),
    }
}

/// The second of two equal keys in one object: the first would be lost without a word.
fn repeated_key(value: &ast::Value<'_>) -> Option<(String, usize)> {
    match value {
        ast::Value::Array(array) => array.elements.iter().find_map(repeated_key),
        ast::Value::Object(object) => {
            let mut seen = std::collections::HashSet::new();
            object.properties.iter().find_map(|property| {
                let key = property.name.as_str();
                if seen.insert(key) {
                    repeated_key(&property.value)
                } else {
                    Some((key.to_owned(), property.range.start))
                }
            })
        }
        _ => None,
    }
}

fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    format!("line {line}, column {column}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn comments_and_trailing_commas_are_for_some_files_only() {
        let text = "// servers\n{\"a\": [1, 2,], /* x */ \"b\": {\"n\": 1.5,},}\n";
        let value = parse(text, Dialect::WithComments).unwrap();
        assert_eq!(value, json!({"a": [1, 2], "b": {"n": 1.5}}));
        assert!(
            parse(text, Dialect::Json)
                .unwrap_err()
                .starts_with("line 1, column 1")
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, want) in [
            ("", "the file is empty"),
            (
                "{\"a\": 1",
                "line 1, column 1: not JSON: Unterminated object",
            ),
            ("{\n  \"a\": 1\n  \"b\": 2}", "line 2"),
            ("{\"a\": 1}\n{}", "line 2, column 1"),
            ("{'a': 1}", "line 1, column 2"),
            (
                "{\"a\": {\"x\": 1,\n \"x\": 2}}",
                "line 2, column 2: the key \"x\" stands there twice",
            ),
            (
                r#"{"command": "C:\Users\me"}"#,
                r"Write each backslash of a path twice (C:\\Users\\me), or write /",
            ),
            (
                r#"{"command": "C:\users\me"}"#,
                r"Write each backslash of a path twice",
            ),
        ] {
            let error = parse(text, Dialect::WithComments).unwrap_err();
            assert!(error.contains(want), "{text}: {error}");
        }
    }
}
