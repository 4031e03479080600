//! What a judgement about a tool rests on.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{catalog::Tool, checksum};

/// Everything of a tool that a model reads or that decides how it is called. Two that mean the same are equal: the order of
/// keys, and of what is required, says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Definition {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub description: String,
    pub input_schema: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    pub annotations: Value,
}

impl Definition {
    /// The parts, as people call them, in the order of [`Definition::parts`].
    const NAMES: [&str; 5] = [
        "title",
        "description",
        "input schema",
        "output schema",
        Self::ANNOTATIONS,
    ];
    /// The last of them.
    pub(crate) const ANNOTATIONS: &str = "annotations";

    pub(crate) fn of(tool: &Tool) -> Self {
        let whole = |schema: &Map<String, Value>| canonical(&Value::Object(schema.clone()));
        Self {
            title: tool.title.clone(),
            description: tool.description.clone(),
            input_schema: whole(&tool.input_schema),
            output_schema: tool.output_schema.as_ref().map(|schema| whole(schema)),
            annotations: canonical(&tool.hints.to_annotations()),
        }
    }

    /// Each part with its name, as text with lines; empty where there is none.
    pub(crate) fn parts(&self) -> [(&'static str, String); 5] {
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
        let [title, description, input, output, annotations] = Self::NAMES;
        [
            (title, self.title.clone().unwrap_or_default()),
            (description, self.description.clone()),
            (input, pretty(&self.input_schema)),
            (
                output,
                self.output_schema.as_ref().map(pretty).unwrap_or_default(),
            ),
            (annotations, pretty(&self.annotations)),
        ]
    }

    pub(crate) fn checksums(&self) -> Checksums {
        Checksums(self.parts().map(|(_, text)| checksum::whole(&text)))
    }
}

/// A definition as checksums of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Checksums([[u8; 32]; 5]);

impl Checksums {
    /// The names of the parts in which the other one differs.
    pub(crate) fn differences(&self, other: &Self) -> Vec<&'static str> {
        Definition::NAMES
            .into_iter()
            .zip(self.0.iter().zip(&other.0))
            .filter(|(_, (before, now))| before != now)
            .map(|(part, _)| part)
            .collect()
    }
}

impl Checksums {
    /// Stands for the whole definition.
    pub(crate) fn fingerprint(&self) -> String {
        checksum::hexadecimal(&self.0.concat())
    }
}

/// Checksums are written as one text: five times 64 hexadecimal digits.
impl Serialize for Checksums {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: Vec<String> = self
            .0
            .iter()
            .map(|sum| checksum::hexadecimal(sum))
            .collect();
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Checksums {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let texts = <[String; 5]>::deserialize(deserializer)?;
        let mut sums = [[0; 32]; 5];
        for (sum, text) in sums.iter_mut().zip(&texts) {
            *sum = checksum::from_hexadecimal(text)
                .ok_or_else(|| serde::de::Error::custom("not a SHA-256 checksum"))?;
        }
        Ok(Self(sums))
    }
}

/// The same value in one spelling: servers that keep their schemas in maps and sets list them in another order each time.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_unstable();
            let sorted = keys.into_iter().map(|key| {
                let mut value = canonical(&map[key]);
                if key == "required"
                    && let Value::Array(names) = &mut value
                {
                    names.sort_by_key(Value::to_string);
                }
                (key.clone(), value)
            });
            Value::Object(sorted.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(canonical).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn definition(tool: &Value) -> Definition {
        Definition::of(&Tool::from_json(tool).unwrap())
    }

    #[test]
    fn order_says_nothing_and_everything_else_does() {
        let first = json!({"name": "t", "description": "d", "inputSchema":
            {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a", "b"]}});
        let same = json!({"description": "d", "name": "t", "inputSchema":
            {"required": ["b", "a"], "properties": {"b": {}, "a": {"type": "string"}}, "type": "object"}});
        assert_eq!(definition(&first), definition(&same));
        for (change, part) in [
            (json!({"title": "T"}), "title"),
            (json!({"description": "e"}), "description"),
            (json!({"inputSchema": {}}), "input schema"),
            (json!({"outputSchema": {}}), "output schema"),
            (
                json!({"annotations": {"readOnlyHint": true}}),
                "annotations",
            ),
        ] {
            let mut other = first.clone();
            let changes = change.as_object().unwrap().clone();
            other.as_object_mut().unwrap().extend(changes);
            let (before, now) = (definition(&first), definition(&other));
            assert_eq!(before.checksums().differences(&now.checksums()), [part]);
        }
    }

    #[test]
    fn checksums_are_read_as_they_were_written() {
        let sums = definition(&json!({"name": "t"})).checksums();
        let text = serde_json::to_string(&sums).unwrap();
        assert_eq!(serde_json::from_str::<Checksums>(&text).unwrap(), sums);
        assert!(serde_json::from_str::<Checksums>(r#"["","","","","é"]"#).is_err());
    }
}
