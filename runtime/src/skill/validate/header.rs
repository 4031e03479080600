//! What a skill says about itself.

use serde_json::{Map, Value};

use super::{
    super::problem::{At, Problems},
    only, text,
};
use crate::catalog::{Related, Schema, Skill};

/// Keywords that let a schema take arguments which its `properties` do not list.
const OPENING: [&str; 7] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "patternProperties",
    "if",
];

pub(super) fn read(name: &str, map: &Map<String, Value>, problems: &mut Problems) -> Skill {
    let at = At::default();
    if !map.contains_key("description") {
        problems.add(&at, "`description` is missing; say in one sentence what the skill does, for a search to find it");
    }
    Skill {
        name: name.to_owned(),
        description: text(map, "description", &at, problems).unwrap_or_default(),
        args: text(map, "args", &at, problems),
        input_schema: map
            .get("inputSchema")
            .and_then(|schema| read_schema(schema, &at.key("inputSchema"), problems)),
        related: map
            .get("related")
            .map(|related| read_related(related, &at.key("related"), problems))
            .unwrap_or_default(),
        read_only: match map.get("readOnly") {
            None => false,
            Some(Value::Bool(read_only)) => *read_only,
            Some(_) => {
                problems.add(&at.key("readOnly"), "must be true or false");
                false
            }
        },
        background: false,
        error: None,
    }
}

/// The arguments that a schema allows, when it lists them all.
pub(super) fn arguments(schema: Option<&Map<String, Value>>) -> Option<Vec<String>> {
    let schema = schema?;
    let properties = schema.get("properties")?.as_object()?;
    let open = OPENING.iter().any(|keyword| {
        schema
            .get(*keyword)
            .is_some_and(|value| *value != Value::Bool(false))
    });
    (!open).then(|| properties.keys().cloned().collect())
}

fn read_schema(schema: &Value, at: &At, problems: &mut Problems) -> Option<Schema> {
    let map = schema
        .as_object()
        .filter(|map| map.get("type").and_then(Value::as_str) == Some("object"));
    if map.is_none() {
        problems.add(
            at,
            "must be the JSON Schema of an object: {\"type\": \"object\", \"properties\": {…}}",
        );
    }
    // No `$ref` is ever fetched: the crate is built without its resolvers.
    if let Err(error) = jsonschema::options().build(schema) {
        let place = at.inner(error.instance_path().as_str());
        problems.add(&place, format!("not a valid JSON Schema: {error}"));
    }
    map.cloned().map(Schema::new)
}

fn read_related(related: &Value, at: &At, problems: &mut Problems) -> Vec<Related> {
    let Some(items) = related.as_array() else {
        problems.add(
            at,
            "must be a list of {\"target\": \"prefix:skill\", \"why\": \"…\"}",
        );
        return Vec::new();
    };
    let mut links = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let at = at.item(index);
        if let Some(map) = item.as_object() {
            only(map, &["target", "why"], &at, problems);
        }
        match serde_json::from_value::<Related>(item.clone()) {
            Ok(link)
                if link
                    .target
                    .split(':')
                    .filter(|part| !part.is_empty())
                    .count()
                    == 2 =>
            {
                links.push(link)
            }
            _ => problems.add(
                &at,
                "must be {\"target\": \"prefix:skill\", \"why\": \"…\"}",
            ),
        }
    }
    links
}
