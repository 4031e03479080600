//! A JSON Schema of a tool or a skill, and its compiled form.

use std::{
    fmt,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use jsonschema::{PatternOptions, Validator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{cost::deepest_value, dialect::normalised};

/// How often a pattern with look-around may step back before it is given up.
const BACKTRACK_LIMIT: usize = 100_000;

/// A schema as its author wrote it. It is compiled when a value is first checked, and cheap to clone.
#[derive(Clone)]
pub struct Schema(Arc<Inner>);

struct Inner {
    source: Map<String, Value>,
    compiled: OnceLock<Option<Compiled>>,
}

/// A validator, and the deepest value that it may be asked about.
struct Compiled {
    validator: Validator,
    deepest: usize,
}

impl Schema {
    /// A schema of that text.
    pub fn new(source: Map<String, Value>) -> Self {
        Self(Arc::new(Inner {
            source,
            compiled: OnceLock::new(),
        }))
    }

    /// A validator for `value`; `None` when the schema cannot be compiled, or would be too much work for a value as deep
    /// as this one, so that only the service can check it.
    ///
    /// No `$ref` is ever fetched: the validator is built without its resolvers.
    pub fn validator_of(&self, value: &Value) -> Option<&Validator> {
        let compile = || match compile(&self.0.source) {
            Ok(compiled) => Some(compiled),
            Err(error) => {
                tracing::warn!(%error, "a schema cannot be compiled; what it describes goes unchecked");
                None
            }
        };
        let compiled = self.0.compiled.get_or_init(compile).as_ref()?;
        (depth(value) <= compiled.deepest).then_some(&compiled.validator)
    }
}

fn compile(source: &Map<String, Value>) -> Result<Compiled, String> {
    let schema = normalised(source).ok_or("it is too large or too deep")?;
    let deepest = deepest_value(&schema).ok_or("it would take too long to check a value")?;
    let validator = jsonschema::options()
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
        .build(&schema)
        .map_err(|error| error.to_string())?;
    Ok(Compiled { validator, deepest })
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

impl Deref for Schema {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Map<String, Value> {
        &self.0.source
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.source.fmt(f)
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.0.source == other.0.source
    }
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.source.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema(value: Value) -> Schema {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_schema_is_compiled_once() {
        let schema = schema(json!({"type": "object"}));
        let value = json!({});
        let first: *const Validator = schema.validator_of(&value).unwrap();
        let again = schema.clone();
        assert!(std::ptr::eq(first, again.validator_of(&value).unwrap()));
    }

    #[test]
    fn what_cannot_be_compiled_has_no_validator() {
        assert!(
            schema(json!({"type": "no such type"}))
                .validator_of(&json!({}))
                .is_none()
        );
        // Never fetched.
        let remote = schema(json!({"$ref": "http://127.0.0.1:1/schema.json"}));
        assert!(remote.validator_of(&json!({})).is_none());
    }
}
