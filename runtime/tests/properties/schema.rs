//! Input schemas of many kinds, and values that fit them or nearly do.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{
    dice::Dice,
    json::{key, number},
};

/// What a field may hold.
#[derive(Debug, Clone)]
pub enum Kind {
    Anything,
    Boolean,
    Integer,
    Page,
    Number,
    Text,
    ShortText,
    Choice(Vec<Value>),
    Constant(Value),
    OrNull(Box<Kind>),
    /// The same as OpenAPI 3.0 spells it.
    Nullable(Box<Kind>),
    List(Box<Kind>),
    Record(Record),
    Union(Vec<Kind>),
    /// A reference to a definition that refers to itself.
    Tree,
    /// A reference to a definition that some other schema holds.
    Label,
}

#[derive(Debug, Clone)]
pub struct Record {
    pub fields: Vec<Field>,
    pub closed: bool,
}

#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub kind: Kind,
    pub required: bool,
}

/// A tool's input schema.
#[derive(Debug, Clone)]
pub struct InputSchema {
    pub root: Record,
    /// Where the first field is `"x"`, the second one is required.
    pub conditional: bool,
}

/// How a schema is written: as its author does, or in words that every validator knows.
#[derive(Clone, Copy, PartialEq)]
enum Spelling {
    Declared,
    Plain,
}

impl InputSchema {
    /// As the service declares it.
    pub fn declared(&self) -> Value {
        self.written(Spelling::Declared)
    }

    /// What it means, in plain JSON Schema.
    pub fn meaning(&self) -> Value {
        self.written(Spelling::Plain)
    }

    fn written(&self, spelling: Spelling) -> Value {
        let mut schema = self.root.written(spelling);
        schema["$defs"] = json!({
            "Tree": {"type": "object", "required": ["v"], "properties": {
                "v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}},
            "Label": {"type": "string", "maxLength": 5},
        });
        if let [first, second, ..] = self.root.fields.as_slice()
            && self.conditional
        {
            schema["if"] =
                json!({"required": [first.name], "properties": {&first.name: {"const": "x"}}});
            schema["then"] = json!({"required": [second.name]});
        }
        schema
    }

    pub fn declares(&self, name: &str) -> bool {
        self.root.fields.iter().any(|field| field.name == name)
    }
}

impl Record {
    fn written(&self, spelling: Spelling) -> Value {
        let fields = self.fields.iter();
        let properties: Map<String, Value> = fields
            .map(|field| (field.name.clone(), field.kind.written(spelling)))
            .collect();
        let required: Vec<&str> = self
            .fields
            .iter()
            .filter(|field| field.required)
            .map(|field| field.name.as_str())
            .collect();
        let mut schema = json!({"type": "object", "properties": properties, "required": required});
        if self.closed {
            schema["additionalProperties"] = json!(false);
        }
        schema
    }

    /// An object that fits, as far as a field by itself can tell.
    pub fn sample(&self, dice: &mut Dice) -> Map<String, Value> {
        let mut object = Map::new();
        for field in &self.fields {
            if field.required || !dice.once_in(3) {
                object.insert(field.name.clone(), field.kind.sample(dice));
            }
        }
        object
    }
}

impl Kind {
    fn written(&self, spelling: Spelling) -> Value {
        match self {
            Self::Anything => json!(true),
            Self::Boolean => json!({"type": "boolean"}),
            Self::Integer => json!({"type": "integer"}),
            Self::Page => json!({"type": "integer", "minimum": 1, "maximum": 100}),
            Self::Number => json!({"type": "number"}),
            Self::Text => json!({"type": "string"}),
            Self::ShortText => json!({"type": "string", "minLength": 1, "maxLength": 3}),
            Self::Choice(choices) => json!({"enum": choices}),
            Self::Constant(value) => json!({"const": value}),
            Self::OrNull(kind) => json!({"anyOf": [kind.written(spelling), {"type": "null"}]}),
            Self::Nullable(kind) => {
                let mut schema = kind.written(spelling);
                match spelling {
                    Spelling::Declared => schema["nullable"] = json!(true),
                    Spelling::Plain => schema["type"] = json!([schema["type"], "null"]),
                }
                schema
            }
            Self::List(kind) => {
                json!({"type": "array", "maxItems": 4, "items": kind.written(spelling)})
            }
            Self::Record(record) => record.written(spelling),
            Self::Union(kinds) => {
                json!({"anyOf": kinds.iter().map(|kind| kind.written(spelling)).collect::<Vec<_>>()})
            }
            Self::Tree => json!({"$ref": "#/$defs/Tree"}),
            Self::Label => json!({"$ref": "#/$defs/Label"}),
        }
    }

    fn sample(&self, dice: &mut Dice) -> Value {
        match self {
            Self::Anything => dice.any(),
            Self::Boolean => json!(dice.roll(2) == 1),
            Self::Integer => dice
                .pick(&[json!(0), json!(-7), json!(u64::MAX), json!(3.0)])
                .clone(),
            Self::Page => json!(1 + dice.roll(100)),
            Self::Number => dice
                .pick(&[json!(0), json!(0.5), json!(-1e300), json!(1e-7)])
                .clone(),
            Self::Text => {
                let texts = ["x", "", "5", "true", "null", "{\"a\":1}", "é\n🦀\u{0}\"\\"];
                json!(dice.pick(&texts))
            }
            Self::ShortText | Self::Label => json!(dice.pick(&["x", "5", "é🦀"])),
            Self::Choice(choices) => dice.pick(choices).clone(),
            Self::Constant(value) => value.clone(),
            Self::OrNull(kind) | Self::Nullable(kind) => match dice.once_in(3) {
                true => Value::Null,
                false => kind.sample(dice),
            },
            Self::List(kind) => (0..dice.roll(4)).map(|_| kind.sample(dice)).collect(),
            Self::Record(record) => Value::Object(record.sample(dice)),
            Self::Union(kinds) => dice.pick(kinds).sample(dice),
            Self::Tree => (0..dice.roll(4)).fold(
                json!({"v": 1}),
                |tree, v| json!({"v": v, "kids": [tree, {"v": 0}]}),
            ),
        }
    }
}

/// Changes a value in one place, as a model does that has understood the schema in part.
pub fn disturbed(value: Value, dice: &mut Dice) -> Value {
    match value {
        Value::Object(mut map) if !map.is_empty() && !dice.once_in(3) => {
            let key = map.keys().nth(dice.roll(map.len())).unwrap().clone();
            let value = map.shift_remove(&key).unwrap();
            match dice.roll(6) {
                0 => map.insert(key, disturbed(value, dice)),
                1 => map.insert(key.to_uppercase(), value),
                2 => map.insert(format!("{key}_"), value),
                3 => map.insert("__proto__".into(), value),
                4 => map.insert(key, json!([value])),
                _ => None,
            };
            Value::Object(map)
        }
        Value::Array(mut items) if !items.is_empty() && !dice.once_in(3) => {
            let at = dice.roll(items.len());
            items[at] = disturbed(items[at].take(), dice);
            Value::Array(items)
        }
        value => match dice.roll(4) {
            0 => json!(value.to_string()),
            1 => json!(format!(" {value}")),
            _ => dice.any(),
        },
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    let plain = prop_oneof![
        Just(Kind::Text),
        Just(Kind::Integer),
        Just(Kind::Boolean),
        Just(Kind::Number),
        Just(Kind::ShortText),
        Just(Kind::Page),
        Just(Kind::Anything),
        Just(Kind::Tree),
        Just(Kind::Label),
        prop::collection::vec(choice(), 1..4).prop_map(Kind::Choice),
        choice().prop_map(Kind::Constant),
        prop::sample::select(vec![Kind::Text, Kind::Integer, Kind::Boolean, Kind::Page])
            .prop_map(|kind| Kind::Nullable(Box::new(kind))),
    ];
    plain.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|kind| Kind::List(Box::new(kind))),
            inner.clone().prop_map(|kind| Kind::OrNull(Box::new(kind))),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Kind::Union),
            record_of(inner).prop_map(Kind::Record),
        ]
    })
}

fn choice() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::sample::select(vec![
            json!("x"),
            json!("open"),
            json!(5),
            json!("5"),
            json!(true),
            json!(null)
        ]),
        number(),
    ]
}

fn record_of(kinds: impl Strategy<Value = Kind>) -> impl Strategy<Value = Record> {
    let field = (key(), kinds, any::<bool>());
    let fields = prop::collection::vec(field, 0..4);
    (fields, any::<bool>()).prop_map(|(fields, closed)| {
        let mut known = Vec::<Field>::new();
        for (name, kind, required) in fields {
            if known.iter().all(|field| field.name != name) {
                known.push(Field {
                    name,
                    kind,
                    required,
                });
            }
        }
        Record {
            fields: known,
            closed,
        }
    })
}

/// Any input schema.
pub fn input_schema() -> impl Strategy<Value = InputSchema> {
    (record_of(kind()), any::<bool>())
        .prop_map(|(root, conditional)| InputSchema { root, conditional })
}
