//! All that is known of what was found: whole descriptions and schemas.

use serde_json::{Map, Value};

use super::hit::Hit;
use crate::{
    catalog::{Entry, without_hidden},
    facade::literal::PLACEHOLDER_CHARS,
};

pub(super) fn text(hits: &[Hit<'_>]) -> String {
    hits.iter().map(of).collect::<Vec<_>>().join("\n\n")
}

fn of(hit: &Hit<'_>) -> String {
    let mut text = format!("{}\n  {}", hit.call(PLACEHOLDER_CHARS), hit.marks());
    let description = unindented(hit.description());
    if !description.is_empty() {
        text.push_str(&format!(": {description}"));
    }
    if hit.needs_consent() {
        text.push_str("\n  Needs \"confirm\":true when the user wants it.");
    }
    if let Some(schema) = input(hit.entry) {
        text.push_str(&format!("\n  Arguments: {}", Value::Object(schema)));
    }
    if let Entry::Skill(skill) = hit.entry
        && let (None, Some(args)) = (&skill.input_schema, &skill.args)
    {
        text.push_str(&format!("\n  Arguments: {}", without_hidden(args)));
    }
    if let Entry::Tool(tool) = hit.entry
        && let Some(schema) = &tool.output_schema
    {
        text.push_str(&format!(
            "\n  Result: {}",
            Value::Object(Map::clone(schema))
        ));
    }
    text.extend(hit.links.iter().map(|link| link.text(usize::MAX)));
    text
}

/// The schema of the arguments, without what says nothing to a model.
pub(super) fn input(entry: &Entry<'_>) -> Option<Map<String, Value>> {
    let schema = match entry {
        Entry::Tool(tool) => Some(&tool.input_schema),
        Entry::Skill(skill) => skill.input_schema.as_ref(),
    };
    let mut schema = Map::clone(schema?);
    schema.shift_remove("$schema");
    Some(schema)
}

/// Whether the schema says more of the arguments than a signature does.
pub(super) fn says_more(schema: &Map<String, Value>) -> bool {
    // A signature shows what is referred to in its place.
    if ["$defs", "definitions"]
        .iter()
        .any(|key| schema.contains_key(*key))
    {
        return false;
    }
    const SAYING: [&str; 7] = [
        "default",
        "description",
        "examples",
        "format",
        "maximum",
        "minimum",
        "pattern",
    ];
    let fields = schema.get("properties").and_then(Value::as_object);
    let mut fields = fields.into_iter().flat_map(Map::values);
    fields.any(|field| SAYING.iter().any(|key| field.get(key).is_some()))
}

/// The lines that say something, without what stands before and behind.
fn unindented(text: &str) -> String {
    let text = without_hidden(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
