//! Rules that hold only under a condition (`if`/`then`/`else`, JSON Schema 2020-12 Core 10.2.2).

use jsonschema::ValidationError;
use serde_json::Value;

/// Longer conditions are not written out.
const MAX_TEXT: usize = 200;

/// `when …`, for a rule that stands behind a condition.
pub(super) fn of(error: &ValidationError<'_>, schema: &Value) -> Option<String> {
    let path = error.schema_path().to_string();
    let (at, word) = [("/then/", "when"), ("/else/", "unless")]
        .into_iter()
        .filter_map(|(branch, word)| Some((path.rfind(branch)?, word)))
        .max()?;
    let condition = schema.pointer(&path[..at])?.get("if")?;
    Some(format!("{word} {}", in_words(condition)?))
}

fn in_words(condition: &Value) -> Option<String> {
    let constants = condition.get("properties").and_then(Value::as_object);
    let words: Option<Vec<String>> = constants.and_then(|fields| {
        fields
            .iter()
            .map(
                |(name, field)| match (field.get("const"), field.get("enum")) {
                    (Some(value), _) => Some(format!("{name} is {value}")),
                    (None, Some(values)) => Some(format!("{name} is one of {values}")),
                    (None, None) => None,
                },
            )
            .collect()
    });
    let text = match words {
        Some(words) if !words.is_empty() => words.join(" and "),
        _ => format!("this holds: {condition}"),
    };
    (text.len() <= MAX_TEXT).then_some(text)
}
