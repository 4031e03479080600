//! Schemas as services write them, made fit for a strict validator. What a schema means is kept; small faults that
//! would make it unusable are mended, and one that is hostile is not looked into.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

/// Deeper schemas are not compiled: a compiler recurses as deep as they do.
const MAX_DEPTH: usize = 100;
/// Schemas with more parts, or more references, are not compiled.
const MAX_PARTS: usize = 50_000;
const MAX_REFERENCES: usize = 1_000;

/// Dialects that the validator knows.
const KNOWN: &[&str] = &[
    "json-schema.org/draft-04/schema",
    "json-schema.org/draft-06/schema",
    "json-schema.org/draft-07/schema",
    "json-schema.org/draft/2019-09/schema",
    "json-schema.org/draft/2020-12/schema",
];

/// Keywords whose values are data, not schemas.
const DATA: &[&str] = &[
    "const", "enum", "default", "example", "examples", "required",
];

/// Keywords whose values are schemas under names of the author's own. Such a name is no keyword, whatever it is.
pub(super) const NAMED: &[&str] = &[
    "properties",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
    "$defs",
    "definitions",
];

/// The schema for the validator; `None` when it is too large to be compiled safely.
pub(super) fn normalised(schema: &Map<String, Value>) -> Option<Value> {
    let mut budget = Budget {
        parts: MAX_PARTS,
        references: MAX_REFERENCES,
    };
    let mut schema = schema.clone();
    if schema
        .get("$schema")
        .is_some_and(|dialect| !is_known(dialect))
    {
        schema.remove("$schema");
    }
    let mut schema = Value::Object(schema);
    mend(&mut schema, 0, &mut budget)?;
    Some(schema)
}

struct Budget {
    parts: usize,
    references: usize,
}

fn mend(schema: &mut Value, depth: usize, budget: &mut Budget) -> Option<()> {
    budget.parts = budget.parts.checked_sub(1)?;
    if depth > MAX_DEPTH {
        return None;
    }
    match schema {
        Value::Object(map) => {
            if map.get("$ref").is_some_and(Value::is_string) {
                budget.references = budget.references.checked_sub(1)?;
            }
            mend_keywords(map);
            for (key, value) in map.iter_mut() {
                match value {
                    Value::Object(schemas) if NAMED.contains(&key.as_str()) => {
                        for schema in schemas.values_mut() {
                            mend(schema, depth + 2, budget)?;
                        }
                    }
                    _ if DATA.contains(&key.as_str()) => {}
                    value => mend(value, depth + 1, budget)?,
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                mend(item, depth + 1, budget)?;
            }
        }
        _ => {}
    }
    Some(())
}

fn mend_keywords(map: &mut Map<String, Value>) {
    // A value listed twice is listed.
    if let Some(Value::Array(choices)) = map.get_mut("enum") {
        let mut seen = HashSet::new();
        choices.retain(|choice| seen.insert(choice.to_string()));
    }
    // OpenAPI 3.0 says `nullable` where JSON Schema lists the type `null`.
    if map.get("nullable") == Some(&Value::Bool(true)) {
        map.remove("nullable");
        if let Some(Value::String(kind)) = map.get("type") {
            let kinds = json!([kind, "null"]);
            map.insert("type".into(), kinds);
        }
        if let Some(Value::Array(choices)) = map.get_mut("enum")
            && !choices.contains(&Value::Null)
        {
            choices.push(Value::Null);
        }
    }
}

fn is_known(dialect: &Value) -> bool {
    let uri = dialect.as_str().unwrap_or_default();
    let bare = uri
        .trim_start_matches("https://")
        .trim_start_matches("http://");
    KNOWN.contains(&bare.trim_end_matches('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalised(schema: &Value) -> Option<Value> {
        super::normalised(schema.as_object().unwrap())
    }

    #[test]
    fn small_faults_are_mended() {
        let schema = json!({"$schema": "https://example.com/own", "properties": {
            "kind": {"enum": ["x", "x", "y"]},
            "due": {"type": "string", "nullable": true},
            "nullable": {"type": "boolean"},
            "data": {"const": {"enum": [1, 1]}},
        }});
        assert_eq!(
            normalised(&schema).unwrap(),
            json!({"properties": {
                "kind": {"enum": ["x", "y"]},
                "due": {"type": ["string", "null"]},
                "nullable": {"type": "boolean"},
                "data": {"const": {"enum": [1, 1]}},
            }})
        );
        let named = json!({"properties": {
            "nullable": true, "type": {"type": "string"}, "enum": {"enum": ["x"]},
            "example": {"properties": {"default": {"type": "string", "nullable": true}}},
        }});
        assert_eq!(
            normalised(&named).unwrap(),
            json!({"properties": {
                "nullable": true, "type": {"type": "string"}, "enum": {"enum": ["x"]},
                "example": {"properties": {"default": {"type": ["string", "null"]}}},
            }}),
            "fields that are called as a keyword"
        );
        let known = json!({"$schema": "http://json-schema.org/draft-07/schema#"});
        assert_eq!(normalised(&known).unwrap(), known);
    }

    #[test]
    fn a_hostile_schema_is_not_looked_into() {
        let mut deep = json!({"type": "integer"});
        for _ in 0..120 {
            deep = json!({"items": deep});
        }
        assert_eq!(normalised(&deep), None);
        let chain: Map<String, Value> = (0..5000)
            .map(|n| {
                (
                    format!("d{n}"),
                    json!({"$ref": format!("#/$defs/d{}", n + 1)}),
                )
            })
            .collect();
        assert_eq!(normalised(&json!({"$defs": chain.clone()})), None);
        let chain = json!({"properties": {"default": {"$defs": chain}}});
        assert_eq!(normalised(&chain), None);
        let wide: Vec<Value> = (0..MAX_PARTS).map(|_| json!({})).collect();
        assert_eq!(normalised(&json!({"anyOf": wide})), None);
    }
}
