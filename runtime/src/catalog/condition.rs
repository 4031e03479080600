//! Rules that hold only under a condition (`if`/`then`/`else`, JSON Schema 2020-12 Core 10.2.2).

use jsonschema::ValidationError;
use serde_json::{Map, Value};

/// Longer conditions are not written out.
const MAX_TEXT: usize = 200;

/// Rules beyond this are not written out.
const MAX_RULES: usize = 4;

/// `when …`, for a rule that stands behind a condition.
pub(crate) fn condition_of(error: &ValidationError<'_>, schema: &Value) -> Option<String> {
    let path = error.schema_path().to_string();
    let (at, word) = [("/then/", "when"), ("/else/", "unless")]
        .into_iter()
        .filter_map(|(branch, word)| Some((path.rfind(branch)?, word)))
        .max()?;
    let condition = schema.pointer(&path[..at])?.get("if")?;
    Some(format!("{word} {}", in_words(condition)?))
}

/// The conditional rules of a schema, each in a few words: `when mode is "s": {"n":{"maximum":10}}`.
pub(super) fn rules(schema: &Map<String, Value>) -> Vec<String> {
    let parts = schema.get("allOf").and_then(Value::as_array);
    let parts = parts.into_iter().flatten().filter_map(Value::as_object);
    std::iter::once(schema)
        .chain(parts)
        .filter_map(|schema| Some((in_words(schema.get("if")?)?, schema)))
        .flat_map(|(condition, schema)| {
            [("when", "then"), ("unless", "else")].map(|(word, branch)| {
                let rule = in_short(schema.get(branch)?)?;
                Some(format!("{word} {condition}: {rule}"))
            })
        })
        .flatten()
        .take(MAX_RULES)
        .collect()
}

fn in_short(rule: &Value) -> Option<String> {
    let fields = rule.get("properties").map(Value::to_string);
    let required = rule
        .get("required")
        .map(|required| format!("requires {required}"));
    let parts: Vec<String> = fields.into_iter().chain(required).collect();
    let text = if parts.is_empty() {
        rule.to_string()
    } else {
        parts.join(", ")
    };
    (text.len() <= MAX_TEXT).then_some(text)
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
