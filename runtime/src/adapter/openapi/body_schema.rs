//! The `body` argument: what a model is told to put there, and how it will be written.
//!
//! The body is one argument of its own, unless the document asks for more (`spread.rs`). Spread out among the parameters its fields could take their names, and a body
//! that is a list or a plain value has no fields at all.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::{
    description::{Body as Described, essence, is_json, is_text},
    document::Document,
    inputs::BODY,
    operation::{Body, BodyKind},
    schema::{Converter, cut, is_read_only},
};

const MAX_DESCRIPTION: usize = 500;
/// Compositions deeper than this hold no further fields.
const MAX_DEPTH: usize = 8;

/// The schema of the argument, and the plan for writing it.
pub(super) fn body_schema<'a>(
    document: &'a Document,
    body: &'a Described<'_>,
    converter: &mut Converter<'a>,
    paths_allowed: bool,
) -> (Value, Body) {
    let stated = body.schema.as_ref().map(|schema| schema.value());
    let essence = essence(&body.media_type);
    let kind = kind_of(&essence, stated, document);
    let fields = stated
        .map(|schema| Fields::of(document, schema))
        .unwrap_or_default();
    let mut plan = Body::of(body, kind, &fields);
    let mut schema = match kind {
        BodyKind::Json | BodyKind::Form => {
            stated.map_or_else(|| json!({}), |schema| converter.convert(schema))
        }
        BodyKind::Text => json!({"type": "string"}),
        BodyKind::Binary => file_schema(paths_allowed),
        BodyKind::Multipart => {
            let mut properties = Map::new();
            for (name, field) in &fields.all {
                if is_read_only(document, field) {
                    continue;
                }
                let (schema, is_file) =
                    field_schema(document, field, kind, converter, paths_allowed);
                if is_file {
                    plan.files.insert(name.clone());
                }
                properties.insert(name.clone(), schema);
            }
            let required: Vec<&String> = fields
                .required
                .iter()
                .filter(|name| properties.contains_key(*name))
                .collect();
            json!({"type": "object", "properties": properties, "required": required})
        }
    };
    if let Some(map) = schema.as_object_mut() {
        let text = match (kind, body.description) {
            (BodyKind::Text, None) => Some(format!("The request body, as {essence} text.")),
            (_, Some(text)) => Some(cut(text, MAX_DESCRIPTION)),
            _ if map.contains_key("description") => None,
            _ => Some("The request body.".into()),
        };
        if let Some(text) = text {
            let text = match kind {
                BodyKind::Binary => format!("{text} {FILE}"),
                _ => text,
            };
            map.insert("description".into(), json!(text));
        }
    }
    (schema, plan)
}

impl Body {
    /// The plan for a body of these fields, none of which is a file yet.
    pub(super) fn of(body: &Described<'_>, kind: BodyKind, fields: &Fields<'_>) -> Self {
        Self {
            name: BODY.into(),
            required: body.required,
            media_type: body.media_type.clone(),
            kind,
            fields: body.fields.clone(),
            files: HashSet::new(),
            properties: fields.all.keys().cloned().collect(),
            spread: false,
        }
    }
}

/// The schema of one field, and whether it is a file.
pub(super) fn field_schema<'a>(
    document: &'a Document,
    field: &'a Value,
    kind: BodyKind,
    converter: &mut Converter<'a>,
    paths_allowed: bool,
) -> (Value, bool) {
    let file = || file_schema(paths_allowed);
    match (kind, binary(document, field)) {
        (BodyKind::Multipart, Binary::One) => (file(), true),
        (BodyKind::Multipart, Binary::Several) => (json!({"type": "array", "items": file()}), true),
        _ => (converter.convert(field), false),
    }
}

const FILE: &str = "Give exactly one of its fields `base64`, `text` and `path`.";

fn file_schema(paths_allowed: bool) -> Value {
    let mut schema = json!({
        "type": "object",
        "description": FILE,
        "properties": {
            "base64": {"type": "string", "description": "The bytes, as base64."},
            "text": {"type": "string", "description": "The content, where it is text."},
            "filename": {"type": "string"},
            "contentType": {"type": "string"},
        },
    });
    if paths_allowed {
        schema["properties"]["path"] = json!({
            "type": "string",
            "description": "A file, relative to the plugin's folder of files.",
        });
    } else {
        schema["description"] = json!("Give exactly one of its fields `base64` and `text`.");
    }
    schema
}

/// How a body of this media type is written.
pub(super) fn kind_of(essence: &str, schema: Option<&Value>, document: &Document) -> BodyKind {
    match essence {
        "application/x-www-form-urlencoded" => BodyKind::Form,
        "multipart/form-data" => BodyKind::Multipart,
        essence if is_json(essence) => BodyKind::Json,
        essence if is_text(essence) => BodyKind::Text,
        // Any media type: JSON, unless bytes are wanted.
        "*/*" | "application/*" => match schema {
            Some(schema) if binary(document, schema) == Binary::No => BodyKind::Json,
            _ => BodyKind::Binary,
        },
        _ => BodyKind::Binary,
    }
}

/// Whether a field is a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binary {
    No,
    One,
    Several,
}

fn binary(document: &Document, schema: &Value) -> Binary {
    let is_binary = |schema: &Value| {
        let resolved = document.resolved(schema).unwrap_or(schema);
        let says =
            |key: &str, value: &str| resolved.get(key).and_then(Value::as_str) == Some(value);
        says("format", "binary")
            || says("type", "file")
            // 3.1 says it so; with a `contentEncoding` the string is what is sent.
            || (resolved.get("contentEncoding").is_none()
                && resolved
                    .get("contentMediaType")
                    .and_then(Value::as_str)
                    .is_some_and(|media_type| {
                        let essence = essence(media_type);
                        !is_text(&essence) && !is_json(&essence)
                    }))
    };
    if is_binary(schema) {
        return Binary::One;
    }
    let resolved = document.resolved(schema).unwrap_or(schema);
    match resolved.get("items") {
        Some(items) if is_binary(items) => Binary::Several,
        _ => Binary::No,
    }
}

/// The fields of an object schema, those of its compositions included.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    pub all: IndexMap<String, &'a Value>,
    pub required: Vec<String>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(document: &'a Document, schema: &'a Value) -> Self {
        let mut fields = Self::default();
        collect(document, schema, true, 0, &mut fields);
        fields
    }
}

fn collect<'a>(
    document: &'a Document,
    schema: &'a Value,
    surely: bool,
    depth: usize,
    fields: &mut Fields<'a>,
) {
    let Some(schema) = document.resolved(schema).filter(|_| depth < MAX_DEPTH) else {
        return;
    };
    for (name, field) in schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        fields.all.entry(name.clone()).or_insert(field);
    }
    if surely {
        let required = schema.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        fields.required.extend(names.map(str::to_owned));
    }
    for (keyword, surely) in [("allOf", surely), ("anyOf", false), ("oneOf", false)] {
        let branches = schema.get(keyword).and_then(Value::as_array);
        for branch in branches.into_iter().flatten() {
            collect(document, branch, surely, depth + 1, fields);
        }
    }
}
