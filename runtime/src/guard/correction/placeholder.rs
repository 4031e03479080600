//! What stands for a value that nobody has given yet.

use serde_json::{Value, json};

/// Of more choices than these only the first are named.
const MAX_CHOICES: usize = 6;

/// A value, or a text in angle brackets that says which one belongs here.
pub(super) fn placeholder(field: Option<&Value>) -> Value {
    let Some(field) = field else {
        return json!("<value>");
    };
    if let Some(constant) = field.get("const") {
        return constant.clone();
    }
    if let Some(choices) = field.get("enum").and_then(Value::as_array) {
        if let [only] = choices.as_slice() {
            return only.clone();
        }
        let mut unique: Vec<&Value> = Vec::new();
        for choice in choices.iter().take(2 * MAX_CHOICES) {
            if !unique.contains(&choice) {
                unique.push(choice);
            }
        }
        let names: Vec<String> = unique
            .iter()
            .take(MAX_CHOICES)
            .map(|choice| {
                choice
                    .as_str()
                    .map_or_else(|| choice.to_string(), str::to_owned)
            })
            .collect();
        let more = if choices.len() > MAX_CHOICES {
            "|…"
        } else {
            ""
        };
        return json!(format!("<{}{more}>", names.join("|")));
    }
    match field.get("type").and_then(Value::as_str) {
        Some(kind) => json!(format!("<{kind}>")),
        None => json!("<value>"),
    }
}
