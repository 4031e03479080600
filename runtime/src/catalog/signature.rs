//! A schema as a compact, TypeScript-like signature: what a model reads fastest.

use serde_json::{Map, Value};

/// Nested objects deeper than this are written as `object`.
const MAX_DEPTH: usize = 3;
/// Enumerations longer than this are cut.
const MAX_CHOICES: usize = 8;

/// `{ owner: string, state?: "open" | "closed" }` for an object schema; `{}` when it takes nothing.
pub fn signature(schema: &Map<String, Value>) -> String {
    object(schema, 0)
}

fn object(schema: &Map<String, Value>, depth: usize) -> String {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return if depth == 0 && schema.get("additionalProperties").is_none() {
            "{}".into()
        } else {
            "object".into()
        };
    };
    if properties.is_empty() {
        return "{}".into();
    }
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let fields: Vec<String> = properties
        .iter()
        .map(|(name, schema)| {
            let optional = if required.contains(&name.as_str()) {
                ""
            } else {
                "?"
            };
            format!("{}{optional}: {}", key(name), kind(schema, depth + 1))
        })
        .collect();
    format!("{{ {} }}", fields.join(", "))
}

fn key(name: &str) -> String {
    let plain = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}

fn kind(schema: &Value, depth: usize) -> String {
    let Some(schema) = schema.as_object() else {
        return "any".into();
    };
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        let mut texts: Vec<String> = choices
            .iter()
            .take(MAX_CHOICES)
            .map(Value::to_string)
            .collect();
        if choices.len() > MAX_CHOICES {
            texts.push("…".into());
        }
        return texts.join(" | ");
    }
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
            let mut kinds: Vec<String> = branches
                .iter()
                .map(|branch| kind(branch, depth + 1))
                .collect();
            kinds.dedup();
            return kinds.join(" | ");
        }
    }
    match schema.get("type") {
        Some(Value::String(name)) => named(name, schema, depth),
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .map(|name| named(name, schema, depth))
            .collect::<Vec<_>>()
            .join(" | "),
        _ if schema.contains_key("properties") => named("object", schema, depth),
        _ => "any".into(),
    }
}

fn named(name: &str, schema: &Map<String, Value>, depth: usize) -> String {
    match name {
        "object" if depth >= MAX_DEPTH => "object".into(),
        "object" => object(schema, depth),
        "array" => {
            let item = schema
                .get("items")
                .map_or_else(|| "any".into(), |items| kind(items, depth + 1));
            if item.contains(" | ") {
                format!("({item})[]")
            } else {
                format!("{item}[]")
            }
        }
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(schema: Value) -> String {
        signature(schema.as_object().unwrap())
    }

    #[test]
    fn signatures_are_compact() {
        assert_eq!(of(json!({"type":"object"})), "{}");
        assert_eq!(
            of(json!({"type":"object","required":["owner"],"properties":{
                "owner":{"type":"string"},
                "state":{"enum":["open","closed"]},
                "labels":{"type":"array","items":{"type":"string"}},
                "page[size]":{"type":["integer","null"]},
                "filter":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{}}}}}}},
                "any":{}}})),
            r#"{ owner: string, state?: "open" | "closed", labels?: string[], "page[size]"?: integer | null, filter?: { a?: { b?: object } }, any?: any }"#
        );
    }
}
