//! What a plugin's settings say, in a form that can be compared and tells no secret.

use std::collections::BTreeSet;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// A hash of the settings as they are written, and the variables that they name.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// Of the settings before any `${…}` is expanded.
    pub hash: [u8; 32],
    /// The names in `${NAME}` and `${NAME:-default}`.
    pub variables: BTreeSet<String>,
}

impl Content {
    pub(super) fn of(settings: &Value) -> Self {
        let mut variables = BTreeSet::new();
        collect(settings, &mut variables);
        Self {
            hash: Sha256::digest(settings.to_string()).into(),
            variables,
        }
    }
}

fn collect(value: &Value, variables: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let inner = text
                .split("${")
                .skip(1)
                .filter_map(|rest| rest.split('}').next());
            let names = inner.filter_map(|inner| inner.split(":-").next());
            variables.extend(names.map(|name| name.trim_start_matches("env:").to_owned()));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, variables)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, variables)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn variables_are_found_wherever_they_stand() {
        let content = Content::of(&json!({
            "mcp": {"args": ["--x=${A}-${B:-b}"], "env": {"T": "${env:C}"}}, "n": 1, "open": "${D",
        }));
        let names: Vec<&str> = content.variables.iter().map(String::as_str).collect();
        assert_eq!(names, ["A", "B", "C", "D"]);
        assert_ne!(content.hash, Content::of(&json!({})).hash);
    }
}
