//! What a search looks into: the texts of one tool or skill, and of the plugin it belongs to.

use serde_json::{Map, Value};

use crate::catalog::{Skill, Tool};

/// Properties of one schema that are read, of all levels together; further ones say little about what the tool is for.
const MAX_PROPERTIES: usize = 64;
/// Levels of a schema that are read.
const MAX_DEPTH: usize = 6;

/// The plugin that a group of documents belongs to.
#[derive(Debug, Clone, Default)]
pub struct Server {
    /// Its prefix and whatever else it is called.
    pub name: String,
    /// What it says about itself.
    pub text: String,
}

/// The texts of one tool or skill.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The name that calls it.
    pub name: String,
    /// A name for people.
    pub title: String,
    /// What it does.
    pub description: String,
    /// Names of its parameters, nested ones too.
    pub parameters: Vec<String>,
    /// What is said about the parameters, and the names of choices.
    pub parameter_texts: Vec<String>,
}

impl Document {
    /// A document from a name, a description and a JSON Schema of arguments.
    pub fn new(name: &str, description: &str, schema: Option<&Map<String, Value>>) -> Self {
        let mut document = Self {
            name: name.to_owned(),
            description: description.to_owned(),
            ..Self::default()
        };
        if let Some(schema) = schema {
            document.read_schema(schema, MAX_DEPTH);
        }
        document
    }

    pub(in crate::catalog) fn of_tool(tool: &Tool) -> Self {
        let title = tool.title.clone().unwrap_or_default();
        Self {
            title,
            ..Self::new(&tool.name, &tool.description, Some(&tool.input_schema))
        }
    }

    pub(in crate::catalog) fn of_skill(skill: &Skill) -> Self {
        let schema = skill.input_schema.as_deref();
        let mut document = Self::new(&skill.name, &skill.description, schema);
        document.parameter_texts.extend(skill.args.clone());
        document
    }

    fn read_schema(&mut self, schema: &Map<String, Value>, depth: usize) {
        if depth == 0 {
            return;
        }
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for (name, property) in properties {
                if self.parameters.len() == MAX_PROPERTIES {
                    return;
                }
                self.parameters.push(name.clone());
                let Value::Object(property) = property else {
                    continue;
                };
                if let Some(text) = property.get("description").and_then(Value::as_str) {
                    self.parameter_texts.push(text.to_owned());
                }
                self.read_schema(property, depth - 1);
            }
        }
        for key in ["items", "additionalProperties"] {
            if let Some(Value::Object(inner)) = schema.get(key) {
                self.read_schema(inner, depth - 1);
            }
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            for inner in schema
                .get(key)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                if let Value::Object(inner) = inner {
                    self.read_schema(inner, depth - 1);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nested_properties_are_read_and_endless_ones_are_not() {
        let schema = json!({"properties": {
            "a": {"description": "A.", "type": "array", "items": {"properties": {"b": {"description": "B."}}}},
            "c": {"anyOf": [{"properties": {"d": {}}}, 7]},
            "e": true,
        }});
        let document = Document::new("x", "", schema.as_object());
        assert_eq!(document.parameters, ["a", "b", "c", "d", "e"]);
        assert_eq!(document.parameter_texts, ["A.", "B."]);

        let wide: Map<String, Value> = (0..1000).map(|n| (n.to_string(), json!({}))).collect();
        let wide = json!({ "properties": wide });
        let document = Document::new("x", "", wide.as_object());
        assert_eq!(document.parameters.len(), MAX_PROPERTIES);
    }
}
