//! The properties of a body as arguments of their own, where the document asks for it.

use serde_json::Value;

use super::{
    body_schema::{Fields, field_schema, kind_of},
    description::{Body as Described, Location, Writing, essence},
    document::Document,
    extensions::argument_name,
    operation::{Argument, Body, BodyKind},
    schema::{Converter, is_read_only},
};

/// Compositions deeper than this are not looked into.
const MAX_DEPTH: usize = 8;

/// A body that is put together from arguments.
pub(super) struct Spread {
    /// The arguments with their schemas.
    pub arguments: Vec<(Argument, Value)>,
    pub plan: Body,
}

/// The arguments that a body becomes; `None` where it has to stay one.
pub(super) fn spread<'a>(
    document: &'a Document,
    body: &'a Described<'_>,
    converter: &mut Converter<'a>,
    paths_allowed: bool,
) -> Result<Option<Spread>, String> {
    let Some(stated) = body.schema.as_ref().map(|schema| schema.value()) else {
        return Ok(None);
    };
    let kind = kind_of(&essence(&body.media_type), Some(stated), document);
    let has_fields = matches!(kind, BodyKind::Json | BodyKind::Form | BodyKind::Multipart);
    let fields = Fields::of(document, stated);
    if !has_fields || fields.all.is_empty() || !is_closed(document, stated, 0) {
        return Ok(None);
    }
    let mut plan = Body::of(body, kind, &fields);
    plan.spread = true;
    let mut arguments = Vec::new();
    for (wire, field) in &fields.all {
        if is_read_only(document, field) {
            continue;
        }
        let resolved = document.resolved(field).unwrap_or(field);
        let named = match argument_name(field)? {
            Some(name) => Some(name),
            None => argument_name(resolved)?,
        };
        let (schema, is_file) = field_schema(document, field, kind, converter, paths_allowed);
        if is_file {
            plan.files.insert(wire.clone());
        }
        let argument = Argument {
            name: named.unwrap_or(wire).to_owned(),
            wire: wire.clone(),
            location: Location::Body,
            required: fields.required.contains(wire),
            writing: Writing::Json,
            is_integer: resolved.get("type").and_then(Value::as_str) == Some("integer"),
        };
        arguments.push((argument, schema));
    }
    Ok((!arguments.is_empty()).then_some(Spread { arguments, plan }))
}

/// Whether the named properties are all that can be said of a schema.
fn is_closed(document: &Document, schema: &Value, depth: usize) -> bool {
    let Some(schema) = document.resolved(schema).filter(|_| depth < MAX_DEPTH) else {
        return false;
    };
    let says = |key: &str| {
        let value = schema.get(key);
        value.is_some_and(|value| *value != Value::Bool(false))
    };
    let open = [
        "additionalProperties",
        "unevaluatedProperties",
        "patternProperties",
        "anyOf",
        "oneOf",
    ];
    let parts = schema.get("allOf").and_then(Value::as_array);
    !open.into_iter().any(says)
        && parts
            .into_iter()
            .flatten()
            .all(|part| is_closed(document, part, depth + 1))
}
