//! Schemas of a document as schemas for a model: self-contained, in one dialect, without what only documents need.
//!
//! References are written out, because a model reads what stands there. What refers to itself, and what would become too
//! large, goes to `$defs` instead.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::document::{Document, Version};

/// Schemas that are written out before references go to `$defs`.
const INLINE_BUDGET: usize = 1_500;
/// Schemas of one tool in all; what is beyond is `any`.
const TOTAL_BUDGET: usize = 20_000;
/// Deeper references go to `$defs`.
const INLINE_DEPTH: usize = 24;
/// Deeper schemas are `any`.
const MAX_DEPTH: usize = 60;
/// Longer descriptions inside a body are cut.
const MAX_DESCRIPTION: usize = 300;

const TYPES: &[&str] = &[
    "string", "number", "integer", "boolean", "array", "object", "null",
];
/// Keywords that say nothing to a caller.
const LEFT_OUT: &[&str] = &[
    "example",
    "examples",
    "xml",
    "externalDocs",
    "discriminator",
    "readOnly",
    "writeOnly",
    "nullable",
    "collectionFormat",
    "$schema",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$comment",
    "$defs",
    "definitions",
];

/// Converts the schemas of one tool.
pub(super) struct Converter<'a> {
    document: &'a Document,
    defs: Map<String, Value>,
    names: HashMap<String, String>,
    pending: Vec<(String, String, &'a Value)>,
    written: usize,
    open: Vec<String>,
    depth: usize,
}

/// A converted schema, and the properties that were left out of it because a caller cannot set them.
struct Converted {
    schema: Value,
    left_out: HashSet<String>,
}

impl From<Value> for Converted {
    fn from(schema: Value) -> Self {
        Self {
            schema,
            left_out: HashSet::new(),
        }
    }
}

impl<'a> Converter<'a> {
    pub(super) fn new(document: &'a Document) -> Self {
        Self {
            document,
            defs: Map::new(),
            names: HashMap::new(),
            pending: Vec::new(),
            written: 0,
            open: Vec::new(),
            depth: 0,
        }
    }

    /// A schema as part of a tool's input.
    pub(super) fn convert(&mut self, schema: &'a Value) -> Value {
        self.schema(schema).schema
    }

    /// The `$defs` that the converted schemas refer to.
    pub(super) fn finish(mut self) -> Map<String, Value> {
        while let Some((name, target, found)) = self.pending.pop() {
            self.open.push(target);
            let schema = self.convert(found);
            self.open.pop();
            self.defs.insert(name, schema);
        }
        self.defs
    }

    fn schema(&mut self, schema: &'a Value) -> Converted {
        let Some(map) = schema.as_object() else {
            // `true` and `false` are schemas; anything else is a mistake that says nothing.
            let kept = matches!(schema, Value::Bool(_));
            return if kept { schema.clone() } else { json!({}) }.into();
        };
        if self.depth >= MAX_DEPTH || self.written >= TOTAL_BUDGET {
            return json!({}).into();
        }
        self.written += 1;
        self.depth += 1;
        let converted = match map.get("$ref").and_then(Value::as_str) {
            Some(target) => self.reference(target, map),
            None => self.keywords(map),
        };
        self.depth -= 1;
        converted
    }

    fn reference(&mut self, target: &'a str, siblings: &'a Map<String, Value>) -> Converted {
        let Some(found) = self.document.at(target) else {
            tracing::debug!(
                target,
                "a reference leads out of the document; any value is accepted there"
            );
            return json!({}).into();
        };
        let mut converted = if self.names.contains_key(target)
            || self.open.iter().any(|open| open == target)
            || self.written > INLINE_BUDGET
            || self.depth > INLINE_DEPTH
        {
            json!({ "$ref": format!("#/$defs/{}", self.name_of(target, found)) }).into()
        } else {
            self.open.push(target.to_owned());
            let converted = self.schema(found);
            self.open.pop();
            converted
        };
        let Some(map) = converted.schema.as_object_mut() else {
            return converted;
        };
        for (key, value) in siblings {
            match key.as_str() {
                "description" => {
                    map.insert(key.clone(), shortened(value));
                }
                "default" | "deprecated" | "title" => {
                    map.insert(key.clone(), value.clone());
                }
                _ => {}
            }
        }
        if siblings.get("nullable") == Some(&Value::Bool(true)) {
            converted.schema = or_null(std::mem::take(map));
        }
        converted
    }

    /// The name in `$defs` of what a reference points at.
    fn name_of(&mut self, target: &str, found: &'a Value) -> String {
        if let Some(name) = self.names.get(target) {
            return name.clone();
        }
        let last = target.rsplit('/').next().unwrap_or(target);
        let plain: String = last
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '_' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let mut name = plain.clone();
        let mut attempt = 1;
        while self.names.values().any(|taken| *taken == name) {
            attempt += 1;
            name = format!("{plain}_{attempt}");
        }
        self.names.insert(target.to_owned(), name.clone());
        self.pending.push((name.clone(), target.to_owned(), found));
        name
    }

    fn keywords(&mut self, map: &'a Map<String, Value>) -> Converted {
        let mut out = Map::new();
        let mut left_out = HashSet::new();
        for (key, value) in map {
            match key.as_str() {
                key if LEFT_OUT.contains(&key) || key.starts_with("x-") => {}
                "type" => {
                    if let Some(kind) = known_type(value) {
                        out.insert("type".into(), kind);
                    }
                }
                "description" => {
                    out.insert(key.clone(), shortened(value));
                }
                "properties" => {
                    let properties = self.properties(value, &mut left_out);
                    out.insert(key.clone(), properties);
                }
                "patternProperties" | "dependentSchemas" => {
                    if let Some(map) = value.as_object() {
                        let map: Map<String, Value> = map
                            .iter()
                            .map(|(name, schema)| (name.clone(), self.convert(schema)))
                            .collect();
                        out.insert(key.clone(), Value::Object(map));
                    }
                }
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
                    if let Some(branches) = value.as_array().filter(|branches| !branches.is_empty())
                    {
                        let converted: Vec<Value> = branches
                            .iter()
                            .map(|branch| {
                                let branch = self.schema(branch);
                                left_out.extend(branch.left_out);
                                branch.schema
                            })
                            .collect();
                        out.insert(key.clone(), Value::Array(converted));
                    }
                }
                "items"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "unevaluatedProperties"
                | "unevaluatedItems" => {
                    // An old tuple form is an array; what it says about positions is no loss.
                    if value.is_object() || value.is_boolean() {
                        let schema = self.convert(value);
                        out.insert(key.clone(), schema);
                    }
                }
                "required" | "enum" => {
                    if value.is_array() {
                        out.insert(key.clone(), value.clone());
                    }
                }
                _ => {
                    out.insert(key.clone(), value.clone());
                }
            }
        }
        exclusive_bounds(&mut out);
        if !left_out.is_empty() {
            not_required(&mut out, &left_out);
        }
        if self.document.version != Version::V3_1 && map.get("nullable") == Some(&Value::Bool(true))
        {
            return Converted {
                schema: or_null(out),
                left_out,
            };
        }
        Converted {
            schema: Value::Object(out),
            left_out,
        }
    }

    fn properties(&mut self, properties: &'a Value, left_out: &mut HashSet<String>) -> Value {
        let mut out = Map::new();
        for (name, schema) in properties.as_object().into_iter().flatten() {
            if is_read_only(self.document, schema) {
                left_out.insert(name.clone());
                continue;
            }
            let schema = self.convert(schema);
            out.insert(name.clone(), schema);
        }
        Value::Object(out)
    }
}

/// Whether only the service sets this property.
pub(super) fn is_read_only(document: &Document, schema: &Value) -> bool {
    let says = |schema: &Value| schema.get("readOnly") == Some(&Value::Bool(true));
    says(schema) || document.resolved(schema).is_some_and(says)
}

fn known_type(kind: &Value) -> Option<Value> {
    match kind {
        Value::String(name) if name == "file" => Some(json!("string")),
        Value::String(name) => TYPES.contains(&name.as_str()).then(|| kind.clone()),
        Value::Array(names) => {
            let known: Vec<&Value> = names
                .iter()
                .filter(|name| name.as_str().is_some_and(|name| TYPES.contains(&name)))
                .collect();
            (!known.is_empty()).then(|| json!(known))
        }
        _ => None,
    }
}

/// Before 3.1 `exclusiveMinimum: true` says that `minimum` itself is excluded.
fn exclusive_bounds(map: &mut Map<String, Value>) {
    for (exclusive, bound) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        match map.get(exclusive) {
            Some(Value::Bool(true)) => {
                map.remove(exclusive);
                if let Some(limit) = map.remove(bound) {
                    map.insert(exclusive.into(), limit);
                }
            }
            Some(Value::Bool(false)) => {
                map.remove(exclusive);
            }
            _ => {}
        }
    }
}

/// What was left out cannot be required, in any branch either.
fn not_required(map: &mut Map<String, Value>, left_out: &HashSet<String>) {
    if let Some(Value::Array(required)) = map.get_mut("required") {
        required.retain(|name| !name.as_str().is_some_and(|name| left_out.contains(name)));
        if required.is_empty() {
            map.remove("required");
        }
    }
    if let Some(Value::Array(branches)) = map.get_mut("allOf") {
        for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
            not_required(branch, left_out);
        }
    }
}

fn or_null(mut schema: Map<String, Value>) -> Value {
    let simple = matches!(schema.get("type"), Some(Value::String(_)))
        && !["allOf", "anyOf", "oneOf", "$ref"]
            .iter()
            .any(|key| schema.contains_key(*key));
    if !simple {
        let mut out = Map::new();
        if let Some(description) = schema.remove("description") {
            out.insert("description".into(), description);
        }
        if schema.is_empty() {
            return Value::Object(out);
        }
        out.insert("anyOf".into(), json!([schema, {"type": "null"}]));
        return Value::Object(out);
    }
    if let Some(Value::String(kind)) = schema.get("type") {
        let kinds = json!([kind, "null"]);
        schema.insert("type".into(), kinds);
    }
    if let Some(Value::Array(choices)) = schema.get_mut("enum")
        && !choices.contains(&Value::Null)
    {
        choices.push(Value::Null);
    }
    Value::Object(schema)
}

fn shortened(text: &Value) -> Value {
    match text.as_str() {
        Some(text) => Value::from(cut(text, MAX_DESCRIPTION)),
        None => Value::from(""),
    }
}

/// The beginning of a text, at a character's border.
pub(super) fn cut(text: &str, limit: usize) -> String {
    let text = text.trim();
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
