//! A hit for programs.

use serde_json::{Value, json};

use super::{hit::Hit, links::Link};
use crate::{
    catalog::{Entry, signature},
    facade::literal::PLACEHOLDER_CHARS,
};

/// `{plugin, kind, name, description, readOnly, arguments?, call, related?, error?, needsSetUp?}`
pub(super) fn of(hit: &Hit<'_>) -> Value {
    let (kind, arguments, error) = match hit.entry {
        Entry::Tool(tool) => ("tool", Some(signature(&tool.input_schema)), None),
        Entry::Skill(skill) => {
            let schema = skill.input_schema.as_ref();
            let arguments = schema.map(|schema| signature(schema));
            (
                "skill",
                arguments.or_else(|| skill.args.clone()),
                skill.error.as_ref(),
            )
        }
    };
    let mut found = json!({
        "plugin": hit.plugin.prefix(),
        "kind": kind,
        "name": hit.name(),
        "description": hit.description(),
        "readOnly": hit.is_read_only(),
    });
    if let Some(arguments) = arguments {
        found["arguments"] = json!(arguments);
    }
    found["call"] = json!(hit.call(PLACEHOLDER_CHARS));
    if !hit.links.is_empty() {
        found["related"] = hit.links.iter().map(Link::to_json).collect();
    }
    if let Some(error) = error {
        found["error"] = json!(error);
    }
    if let Some(set_up) = hit.plugin.set_up() {
        found["needsSetUp"] = json!(set_up.what);
    }
    found
}
