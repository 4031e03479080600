//! Arbitrary JSON.

use proptest::prelude::*;
use serde_json::{Map, Number, Value};

/// Keys that mean something to somebody, and some that are awkward.
pub const KEYS: &[&str] = &[
    "a",
    "b",
    "repo",
    "per_page",
    "perPage",
    "toolName",
    "toolname",
    "skill",
    "arguments",
    "confirm",
    "raw",
    "parts",
    "result",
    "notes",
    "type",
    "enum",
    "const",
    "default",
    "example",
    "examples",
    "required",
    "nullable",
    "properties",
    "$ref",
    "$defs",
    "__proto__",
    "constructor",
    "a/b",
    "a~1b",
    "page[size]",
    "{\"a\":1}",
    "é🦀",
    "",
];

pub fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(KEYS).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

/// Numbers of every size.
pub fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3_i64..100).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number(),
        any::<String>().prop_map(Value::String),
        prop::sample::select(vec![
            "5",
            "true",
            "null",
            "[1]",
            "{\"a\":\"1\"}",
            "1.10",
            " ",
            "\"5\""
        ])
        .prop_map(Value::from),
    ]
}

/// Any JSON value.
pub fn json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(5, 48, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            object_of(inner).prop_map(Value::Object),
        ]
    })
}

/// Any JSON object.
pub fn object() -> impl Strategy<Value = Map<String, Value>> {
    object_of(json())
}

fn object_of(values: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((key(), values), 0..5).prop_map(Map::from_iter)
}
