//! Results as services send them.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::json::{json, object};

/// A text, told by how it is made: long ones would fill the screen.
#[derive(Debug, Clone)]
pub struct Text {
    before: String,
    unit: &'static str,
    times: usize,
    after: String,
}

impl Text {
    pub fn text(&self) -> String {
        format!(
            "{}{}{}",
            self.before,
            self.unit.repeat(self.times),
            self.after
        )
    }
}

const UNITS: &[&str] = &[
    "x",
    "\n",
    "é",
    "🦀",
    "\"",
    "\\",
    "\u{1}",
    "\r\n",
    "\u{2028}",
    "a line of words\n",
    "\n\n",
    "e\u{301}",
    "{\"a\":[1,2]},\n",
    // Nine characters that look like encoded data.
    "iVBORw0KG",
    "QUJD0x1y=\n",
];

/// About the limits: 2,048 characters of base64, 2,000 lines, 40 KiB and 50 KiB, and several pages.
const SIZES: &[usize] = &[
    0,
    1,
    30,
    2_048,
    4_000,
    40 * 1024,
    50 * 1024,
    50 * 1200,
    160 * 1024,
];
const LINES: &[usize] = &[400, 1_200, 1_600, 2_000, 4_000];

fn long_text() -> impl Strategy<Value = Text> {
    let times = prop_oneof![
        3 => (prop::sample::select(SIZES), prop::sample::select(UNITS))
            .prop_map(|(bytes, unit)| (bytes / unit.len(), unit)),
        1 => (prop::sample::select(LINES), prop::sample::select(vec!["\n", "a line of words\n", "x\r\n"])),
    ];
    (times, -3_isize..4, short_text(), short_text()).prop_map(
        |((times, unit), more, before, after)| Text {
            before,
            unit,
            times: times.saturating_add_signed(more),
            after,
        },
    )
}

fn short_text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        any::<String>(),
        Just("\n".into()),
        Just(" ".into())
    ]
}

/// JSON as text, some of which cannot be read without losing something.
fn json_text() -> impl Strategy<Value = String> {
    let odd = vec![
        "1.10",
        "1e5",
        "12345678901234567890123",
        "{\"a\":1,\"a\":2}",
        "{\"id\":123456789012345678901234567890}",
        "[1.0, -0, 1E400]",
        "{\"raw\":5}",
        "{\"raw\":\"text\"}",
        "{\"parts\":[]}",
        "\"text\"",
        "null",
        " [ 1 , {\"a\" : \"\\u00e9\\/\"} ] ",
        "{\"__proto__\":{}}",
        "[1,]",
        "\u{feff}{}",
        "",
    ];
    prop_oneof![
        2 => json().prop_map(|value| value.to_string()),
        1 => json().prop_map(|value| serde_json::to_string_pretty(&value).unwrap()),
        2 => prop::sample::select(odd).prop_map(str::to_owned),
    ]
}

/// One content part.
#[derive(Debug, Clone)]
pub enum Part {
    Short(String),
    Long(Text),
    Image(usize),
    Audio,
    Link(String),
    Resource(Text),
    /// A type that nobody knows, with any fields.
    Unknown(&'static str, Map<String, Value>),
    /// Not even an object.
    Bare(Value),
}

impl Part {
    pub fn json(&self) -> Value {
        match self {
            Self::Short(text) => json!({"type": "text", "text": text}),
            Self::Long(text) => json!({"type": "text", "text": text.text()}),
            Self::Image(size) => {
                json!({"type": "image", "data": "iVBORw0KGgo1".repeat(*size), "mimeType": "image/png"})
            }
            Self::Audio => {
                json!({"type": "audio", "data": "AA==", "mimeType": "audio/wav", "annotations": {"priority": 0.5}})
            }
            Self::Link(name) => {
                json!({"type": "resource_link", "uri": "x://y", "name": name, "later": {"a": 1}})
            }
            Self::Resource(text) => {
                json!({"type": "resource", "resource": {"uri": "x://y", "text": text.text()}})
            }
            Self::Unknown(kind, fields) => {
                let mut part = fields.clone();
                part.insert("type".into(), json!(kind));
                Value::Object(part)
            }
            Self::Bare(value) => value.clone(),
        }
    }

    /// Its text, of a text part.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Short(text) => Some(text.clone()),
            Self::Long(text) => Some(text.text()),
            _ => None,
        }
    }

    /// Whether clients know what to do with it.
    pub fn is_known(&self) -> bool {
        matches!(
            self,
            Self::Image(_) | Self::Audio | Self::Link(_) | Self::Resource(_)
        )
    }
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        3 => any::<String>().prop_map(Part::Short),
        3 => json_text().prop_map(Part::Short),
        4 => long_text().prop_map(Part::Long),
        1 => (0_usize..400).prop_map(Part::Image),
        1 => Just(Part::Audio),
        1 => any::<String>().prop_map(Part::Link),
        1 => long_text().prop_map(Part::Resource),
        1 => (prop::sample::select(vec!["hologram", "text", "", "image/png"]), object())
            .prop_map(|(kind, mut fields)| {
                fields.shift_remove("text");
                Part::Unknown(kind, fields)
            }),
        1 => json().prop_filter("no object", |value| !value.is_object()).prop_map(Part::Bare),
    ]
}

/// Structured content: any JSON, and some that is long.
#[derive(Debug, Clone)]
pub enum Structured {
    Json(Value),
    Rows(usize),
    Holding(Text),
}

impl Structured {
    pub fn json(&self) -> Value {
        match self {
            Self::Json(value) => value.clone(),
            Self::Rows(rows) => (0..*rows)
                .map(|row| json!({"row": row, "name": format!("row {row}")}))
                .collect(),
            Self::Holding(text) => json!({"rows": [{"text": text.text()}], "n": 1}),
        }
    }
}

/// A result.
#[derive(Debug, Clone)]
pub struct Upstream {
    pub parts: Vec<Part>,
    pub structured: Option<Structured>,
    /// A text part that repeats the structured content, as MCP wants it.
    pub repeats: bool,
    pub is_error: Option<bool>,
    pub meta: Option<Value>,
}

impl Upstream {
    /// Every part, with the one that repeats the structured content.
    pub fn all_parts(&self) -> Vec<Part> {
        let repeated = self.structured.as_ref().filter(|_| self.repeats);
        let repeated = repeated.map(|structured| Part::Short(structured.json().to_string()));
        self.parts.iter().cloned().chain(repeated).collect()
    }

    pub fn json(&self) -> Value {
        let content: Vec<Value> = self.all_parts().iter().map(Part::json).collect();
        let mut result = json!({ "content": content });
        if let Some(structured) = &self.structured {
            result["structuredContent"] = structured.json();
        }
        if let Some(is_error) = self.is_error {
            result["isError"] = json!(is_error);
        }
        if let Some(meta) = &self.meta {
            result["_meta"] = meta.clone();
        }
        result
    }
}

/// Any structured content, or what a skill returns.
pub fn structured() -> impl Strategy<Value = Structured> {
    prop_oneof![
        3 => json().prop_map(Structured::Json),
        1 => (0_usize..3_000).prop_map(Structured::Rows),
        1 => long_text().prop_map(Structured::Holding),
    ]
}

/// Any result.
pub fn upstream() -> impl Strategy<Value = Upstream> {
    let meta = prop_oneof![3 => object().prop_map(Value::Object), 1 => json()];
    (
        prop::collection::vec(part(), 0..4),
        prop::option::of(structured()),
        any::<bool>(),
        prop::option::of(any::<bool>()),
        prop::option::of(meta),
    )
        .prop_map(|(parts, structured, repeats, is_error, meta)| Upstream {
            parts,
            structured,
            repeats,
            is_error,
            meta,
        })
}
