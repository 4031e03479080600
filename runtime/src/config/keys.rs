//! Keys that nobody reads, and which one was meant.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::similar::closest;

/// The keys of a type that is read from an object. They are found out once: every entry of a file is checked by them.
pub(crate) fn keys_of<T: JsonSchema + 'static>() -> Arc<[String]> {
    static KNOWN: Mutex<Option<HashMap<TypeId, Arc<[String]>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let keys = known.get_or_insert_default().entry(TypeId::of::<T>());
    keys.or_insert_with(|| schema_keys::<T>().into()).clone()
}

fn schema_keys<T: JsonSchema>() -> Vec<String> {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

/// One sentence about the first key of `object` that is none of `known`.
pub(crate) fn unknown_key(object: &Map<String, Value>, known: &[String]) -> Option<String> {
    let wrong = object.keys().find(|key| !known.contains(key))?;
    Some(match closest(wrong, known.iter().map(String::as_str)) {
        Some(near) => format!("unknown key {wrong:?}; did you mean {near:?}?"),
        None => format!("unknown key {wrong:?}; there are {}", known.join(", ")),
    })
}

/// Makes serde's message fit to be shown: with "did you mean" where a field or variant is unknown, as it lists what there is,
/// and without a value, which may be a secret in the wrong place.
pub(crate) fn with_suggestion(message: String) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((wrong, known)) if message.starts_with("unknown ") => {
            match closest(wrong, known.iter().copied()) {
                Some(near) => format!("{message}; did you mean `{near}`?"),
                None => without_value(&message).unwrap_or(message),
            }
        }
        _ => without_value(&message).unwrap_or(message),
    }
}

/// `invalid type: string "x", expected a map` as `invalid type: string, expected a map`.
fn without_value(message: &str) -> Option<String> {
    let quotes_value = ["invalid type: ", "invalid value: ", "unknown variant "];
    if !quotes_value.iter().any(|start| message.starts_with(start)) {
        return None;
    }
    let kind = message.split(['"', '`']).next()?;
    let expected = message
        .rfind(", expected ")
        .or_else(|| message.rfind(", there are no "))?;
    Some(format!(
        "{}{}",
        kind.get(..expected).unwrap_or(kind).trim_end(),
        message.get(expected..)?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use indexmap::IndexMap;
    use serde_json::json;

    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[allow(dead_code)]
    struct Outer {
        read_only: bool,
        #[serde(flatten)]
        inner: Inner,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code)]
    struct Inner {
        deep: bool,
    }

    #[test]
    fn a_value_in_the_wrong_place_is_not_quoted() {
        let wrong = |value: Value| {
            let error = serde_json::from_value::<IndexMap<String, String>>(value).unwrap_err();
            with_suggestion(error.to_string())
        };
        assert_eq!(
            wrong(json!("a \" CANARY, expected `x`")),
            "invalid type: string, expected a map"
        );
        assert_eq!(
            wrong(json!({"a": 123_456_789})),
            "invalid type: integer, expected a string"
        );
        assert_eq!(
            with_suggestion("unknown variant `CANARY`, expected `oauth` or `none`".into()),
            "unknown variant, expected `oauth` or `none`"
        );
        assert_eq!(
            with_suggestion("unknown variant `oaut`, expected `oauth` or `none`".into()),
            "unknown variant `oaut`, expected `oauth` or `none`; did you mean `oauth`?"
        );
    }

    #[test]
    fn flattened_keys_are_known_and_a_misspelt_one_is_explained() {
        let known = keys_of::<Outer>();
        assert_eq!(*known, ["readOnly", "deep"]);
        let unknown = |value: Value| unknown_key(value.as_object().unwrap(), &known);
        assert_eq!(unknown(json!({"deep": 1})), None);
        assert_eq!(
            unknown(json!({"readonly": 1})).unwrap(),
            "unknown key \"readonly\"; did you mean \"readOnly\"?"
        );
        assert_eq!(
            unknown(json!({"colour": 1})).unwrap(),
            "unknown key \"colour\"; there are readOnly, deep"
        );
    }

    #[test]
    fn serde_lists_what_there_is() {
        let said = |message: &str| with_suggestion(message.to_owned());
        assert!(
            said("unknown field `baseURL`, expected one of `document`, `baseUrl`")
                .ends_with("did you mean `baseUrl`?")
        );
        assert_eq!(said("missing field `document`"), "missing field `document`");
    }
}
