//! The arguments against the tool's input schema.

use jsonschema::{ValidationError, Validator, error::ValidationErrorKind as Kind};
use serde_json::{Map, Value};

use super::{correction::correction, repair::repair_all};
use crate::{
    catalog::Schema,
    reply::{Code, Failure},
};

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

/// The arguments, valid for the schema; text that spells a wanted number, boolean, list or object faithfully is
/// converted and noted.
///
/// A schema that cannot be compiled does not stand in the way: the service validates by itself.
pub(crate) fn checked_arguments(
    schema: &Schema,
    arguments: Map<String, Value>,
    notes: &mut Vec<String>,
    retry: impl Fn(&Value) -> String,
) -> Result<Map<String, Value>, Failure> {
    let sent = Value::Object(arguments);
    let Some(validator) = schema.validator_of(&sent) else {
        return Ok(into_map(sent));
    };
    if validator.is_valid(&sent) {
        return Ok(into_map(sent));
    }
    let mut repaired = sent.clone();
    let repairs = repair_all(validator, &mut repaired);
    if !repairs.is_empty() && violations(validator, &repaired).is_empty() {
        notes.extend(repairs);
        return Ok(into_map(repaired));
    }
    let violations = violations(validator, &sent);
    if violations.is_empty() {
        return Ok(into_map(sent));
    }
    let correction = correction(&violations, Value::Object(Map::clone(schema)), &sent);
    Err(Failure::new(
        Code::ArgValidationFailed,
        "the arguments do not fit the tool's input schema; nothing was sent",
    )
    .with("details", correction.details)
    .with("schema", correction.schema)
    .with_hint(format!(
        "Change only what `details` names, then call again: {}",
        retry(&correction.arguments)
    )))
}

/// Every violation that was found, and not only that a rule was too hard to check: that is the service's to decide.
fn violations<'a>(validator: &'a Validator, value: &'a Value) -> Vec<ValidationError<'a>> {
    validator
        .iter_errors(value)
        .filter(|error| {
            !matches!(
                error.kind(),
                Kind::BacktrackLimitExceeded { .. }
                    | Kind::RegexEngineFailure { .. }
                    | Kind::Referencing(_)
            )
        })
        .collect()
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
    use serde_json::json;

    fn check(schema: Value, arguments: Value) -> (Result<Value, Failure>, Vec<String>) {
        let schema: Schema = serde_json::from_value(schema).unwrap();
        let Value::Object(arguments) = arguments else {
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
            let detail = failure.fields["details"][0].as_str().unwrap();
            assert!(detail.starts_with("/limit: "), "{detail}");
            let received = json!(text).to_string();
            assert!(
                detail.ends_with(&format!("; received {received}")),
                "{detail}"
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

    /// The details and the arguments of the call to copy.
    fn correction_of(schema: Value, arguments: Value) -> (Vec<String>, Value) {
        let failure = check(schema, arguments).0.unwrap_err();
        let details = serde_json::from_value(failure.fields["details"].clone()).unwrap();
        let hint = failure.hint.unwrap();
        let call = hint.split_once("CALL ").unwrap().1;
        (details, serde_json::from_str(call).unwrap())
    }

    #[test]
    fn a_value_in_the_wrong_place_is_found_and_put_where_it_belongs() {
        for (sent, detail, meant) in [
            (
                json!({"params": {"repo": "a/b"}, "limit": 3}),
                "/repo: required, and missing; what looks like it was received at /params/repo",
                json!({"limit": 3, "repo": "a/b"}),
            ),
            (
                json!({"Repo": "a/b"}),
                "/repo: required, and missing; what looks like it was received at /Repo",
                json!({"repo": "a/b"}),
            ),
        ] {
            let (details, call) = correction_of(repo_schema(), sent);
            assert_eq!((details, call), (vec![detail.to_owned()], meant));
        }
    }

    #[test]
    fn each_violation_is_told_and_mended_where_that_is_plain() {
        let schema = json!({"type": "object", "additionalProperties": false, "required": ["state"], "properties": {
            "state": {"enum": ["open", "closed"]}, "perPage": {"type": "integer", "maximum": 100},
            "labels": {"type": "array", "items": {"type": "string"}}}});
        let (details, call) = correction_of(
            schema,
            json!({"state": "Opened", "per_page": 500, "labels": [1], "sort": "asc"}),
        );
        assert_eq!(
            details,
            [
                "/state: the value is not one of \"open\" or \"closed\"; received \"Opened\"",
                "/labels/0: the value is not of type \"string\"; received 1",
                "/per_page: no such field; did you mean \"perPage\"?; /sort: no such field",
            ]
        );
        assert_eq!(
            call,
            json!({"state": "open", "labels": ["<string>"], "perPage": 500})
        );
    }

    #[test]
    fn a_rule_behind_a_condition_says_when_it_holds() {
        let schema = json!({"properties": {"mode": {"enum": ["s", "l"]}, "n": {"type": "integer"}},
            "allOf": [{"if": {"properties": {"mode": {"const": "s"}}}, "then": {"properties": {"n": {"maximum": 10}}}}]});
        let (details, _) = correction_of(schema, json!({"mode": "s", "n": 11}));
        assert_eq!(
            details,
            ["/n: the value is greater than the maximum of 10 when mode is \"s\"; received 11"]
        );
    }

    #[test]
    fn a_union_is_repaired_and_explained_by_its_branches() {
        let optional =
            json!({"properties": {"n": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}});
        let (checked, notes) = check(optional, json!({"n": "5"}));
        assert_eq!((checked.unwrap(), notes.len()), (json!({"n": 5}), 1));
        let branches = json!({"anyOf": [
            {"required": ["url"], "properties": {"url": {"type": "string"}}},
            {"required": ["text", "title"]}]});
        let (details, call) = correction_of(branches, json!({}));
        assert_eq!(
            details,
            [
                "/: fits none of the allowed forms: (1) /url: required, and missing; (2) /text: required, and missing, /title: required, and missing"
            ]
        );
        assert_eq!(call, json!({"url": "<string>"}));
    }

    #[test]
    fn text_in_text_is_read_and_each_step_noted() {
        let schema =
            json!({"properties": {"ids": {"type": "array", "items": {"type": "integer"}}}});
        let (checked, notes) = check(schema, json!({"ids": "[\"1\", 2]"}));
        assert_eq!((checked.unwrap(), notes.len()), (json!({"ids": [1, 2]}), 2));
    }

    #[test]
    fn of_a_long_schema_only_what_is_concerned_is_shown() {
        let mut properties = Map::new();
        for n in 0..100 {
            let field = json!({"type": "string", "description": "one of very many fields"});
            properties.insert(format!("field{n}"), field);
        }
        let schema = json!({"type": "object", "properties": properties, "required": ["field7"]});
        let failure = check(schema, json!({"field8": 1})).0.unwrap_err();
        let shown: Vec<&String> = failure.fields["schema"]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect();
        assert_eq!(shown, ["field7", "field8"]);
    }

    #[test]
    fn a_null_where_none_is_wanted_is_left_out_unless_something_is() {
        let (checked, notes) = check(
            repo_schema(),
            json!({"repo": "a/b", "limit": null, "tags": null}),
        );
        assert_eq!((checked.unwrap(), notes.len()), (json!({"repo": "a/b"}), 2));
        let (checked, _) = check(repo_schema(), json!({"repo": null}));
        assert_eq!(checked.unwrap_err().code, Code::ArgValidationFailed);
        // An item of a list has its place.
        let (checked, _) = check(repo_schema(), json!({"repo": "a/b", "tags": ["x", null]}));
        assert_eq!(checked.unwrap_err().code, Code::ArgValidationFailed);
    }

    #[test]
    fn very_many_faults_are_told_in_short() {
        let fields = |from: usize| -> Map<String, Value> {
            (from..from + 2000)
                .map(|n| (format!("field{n}"), json!({})))
                .collect()
        };
        let required: Vec<String> = fields(0).into_iter().map(|(name, _)| name).collect();
        let schema =
            json!({"properties": fields(0), "required": required, "additionalProperties": false});
        let failure = check(schema, Value::Object(fields(5000))).0.unwrap_err();
        assert!(failure.fields["details"].as_array().unwrap().len() <= 11);
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
