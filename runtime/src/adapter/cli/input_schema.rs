//! The parameters of a tool as the JSON Schema of its arguments.

use serde_json::{Map, Value, json};

use super::settings::{ItemKind, Kind, Parameter, ToolSettings};
use crate::catalog::{Hints, Schema, Tool};

/// The tool as it is listed.
pub(super) fn tool(name: &str, command: &str, settings: &ToolSettings) -> Tool {
    let description = settings.description.clone();
    Tool {
        name: name.to_owned(),
        title: None,
        description: description.unwrap_or_else(|| format!("Runs {command}.")),
        input_schema: Schema::new(input_schema(settings)),
        output_schema: None,
        hints: Hints {
            read_only: settings.read_only == Some(true),
            destructive: settings.destructive,
            idempotent: settings.idempotent,
            open_world: None,
        },
        tags: Vec::new(),
    }
}

fn input_schema(settings: &ToolSettings) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for parameter in settings.parameters() {
        properties.insert(parameter.param.clone(), Value::Object(schema(parameter)));
        if !parameter.may_be_absent() {
            required.push(parameter.param.as_str());
        }
    }
    let mut whole = Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), Value::Object(properties)),
    ]);
    if !required.is_empty() {
        whole.insert("required".into(), json!(required));
    }
    whole.insert("additionalProperties".into(), json!(false));
    whole
}

fn schema(parameter: &Parameter) -> Map<String, Value> {
    let mut schema = Map::new();
    let mut allowed = (!parameter.allowed.is_empty()).then(|| json!(parameter.allowed));
    let [mut minimum, mut maximum] =
        [parameter.minimum, parameter.maximum].map(|bound| bound.map(|bound| json!(bound)));
    let mut pattern = parameter.whole_pattern().map(|whole| json!(whole));
    match parameter.kind {
        Kind::Array => {
            let mut items = Map::from_iter([("type".to_owned(), json!(parameter.items.as_str()))]);
            items.extend(allowed.take().map(|allowed| ("enum".to_owned(), allowed)));
            items.extend(pattern.take().map(|whole| ("pattern".to_owned(), whole)));
            items.extend(minimum.take().map(|bound| ("minimum".to_owned(), bound)));
            items.extend(maximum.take().map(|bound| ("maximum".to_owned(), bound)));
            schema.insert("type".into(), json!("array"));
            schema.insert("items".into(), Value::Object(items));
        }
        kind => {
            schema.insert("type".into(), json!(kind.as_str()));
        }
    }
    for (key, value) in [
        ("enum", allowed),
        ("pattern", pattern),
        ("minimum", minimum),
        ("maximum", maximum),
        ("default", parameter.default.clone()),
        (
            "description",
            parameter.description.as_ref().map(|text| json!(text)),
        ),
    ] {
        schema.extend(value.map(|value| (key.to_owned(), value)));
    }
    schema
}

/// Whether the parameter takes that value.
pub(super) fn accepts(parameter: &Parameter, value: &Value) -> bool {
    let is_allowed = |value: &Value| {
        let is_listed = parameter.allowed.is_empty() || parameter.allowed.contains(value);
        is_listed && is_within(parameter, value)
    };
    match (parameter.kind, value) {
        (Kind::Array, Value::Array(items)) => items
            .iter()
            .all(|item| is_of(parameter.items.as_str(), item) && is_allowed(item)),
        (kind, value) => is_of(kind.as_str(), value) && is_allowed(value),
    }
}

fn is_within(parameter: &Parameter, value: &Value) -> bool {
    // Bounds are small enough for a float.
    let Some(number) = value.as_f64() else {
        return true;
    };
    parameter.minimum.is_none_or(|least| number >= least as f64)
        && parameter.maximum.is_none_or(|most| number <= most as f64)
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => false,
    }
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Array => "array",
        }
    }
}

impl ItemKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_parameter_is_described() {
        let settings: ToolSettings = serde_json::from_value(json!({
            "readOnly": true,
            "args": [
                "log",
                {"param": "count", "flag": "-n", "type": "integer", "minimum": 1, "maximum": 50, "default": 10, "description": "How many."},
                {"param": "all", "flag": "--all", "type": "boolean"},
                {"param": "order", "flag": "--order=", "enum": ["date", "topo"], "optional": true},
                {"param": "paths", "type": "array"},
                {"param": "revision", "pattern": "[0-9a-f]+|HEAD"},
                {"param": "tags", "type": "array", "pattern": "v\\d+", "optional": true},
            ],
            "stdin": {"param": "text"},
        }))
        .unwrap();
        let tool = tool("log", "git", &settings);
        assert_eq!(tool.description, "Runs git.");
        assert!(tool.hints.read_only);
        assert_eq!(
            Value::Object(input_schema(&settings)),
            json!({
                "type": "object",
                "properties": {
                    "count": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10, "description": "How many."},
                    "all": {"type": "boolean"},
                    "order": {"type": "string", "enum": ["date", "topo"]},
                    "paths": {"type": "array", "items": {"type": "string"}},
                    "revision": {"type": "string", "pattern": "^(?:[0-9a-f]+|HEAD)$"},
                    "tags": {"type": "array", "items": {"type": "string", "pattern": "^(?:v\\d+)$"}},
                    "text": {"type": "string"},
                },
                "required": ["paths", "revision", "text"],
                "additionalProperties": false,
            })
        );
    }
}
