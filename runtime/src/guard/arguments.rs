//! The arguments against the tool's input schema.

use jsonschema::{
    ValidationError, Validator,
    error::{TypeKind, ValidationErrorKind},
};
use serde_json::{Map, Value, json};

use super::dialect::normalised;
use crate::reply::{Code, Failure};

/// More violations than this are not listed.
const MAX_DETAILS: usize = 10;

/// Unwraps `{"arguments": {…}}` when the tool has no `arguments` of its own: there is one reading.
pub(crate) fn nested_in(
    arguments: Map<String, Value>,
    declares_arguments: bool,
    notes: &mut Vec<String>,
) -> Map<String, Value> {
    if declares_arguments || arguments.len() != 1 {
        return arguments;
    }
    match arguments.get("arguments") {
        Some(Value::Object(inner)) => {
            notes.push("`arguments` was nested in itself; the inner one was used".into());
            inner.clone()
        }
        _ => arguments,
    }
}

/// The arguments, valid for the schema; text that spells a wanted number or boolean faithfully is converted and noted.
///
/// A schema that cannot be compiled does not stand in the way: the service validates by itself.
pub(crate) fn checked_arguments(
    schema: &Map<String, Value>,
    arguments: Map<String, Value>,
    notes: &mut Vec<String>,
    retry: impl Fn(&Value) -> String,
) -> Result<Map<String, Value>, Failure> {
    let schema = Value::Object(schema.clone());
    let validator = match compile(&schema) {
        Ok(validator) => validator,
        Err(error) => {
            tracing::debug!(%error, "an input schema cannot be compiled; arguments go unchecked");
            return Ok(arguments);
        }
    };
    let mut value = Value::Object(arguments);
    if validator.is_valid(&value) {
        return Ok(into_map(value));
    }
    let repairs: Vec<(String, Value)> = validator
        .iter_errors(&value)
        .filter_map(|error| repair(&error))
        .collect();
    let mut repaired = value.clone();
    for (path, converted) in &repairs {
        if let Some(slot) = repaired.pointer_mut(path) {
            *slot = converted.clone();
        }
    }
    if validator.is_valid(&repaired) {
        for (path, converted) in repairs {
            notes.push(format!("{path} was text; it was read as {converted}"));
        }
        return Ok(into_map(repaired));
    }
    let details: Vec<String> = validator
        .iter_errors(&value)
        .take(MAX_DETAILS)
        .map(|error| describe(&error))
        .collect();
    let example = example(&schema, &mut value);
    Err(Failure::new(
        Code::ArgValidationFailed,
        "the arguments do not fit the tool's input schema; nothing was sent",
    )
    .with("details", json!(details))
    .with("schema", schema)
    .with_hint(format!(
        "Change only what `details` names, then call again: {}",
        retry(&example)
    )))
}

/// Compiles a schema. No `$ref` is ever fetched: the validator is built without its resolvers.
pub(super) fn compile(schema: &Value) -> Result<Validator, String> {
    let schema = normalised(schema).ok_or("it is too large or too deep")?;
    jsonschema::options()
        .build(&schema)
        .map_err(|error| error.to_string())
}

/// "5" for an integer, "true" for a boolean: only text that the value prints back to, letter by letter.
/// The JSON text of an array or object has one reading however it is spaced.
fn repair(error: &ValidationError<'_>) -> Option<(String, Value)> {
    let text = error.instance().as_str()?;
    let converted: Value = serde_json::from_str(text).ok()?;
    let spelled_alike = serde_json::to_string(&converted).is_ok_and(|spelled| spelled == text);
    if !(converted.is_array() || converted.is_object() || spelled_alike) {
        return None;
    }
    let ValidationErrorKind::Type { kind } = error.kind() else {
        return None;
    };
    let accepts = |name: &str| match kind {
        TypeKind::Single(wanted) => wanted.to_string() == name,
        TypeKind::Multiple(wanted) => wanted.iter().any(|one| one.to_string() == name),
    };
    let fits = match &converted {
        Value::Bool(_) => accepts("boolean"),
        Value::Number(number) => {
            accepts("number") || ((number.is_i64() || number.is_u64()) && accepts("integer"))
        }
        Value::Array(_) => accepts("array"),
        Value::Object(_) => accepts("object"),
        Value::Null | Value::String(_) => false,
    };
    fits.then(|| (error.instance_path().to_string(), converted))
}

fn describe(error: &ValidationError<'_>) -> String {
    let path = error.instance_path().to_string();
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            format!(
                "{path}/{}: required, and missing",
                property.as_str().unwrap_or_default()
            )
        }
        _ => {
            let path = if path.is_empty() { "/" } else { &path };
            format!("{path}: {}", error.masked_with("what was sent"))
        }
    }
}

/// What was sent, with a placeholder for each required field that is missing.
fn example(schema: &Value, sent: &mut Value) -> Value {
    if let (Some(required), Some(map)) = (
        schema.get("required").and_then(Value::as_array),
        sent.as_object_mut(),
    ) {
        for name in required.iter().filter_map(Value::as_str) {
            if !map.contains_key(name) {
                let kind = schema.pointer(&format!(
                    "/properties/{}/type",
                    name.replace('~', "~0").replace('/', "~1")
                ));
                map.insert(
                    name.to_owned(),
                    json!(format!(
                        "<{}>",
                        kind.and_then(Value::as_str).unwrap_or("value")
                    )),
                );
            }
        }
    }
    sent.clone()
}

fn into_map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: Value, arguments: Value) -> (Result<Value, Failure>, Vec<String>) {
        let (Value::Object(schema), Value::Object(arguments)) = (schema, arguments) else {
            unreachable!()
        };
        let mut notes = Vec::new();
        let checked = checked_arguments(&schema, arguments, &mut notes, |value| {
            format!("CALL {value}")
        });
        (checked.map(Value::Object), notes)
    }

    fn repo_schema() -> Value {
        json!({"type":"object","required":["repo"],"properties":{
            "repo":{"type":"string"},"limit":{"type":"integer"},"draft":{"type":"boolean"},
            "tags":{"type":"array","items":{"type":"string"}}}})
    }

    #[test]
    fn only_faithful_text_is_converted() {
        let (checked, notes) = check(
            repo_schema(),
            json!({"repo":"a/b","limit":"5","draft":"false"}),
        );
        assert_eq!(
            checked.unwrap(),
            json!({"repo":"a/b","limit":5,"draft":false})
        );
        assert_eq!(notes.len(), 2);
        for text in ["05", "1e3", " 5", "0x10", "5.5", "abc", ""] {
            let (checked, _) = check(repo_schema(), json!({"repo":"a/b","limit":text}));
            let failure = checked.unwrap_err();
            assert_eq!(failure.code, Code::ArgValidationFailed, "{text:?}");
            assert!(
                failure.fields["details"][0]
                    .as_str()
                    .unwrap()
                    .starts_with("/limit: "),
                "{failure:?}"
            );
        }
    }

    #[test]
    fn a_missing_field_is_named_and_the_call_to_copy_holds_it() {
        let (checked, _) = check(repo_schema(), json!({"limit":3}));
        let failure = checked.unwrap_err();
        assert_eq!(
            failure.fields["details"],
            json!(["/repo: required, and missing"])
        );
        assert!(
            failure
                .hint
                .unwrap()
                .contains(r#"CALL {"limit":3,"repo":"<string>"}"#)
        );
    }

    #[test]
    fn a_schema_that_cannot_be_compiled_lets_the_call_through() {
        let (checked, _) = check(json!({"type":"no such type"}), json!({"x":1}));
        assert_eq!(checked.unwrap(), json!({"x":1}));
    }

    #[test]
    fn rules_of_every_kind_are_enforced() {
        let recursive = json!({"$defs": {"N": {"type": "object", "required": ["v"], "properties": {
            "v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/N"}}}}},
            "properties": {"root": {"$ref": "#/$defs/N"}}});
        let conditional = json!({"properties": {"mode": {"enum": ["s", "l"]}, "n": {"type": "integer"}},
            "allOf": [{"if": {"properties": {"mode": {"const": "s"}}}, "then": {"properties": {"n": {"maximum": 10}}}}]});
        let repeated = json!({"properties": {"kind": {"type": "string", "enum": ["x", "x", "y"]}}});
        let nullable = json!({"properties": {"a": {"type": ["string", "null"]}, "b": {"type": "string", "nullable": true}, "c": {}}});
        let draft4 = json!({"$schema": "http://json-schema.org/draft-04/schema#",
            "properties": {"n": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}}});
        for (schema, arguments, valid) in [
            (
                &recursive,
                json!({"root": {"v": 1, "kids": [{"v": 2, "kids": []}]}}),
                true,
            ),
            (
                &recursive,
                json!({"root": {"v": 1, "kids": [{"kids": []}]}}),
                false,
            ),
            (&conditional, json!({"mode": "l", "n": 99}), true),
            (&conditional, json!({"mode": "s", "n": 11}), false),
            (&repeated, json!({"kind": "x"}), true),
            (&repeated, json!({"kind": "z"}), false),
            (&nullable, json!({"a": null, "b": null, "c": null}), true),
            (&draft4, json!({"n": 1}), true),
            (&draft4, json!({"n": 0}), false),
        ] {
            let (checked, notes) = check(schema.clone(), arguments.clone());
            assert_eq!(checked.is_ok(), valid, "{arguments} against {schema}");
            assert!(notes.is_empty());
        }
    }

    #[test]
    fn nested_text_is_read_where_the_schema_wants_no_text() {
        let union = json!({"properties": {"x": {"type": ["array", "string"]}}});
        let (checked, notes) = check(union, json!({"x": "[1]"}));
        assert_eq!((checked.unwrap(), notes.len()), (json!({"x": "[1]"}), 0));
        let (checked, notes) = check(
            repo_schema(),
            json!({"repo": "a/b", "tags": "[\"x\", \"y\"]"}),
        );
        assert_eq!(
            (checked.unwrap(), notes.len()),
            (json!({"repo": "a/b", "tags": ["x", "y"]}), 1)
        );
    }

    #[test]
    fn a_pattern_that_explodes_ends() {
        let schema = json!({"properties": {"s": {"pattern": "^(a+)+$"}}});
        let _ = check(schema, json!({"s": format!("{}b", "a".repeat(40))}));
    }

    #[test]
    fn a_remote_reference_is_never_fetched() {
        let (checked, _) = check(
            json!({"$ref":"http://127.0.0.1:1/schema.json"}),
            json!({"x":1}),
        );
        assert_eq!(checked.unwrap(), json!({"x":1}));
    }

    #[test]
    fn nesting_is_undone_once() {
        let mut notes = Vec::new();
        let Value::Object(nested) = json!({"arguments":{"repo":"a/b"}}) else {
            unreachable!()
        };
        assert_eq!(
            Value::Object(nested_in(nested.clone(), false, &mut notes)),
            json!({"repo":"a/b"})
        );
        assert_eq!(notes.len(), 1);
        assert_eq!(nested_in(nested.clone(), true, &mut notes), nested);
    }
}
