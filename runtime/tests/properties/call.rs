//! Calls as models write them: right, nearly right, and anything at all.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{
    dice::Dice,
    json::json,
    schema::{InputSchema, disturbed},
};

/// Where in the call the arguments are.
#[derive(Debug, Clone)]
pub enum Shape {
    Plain,
    Text,
    TextInText,
    NestedInItself,
    WholeInside,
    WholeInsideAsText,
    Beside,
    AsKey,
    Renamed(&'static str),
    ArgumentsAre(Value),
    Anything(Value),
}

/// What is said about consent.
#[derive(Debug, Clone)]
pub struct Consent(pub Option<Value>);

/// What the arguments are made of.
#[derive(Debug, Clone)]
pub enum Origin {
    Fitting,
    Disturbed,
    Json(Map<String, Value>),
}

impl Origin {
    pub fn arguments(&self, schema: &InputSchema, dice: &mut Dice) -> Map<String, Value> {
        match self {
            Self::Fitting => schema.root.sample(dice),
            Self::Disturbed => match disturbed(Value::Object(schema.root.sample(dice)), dice) {
                Value::Object(map) => map,
                other => Map::from_iter([("a".to_owned(), other)]),
            },
            Self::Json(map) => map.clone(),
        }
    }
}

impl Shape {
    /// A call of `name`, which stands under `key`.
    pub fn call(
        &self,
        key: &str,
        name: &str,
        arguments: Map<String, Value>,
        consent: &Consent,
    ) -> Value {
        let text = || Value::Object(arguments.clone()).to_string();
        let mut call = match self {
            Self::Plain => json!({key: name, "arguments": arguments}),
            Self::Text => json!({key: name, "arguments": text()}),
            Self::TextInText => json!({key: name, "arguments": json!(text()).to_string()}),
            Self::NestedInItself => json!({key: name, "arguments": {"arguments": arguments}}),
            Self::WholeInside => json!({"arguments": {key: name, "arguments": arguments}}),
            Self::WholeInsideAsText => {
                json!({"arguments": json!({key: name, "arguments": arguments}).to_string()})
            }
            Self::Beside => {
                let mut call = arguments;
                call.insert(key.to_owned(), json!(name));
                Value::Object(call)
            }
            Self::AsKey => json!({key: name, "arguments": {text(): null}}),
            Self::Renamed(other) => json!({*other: name, "arguments": arguments}),
            Self::ArgumentsAre(value) => json!({key: name, "arguments": value}),
            Self::Anything(value) => return value.clone(),
        };
        if let Some(consent) = &consent.0 {
            call["confirm"] = consent.clone();
        }
        call
    }
}

pub fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        6 => Just(Shape::Plain),
        2 => Just(Shape::Text),
        1 => Just(Shape::TextInText),
        2 => Just(Shape::NestedInItself),
        2 => Just(Shape::WholeInside),
        1 => Just(Shape::WholeInsideAsText),
        1 => Just(Shape::Beside),
        1 => Just(Shape::AsKey),
        1 => prop::sample::select(vec!["toolname", "tool", "name", "Skill", "__proto__"]).prop_map(Shape::Renamed),
        1 => json().prop_map(Shape::ArgumentsAre),
        2 => json().prop_map(Shape::Anything),
    ]
}

pub fn consent() -> impl Strategy<Value = Consent> {
    let said = vec![
        json!(true),
        json!(false),
        json!(null),
        json!("true"),
        json!("yes"),
        json!(1),
    ];
    prop_oneof![
        3 => Just(Consent(None)),
        2 => prop::sample::select(said).prop_map(|said| Consent(Some(said))),
    ]
}

pub fn origin() -> impl Strategy<Value = Origin> {
    prop_oneof![
        4 => Just(Origin::Fitting),
        3 => Just(Origin::Disturbed),
        1 => crate::json::object().prop_map(Origin::Json),
    ]
}
