//! What a plugin's settings say, in a form that can be compared and tells no secret.

use std::collections::BTreeSet;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::placeholder::{Part, each_text, parts};

/// A hash of the settings as they are written, and the variables that they name.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    /// Of the settings before any `${…}` is expanded.
    pub hash: [u8; 32],
    /// The names in `${NAME}` and `${NAME:-default}`.
    pub variables: BTreeSet<String>,
}

impl Content {
    pub(in crate::plugin) fn of(settings: &Value) -> Self {
        let mut variables = BTreeSet::new();
        each_text(settings, &mut |text| {
            variables.extend(parts(text).filter_map(|part| match part {
                Part::Variable { name, .. } => Some(name.to_owned()),
                Part::Text(_) | Part::Secret(_) | Part::Unclosed => None,
            }));
        });
        Self {
            hash: Sha256::digest(settings.to_string()).into(),
            variables,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn variables_are_found_wherever_they_stand() {
        let content = Content::of(&json!({
            "mcp": {"args": ["--x=${A}-${B:-b}"], "env": {"T": "${env:C}"}}, "n": 1, "open": "${D", "meant": "$${E}",
        }));
        let names: Vec<&str> = content.variables.iter().map(String::as_str).collect();
        assert_eq!(names, ["A", "B", "C"]);
        assert_ne!(content.hash, Content::of(&json!({})).hash);
    }
}
