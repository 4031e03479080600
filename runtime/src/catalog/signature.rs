//! A schema as a compact, TypeScript-like signature: what a model reads fastest.

use std::cell::Cell;

use serde_json::{Map, Value, json};

use super::{condition::rules, hidden::is_hidden};

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

/// What a tool or skill takes, field by field.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Signature {
    /// The fields, those that are required first.
    pub fields: Vec<Field>,
    /// Rules that hold under a condition, and what a union of whole objects looks like.
    pub rules: Vec<String>,
}

/// One field of an argument object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    /// Its name, as it is sent.
    pub name: String,
    /// Its type, as TypeScript would have it.
    pub kind: String,
    /// Whether it must be there.
    pub required: bool,
    /// The one value that it can have.
    fixed: Option<Value>,
}

impl Field {
    /// `name?: kind`
    pub(crate) fn text(&self) -> String {
        let name = key(&self.name);
        match self.required {
            true => format!("{name}: {}", self.kind),
            // What may be left out need not be null.
            false => format!("{name}?: {}", self.kind.replace(" | null", "")),
        }
    }

    /// Whether its type does not fit in a placeholder of so many characters.
    pub(crate) fn is_cut(&self, max: usize) -> bool {
        self.fixed.is_none() && self.placeholder(max) != self.placeholder(usize::MAX)
    }

    /// What stands for its value in a call that is to be copied: `<kind>`, in `max` characters at most.
    pub(crate) fn placeholder(&self, max: usize) -> Value {
        if let Some(fixed) = &self.fixed {
            return fixed.clone();
        }
        if self.kind == "any" {
            return json!("<value>");
        }
        let kind: String = self.kind.chars().filter(|c| *c != '"').collect();
        let kind = kind.replace(" | ", "|");
        match kind.char_indices().nth(max) {
            Some((end, _)) => {
                // A choice is named whole or not at all.
                let whole = kind[..end].rfind('|').filter(|_| !kind.contains('{'));
                let whole = whole.unwrap_or(end);
                json!(format!("<{}…>", &kind[..whole]))
            }
            None => json!(format!("<{kind}>")),
        }
    }
}

impl Signature {
    pub(crate) fn of(schema: &Map<String, Value>) -> Self {
        let writer = Writer {
            root: schema,
            parts: Cell::new(0),
        };
        let mut rules = rules(schema);
        let mut fields = writer.fields(schema, 0);
        if !schema.contains_key("properties")
            && let Some(first) = writer.first_branch(schema)
        {
            // A union of whole objects: a call has the fields of one of them.
            let union = writer.kind(&Value::Object(schema.clone()), 0);
            rules.insert(0, union);
            fields = writer.fields(first, 0);
            fields.retain(|field| field.required);
        }
        fields.sort_by_key(|field| !field.required);
        Self { fields, rules }
    }

    /// The fields that must be there, each with what stands for its value.
    pub(crate) fn placeholders(&self, max: usize) -> Value {
        let required = self.fields.iter().filter(|field| field.required);
        let pairs = required.map(|field| (field.name.clone(), field.placeholder(max)));
        Value::Object(pairs.collect())
    }
}

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
        let mut fields = self.fields(schema, depth);
        if fields.is_empty() {
            let declared = schema.contains_key("properties");
            let takes_nothing = depth == 0 && schema.get("additionalProperties").is_none();
            return if declared || takes_nothing {
                "{}"
            } else {
                "object"
            }
            .into();
        }
        fields.sort_by_key(|field| !field.required);
        let fields: Vec<String> = fields.iter().map(Field::text).collect();
        format!("{{ {} }}", fields.join(", "))
    }

    /// The fields of an object in the order of its schema; what is required and not declared comes last.
    fn fields(&self, schema: &Map<String, Value>, depth: usize) -> Vec<Field> {
        let mut properties = Map::new();
        let mut required: Vec<&str> = Vec::new();
        self.collect(schema, &mut properties, &mut required, 0);
        if depth == 0 {
            for name in &required {
                properties.entry(*name).or_insert(Value::Bool(true));
            }
        }
        let field = |(name, schema): (&String, &Value)| Field {
            name: name.clone(),
            kind: self
                .kind(schema, depth + 1)
                .chars()
                .filter(|c| !is_hidden(*c))
                .collect(),
            required: required.contains(&name.as_str()),
            fixed: only_value(schema),
        };
        properties.iter().map(field).collect()
    }

    /// The first of the objects of a union.
    fn first_branch<'s>(&self, schema: &'s Map<String, Value>) -> Option<&'s Map<String, Value>>
    where
        'a: 's,
    {
        let branches = schema.get("anyOf").or_else(|| schema.get("oneOf"))?;
        let first = branches.get(0)?;
        let target = first.get("$ref").and_then(Value::as_str);
        target
            .map_or(Some(first), |target| self.resolved(target))?
            .as_object()
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

/// The value of a field that can have only one.
fn only_value(schema: &Value) -> Option<Value> {
    if let Some(constant) = schema.get("const") {
        return Some(constant.clone());
    }
    match schema.get("enum").and_then(Value::as_array)?.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
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
            r#"{ n: integer, page: integer, mode?: "s" | "l" } (when mode is "s": {"n":{"maximum":10}}, requires ["mode"])"#
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
            r#"{ owner: string, state?: "open" | "closed", labels?: string[], "page[size]"?: integer, filter?: { a?: { b?: object } }, any?: any }"#
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
    fn a_call_has_a_placeholder_for_what_must_be_there() {
        let schema = json!({"required": ["mode", "kind", "at", "undeclared"], "properties": {
            "n": {"type": "integer"}, "mode": {"enum": ["small", "large", "larger"]}, "kind": {"const": 7},
            "at": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}}});
        let signature = Signature::of(schema.as_object().unwrap());
        assert_eq!(
            signature.placeholders(60),
            json!({"mode": "<small|large|larger>", "kind": 7, "at": "<{ x: number }>", "undeclared": "<value>"})
        );
        assert_eq!(signature.placeholders(14)["mode"], "<small|large…>");
        let texts: Vec<String> = signature.fields.iter().map(Field::text).collect();
        assert_eq!(texts.last().unwrap(), "n?: integer");
        let union = json!({"oneOf": [{"$ref": "#/$defs/A"}, {"type": "object"}], "$defs": {"A": {
            "required": ["a"], "properties": {"a": {"type": "string"}, "b": {}}}}});
        let union = Signature::of(union.as_object().unwrap());
        assert_eq!(union.placeholders(60), json!({"a": "<string>"}));
        assert_eq!(union.rules, ["{ a: string, b?: any } | object"]);
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
