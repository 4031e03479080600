//! One tool of a service.

use serde_json::{Map, Value, json};

use super::Schema;

/// What a tool says about its effects (MCP tool annotations).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hints {
    /// Changes nothing.
    pub read_only: bool,
    /// May destroy something; `None` means not said, which MCP reads as yes.
    pub destructive: Option<bool>,
    /// Calling it twice is calling it once.
    pub idempotent: Option<bool>,
    /// Reaches things outside the service.
    pub open_world: Option<bool>,
}

impl Hints {
    /// The MCP `annotations` object.
    pub fn to_annotations(self) -> Value {
        let mut map = Map::new();
        map.insert("readOnlyHint".into(), json!(self.read_only));
        for (key, value) in [
            ("destructiveHint", self.destructive),
            ("idempotentHint", self.idempotent),
            ("openWorldHint", self.open_world),
        ] {
            if let Some(value) = value {
                map.insert(key.into(), json!(value));
            }
        }
        Value::Object(map)
    }
}

/// One tool of a service.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The service's own name for it.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: String,
    /// JSON Schema of the arguments; always an object schema.
    pub input_schema: Schema,
    /// JSON Schema of the structured result.
    pub output_schema: Option<Schema>,
    /// What it says about its effects.
    pub hints: Hints,
    /// What its service files it under.
    pub tags: Vec<String>,
}

impl Tool {
    /// Reads a tool leniently. `None` when it has no usable name.
    ///
    /// A missing or non-object input schema becomes an open object schema: a tool is never dropped for it.
    pub fn from_json(value: &Value) -> Option<Self> {
        let name = value
            .get("name")?
            .as_str()
            .filter(|name| !name.is_empty())?;
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let annotations = value.get("annotations");
        let hint = |key: &str| {
            annotations
                .and_then(|a| a.get(key))
                .and_then(Value::as_bool)
        };
        Some(Self {
            name: name.to_owned(),
            title: text("title").or_else(|| {
                annotations
                    .and_then(|a| a.get("title"))
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            }),
            description: text("description").unwrap_or_default(),
            input_schema: Schema::new(object_schema(value.get("inputSchema"))),
            output_schema: value
                .get("outputSchema")
                .and_then(Value::as_object)
                .map(|schema| Schema::new(schema.clone())),
            hints: Hints {
                read_only: hint("readOnlyHint") == Some(true),
                destructive: hint("destructiveHint"),
                idempotent: hint("idempotentHint"),
                open_world: hint("openWorldHint"),
            },
            tags: tags(value.get("tags")),
        })
    }

    /// The tool as MCP lists it; [`Tool::from_json`] reads the same tool from it.
    pub fn to_json(&self) -> Value {
        let mut json = Map::new();
        json.insert("name".into(), json!(self.name));
        if let Some(title) = &self.title {
            json.insert("title".into(), json!(title));
        }
        json.insert("description".into(), json!(self.description));
        json.insert("inputSchema".into(), json!(self.input_schema));
        if let Some(schema) = &self.output_schema {
            json.insert("outputSchema".into(), json!(schema));
        }
        json.insert("annotations".into(), self.hints.to_annotations());
        if !self.tags.is_empty() {
            json.insert("tags".into(), json!(self.tags));
        }
        Value::Object(json)
    }

    /// Whether the arguments may hold a top-level property of that name of the tool's own.
    pub fn declares(&self, property: &str) -> bool {
        self.input_schema
            .get("properties")
            .and_then(|properties| properties.get(property))
            .is_some()
    }
}

fn tags(tags: Option<&Value>) -> Vec<String> {
    let tags = tags.and_then(Value::as_array).into_iter().flatten();
    tags.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn object_schema(schema: Option<&Value>) -> Map<String, Value> {
    let mut schema = schema
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    schema.entry("type").or_insert_with(|| json!("object"));
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_written_is_read_again() {
        for json in [
            json!({"name": "a"}),
            json!({"name": "b", "title": "B", "description": "d", "inputSchema": {"type": "object", "required": ["z", "a"]},
                "outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true, "idempotentHint": true}}),
            json!({"name": "c", "annotations": {"title": "C", "destructiveHint": false, "openWorldHint": true}}),
        ] {
            let tool = Tool::from_json(&json).unwrap();
            assert_eq!(Tool::from_json(&tool.to_json()), Some(tool));
        }
    }

    #[test]
    fn a_tool_with_no_schema_takes_an_object() {
        for schema in [Value::Null, json!(true), json!({}), json!("nonsense")] {
            let tool = Tool::from_json(&json!({"name":"x","inputSchema":schema})).unwrap();
            assert_eq!(tool.input_schema.get("type"), Some(&json!("object")));
        }
        assert_eq!(Tool::from_json(&json!({"description":"nameless"})), None);
    }
}
