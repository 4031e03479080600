//! A schema as a compact, TypeScript-like signature: what a model reads fastest.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::condition::rules;

/// Nested objects deeper than this are written as `object`.
const MAX_DEPTH: usize = 3;
/// References may go in circles; here the writing ends.
const MAX_NESTING: usize = 8;
/// Parts beyond this are not looked into: references that fan out would make millions of a small schema.
const MAX_PARTS: usize = 2_000;
/// A longer signature is cut; the schema says the rest.
const MAX_CHARS: usize = 800;
/// Enumerations longer than this are cut.
const MAX_CHOICES: usize = 8;

/// `{ owner: string, state?: "open" | "closed" }` for an object schema; `{}` when it takes nothing.
pub fn signature(schema: &Map<String, Value>) -> String {
    let writer = Writer {
        root: schema,
        parts: Cell::new(0),
    };
    let text = match schema.contains_key("properties") {
        // A union at the root has no fields of its own.
        false if schema.contains_key("anyOf") || schema.contains_key("oneOf") => {
            writer.kind(&Value::Object(schema.clone()), 0)
        }
        _ => writer.object(schema, 0),
    };
    let text = match rules(schema) {
        rules if rules.is_empty() => text,
        rules => format!("{text} ({})", rules.join("; ")),
    };
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Writes parts of a schema; local references are looked up in its root.
struct Writer<'a> {
    root: &'a Map<String, Value>,
    parts: Cell<usize>,
}

impl<'a> Writer<'a> {
    /// What `#/$defs/Name` points at. A reference to elsewhere is not followed.
    fn resolved(&self, target: &str) -> Option<&'a Value> {
        let mut steps = target.strip_prefix("#/")?.split('/');
        let first = steps.next()?;
        let mut found = self.root.get(first)?;
        for step in steps {
            found = found.get(step.replace("~1", "/").replace("~0", "~"))?;
        }
        Some(found)
    }

    fn object(&self, schema: &Map<String, Value>, depth: usize) -> String {
        let mut properties = Map::new();
        let mut required: Vec<&str> = Vec::new();
        self.collect(schema, &mut properties, &mut required, 0);
        let declared = schema.contains_key("properties") || !properties.is_empty();
        if !declared {
            return if depth == 0 && schema.get("additionalProperties").is_none() {
                "{}".into()
            } else {
                "object".into()
            };
        }
        if properties.is_empty() {
            return "{}".into();
        }
        let fields: Vec<String> = properties
            .iter()
            .map(|(name, schema)| {
                let optional = if required.contains(&name.as_str()) {
                    ""
                } else {
                    "?"
                };
                format!("{}{optional}: {}", key(name), self.kind(schema, depth + 1))
            })
            .collect();
        format!("{{ {} }}", fields.join(", "))
    }

    /// The fields of an object, those of its `allOf` included.
    fn collect<'s>(
        &self,
        schema: &'s Map<String, Value>,
        properties: &mut Map<String, Value>,
        required: &mut Vec<&'s str>,
        nesting: usize,
    ) where
        'a: 's,
    {
        self.parts.set(self.parts.get() + 1);
        if nesting > MAX_NESTING || self.parts.get() > MAX_PARTS {
            return;
        }
        for (name, field) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            properties.entry(name).or_insert_with(|| field.clone());
        }
        let names = schema.get("required").and_then(Value::as_array);
        required.extend(names.into_iter().flatten().filter_map(Value::as_str));
        for part in schema
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let target = part.get("$ref").and_then(Value::as_str);
            let part = target.map_or(Some(part), |target| self.resolved(target));
            if let Some(part) = part.and_then(Value::as_object) {
                self.collect(part, properties, required, nesting + 1);
            }
        }
    }

    fn kind(&self, schema: &Value, depth: usize) -> String {
        let Some(schema) = schema.as_object() else {
            return "any".into();
        };
        self.parts.set(self.parts.get() + 1);
        if depth > MAX_NESTING || self.parts.get() > MAX_PARTS {
            return "any".into();
        }
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            return match self.resolved(target) {
                Some(target) => self.kind(target, depth + 1),
                None => "any".into(),
            };
        }
        if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
            let mut texts: Vec<String> = Vec::new();
            for choice in choices.iter().take(2 * MAX_CHOICES) {
                let text = choice.to_string();
                if !texts.contains(&text) && texts.len() < MAX_CHOICES {
                    texts.push(text);
                }
            }
            if choices.len() > MAX_CHOICES {
                texts.push("…".into());
            }
            return texts.join(" | ");
        }
        if let Some(constant) = schema.get("const") {
            return constant.to_string();
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
                let mut kinds: Vec<String> = branches
                    .iter()
                    .map(|branch| self.kind(branch, depth + 1))
                    .collect();
                kinds.dedup();
                return kinds.join(" | ");
            }
        }
        match schema.get("type") {
            Some(Value::String(name)) => self.named(name, schema, depth),
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .map(|name| self.named(name, schema, depth))
                .collect::<Vec<_>>()
                .join(" | "),
            _ if schema.contains_key("properties") || schema.contains_key("allOf") => {
                self.named("object", schema, depth)
            }
            _ => "any".into(),
        }
    }

    fn named(&self, name: &str, schema: &Map<String, Value>, depth: usize) -> String {
        match name {
            "object" if depth >= MAX_DEPTH => "object".into(),
            "object" => self.object(schema, depth),
            "array" => {
                let item = schema
                    .get("items")
                    .map_or_else(|| "any".into(), |items| self.kind(items, depth + 1));
                if item.contains(" | ") {
                    format!("({item})[]")
                } else {
                    format!("{item}[]")
                }
            }
            other => other.to_owned(),
        }
    }
}

fn key(name: &str) -> String {
    let plain = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(schema: Value) -> String {
        signature(schema.as_object().unwrap())
    }

    #[test]
    fn parts_and_conditional_rules_are_shown() {
        assert_eq!(
            of(
                json!({"properties": {"mode": {"enum": ["s", "l", "s"]}, "n": {"type": "integer"}}, "required": ["n"],
                "allOf": [
                    {"if": {"properties": {"mode": {"const": "s"}}}, "then": {"properties": {"n": {"maximum": 10}}, "required": ["mode"]}},
                    {"$ref": "#/$defs/page"}],
                "$defs": {"page": {"properties": {"page": {"type": "integer"}}, "required": ["page"]}}})
            ),
            r#"{ mode?: "s" | "l", n: integer, page: integer } (when mode is "s": {"n":{"maximum":10}}, requires ["mode"])"#
        );
    }

    #[test]
    fn signatures_are_compact() {
        assert_eq!(of(json!({"type":"object"})), "{}");
        assert_eq!(
            of(json!({"type":"object","required":["owner"],"properties":{
                "owner":{"type":"string"},
                "state":{"enum":["open","closed"]},
                "labels":{"type":"array","items":{"type":"string"}},
                "page[size]":{"type":["integer","null"]},
                "filter":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{}}}}}}},
                "any":{}}})),
            r#"{ owner: string, state?: "open" | "closed", labels?: string[], "page[size]"?: integer | null, filter?: { a?: { b?: object } }, any?: any }"#
        );
    }

    #[test]
    fn references_are_looked_up_and_circles_end() {
        assert_eq!(
            of(
                json!({"$defs": {"Q": {"type": "object", "properties": {"query": {"type": "string"}}}},
                "required": ["q"], "properties": {"q": {"$ref": "#/$defs/Q"}}})
            ),
            "{ q: { query?: string } }"
        );
        let circle = of(json!({"$defs": {"N": {"type": "object", "properties": {
            "v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/N"}}}}},
            "properties": {"root": {"$ref": "#/$defs/N"}}}));
        assert!(
            circle.starts_with("{ root?: { v?: integer, kids?: "),
            "{circle}"
        );
        assert!(circle.len() < 200, "{circle}");
        assert_eq!(
            of(json!({"properties": {"x": {"$ref": "http://127.0.0.1:9/x"}}})),
            "{ x?: any }"
        );
    }

    #[test]
    fn a_schema_that_fans_out_ends() {
        let all = vec![json!({"$ref": "#/$defs/N"}); 300];
        let shown = of(
            json!({"$defs": {"N": {"anyOf": all}}, "properties": {"x": {"$ref": "#/$defs/N"}, "y": {}}}),
        );
        assert_eq!(shown, "{ x?: any, y?: any }");
    }

    #[test]
    fn both_branches_of_a_union_are_shown() {
        let branch = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]});
        assert_eq!(
            of(json!({"anyOf": [branch("url"), branch("text")]})),
            "{ url: string } | { text: string }"
        );
    }
}
