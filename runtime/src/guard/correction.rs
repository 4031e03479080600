//! What is wrong with arguments, in words, and the call that was probably meant: what was sent, with each fault mended
//! as far as that is possible, and a placeholder elsewhere. The call is only ever suggested.

mod placeholder;
mod stray;

use std::collections::BTreeSet;

use jsonschema::{
    ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::{Map, Value, json};

use super::closest;
use crate::catalog::condition_of;
use placeholder::placeholder;

/// More violations than this are not listed.
const MAX_DETAILS: usize = 10;
/// Of more faults than this the call that was meant cannot be told; looking for names that are alike takes long.
const MAX_MENDED: usize = 50;
/// Branches of a union beyond this are not described.
const MAX_BRANCHES: usize = 4;
/// A received value is shown up to so many characters.
const MAX_RECEIVED: usize = 80;
/// A schema whose text is longer is cut to the fields that are named.
const MAX_SCHEMA: usize = 2_000;

/// What to tell about arguments that do not fit.
pub(super) struct Correction {
    /// Each violation: where, what, and what was received.
    pub details: Vec<String>,
    /// The arguments that were probably meant.
    pub arguments: Value,
    /// The schema, or of a long one the fields that are concerned.
    pub schema: Value,
}

/// Explains why `sent` does not fit `schema`, from the validator's errors.
pub(super) fn correction(
    errors: &[ValidationError<'_>],
    schema: Value,
    sent: &Value,
) -> Correction {
    let mut details: Vec<String> = errors
        .iter()
        .take(MAX_DETAILS)
        .map(|error| describe(error, &schema, sent))
        .collect();
    if errors.len() > MAX_DETAILS {
        details.push(format!("and {} more", errors.len() - MAX_DETAILS));
    }
    let mut arguments = sent.clone();
    // Renamed fields first: they may be the missing ones.
    let (renaming, others): (Vec<_>, Vec<_>) =
        errors.iter().partition(|error| unexpected(error).is_some());
    for error in renaming.into_iter().chain(others).take(MAX_MENDED) {
        mend(error, &schema, &mut arguments);
    }
    Correction {
        details,
        arguments,
        schema: concerned(schema, errors),
    }
}

fn describe(error: &ValidationError<'_>, schema: &Value, sent: &Value) -> String {
    let path = error.instance_path().to_string();
    let at = if path.is_empty() { "/" } else { &path };
    let when = condition_of(error, schema)
        .map(|condition| format!(" {condition}"))
        .unwrap_or_default();
    if let Some(names) = unexpected(error) {
        let near = |name: &String| match declared_near(name, error, schema, sent) {
            Some(near) => format!("{path}/{name}: no such field; did you mean {near:?}?"),
            None => format!("{path}/{name}: no such field"),
        };
        return names
            .iter()
            .take(MAX_DETAILS)
            .map(near)
            .collect::<Vec<_>>()
            .join("; ");
    }
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let found = stray::find(name, &path, owner(error, schema), sent)
                .map(|stray| format!("; what looks like it was received at {}", stray.at))
                .unwrap_or_default();
            format!("{path}/{name}: required{when}, and missing{found}")
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            let branches: Vec<String> = context
                .iter()
                .take(MAX_BRANCHES)
                .enumerate()
                .map(|(number, errors)| {
                    let faults: Vec<String> = errors
                        .iter()
                        .take(3)
                        .map(|error| describe(error, schema, sent))
                        .collect();
                    format!("({}) {}", number + 1, faults.join(", "))
                })
                .collect();
            format!(
                "{at}: fits none of the allowed forms: {}",
                branches.join("; ")
            )
        }
        _ => format!(
            "{at}: {}{when}; received {}",
            error.masked_with("the value"),
            shortened(error.instance())
        ),
    }
}

/// Mends one fault in `arguments`, where what to do is plain; else puts a placeholder.
fn mend(error: &ValidationError<'_>, schema: &Value, arguments: &mut Value) {
    let path = error.instance_path().to_string();
    if let Some(names) = unexpected(error) {
        for name in names.iter().take(MAX_MENDED) {
            let near = declared_near(name, error, schema, arguments).map(str::to_owned);
            let Some(Value::Object(object)) = arguments.pointer_mut(&path) else {
                continue;
            };
            let value = object.remove(name);
            if let (Some(near), Some(value)) = (near, value) {
                object.insert(near, value);
            }
        }
        return;
    }
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let owner = owner(error, schema);
            let stray = stray::find(name, &path, owner, arguments).map(|stray| stray.at);
            let value = stray.and_then(|at| stray::take(arguments, &at));
            let field = owner.and_then(|owner| owner.get("properties")?.get(name));
            let value = value.unwrap_or_else(|| placeholder(field));
            if let Some(Value::Object(object)) = arguments.pointer_mut(&path) {
                object.entry(name).or_insert(value);
            }
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            let nearest = context.iter().min_by_key(|errors| errors.len());
            for error in nearest.into_iter().flatten() {
                mend(error, schema, arguments);
            }
        }
        Kind::AdditionalItems { .. } | Kind::UniqueItems | Kind::MaxItems { .. } => {}
        kind => {
            let mended = mended_value(kind, error.instance())
                .unwrap_or_else(|| placeholder(owner(error, schema)));
            if let Some(slot) = arguments.pointer_mut(&path)
                && !path.is_empty()
            {
                *slot = mended;
            }
        }
    }
}

fn mended_value(kind: &Kind, received: &Value) -> Option<Value> {
    match kind {
        Kind::Constant { expected_value } => Some(Value::clone(expected_value)),
        Kind::Enum { options } => {
            let spelled = received.as_str()?;
            let options = options.as_array()?;
            let names = options.iter().filter_map(Value::as_str);
            closest(spelled, names).map(|near| json!(near))
        }
        Kind::Type {
            kind: TypeKind::Single(wanted),
        } => Some(json!(format!("<{wanted}>"))),
        _ => None,
    }
}

/// The fields that a closed object did not expect.
fn unexpected<'a>(error: &'a ValidationError<'_>) -> Option<&'a [String]> {
    match error.kind() {
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            Some(unexpected)
        }
        _ => None,
    }
}

/// A declared field that was not sent and whose name is much like `name`.
fn declared_near<'a>(
    name: &str,
    error: &ValidationError<'_>,
    schema: &'a Value,
    sent: &Value,
) -> Option<&'a str> {
    let declared = owner(error, schema)?.get("properties")?.as_object()?;
    let sent = sent.pointer(&error.instance_path().to_string())?;
    let missing = declared.keys().filter(|key| sent.get(key).is_none());
    closest(name, missing.map(String::as_str))
}

/// The schema that holds the keyword which was violated.
fn owner<'a>(error: &ValidationError<'_>, schema: &'a Value) -> Option<&'a Value> {
    let path = error.schema_path().to_string();
    let (owner, _keyword) = path.rsplit_once('/')?;
    schema.pointer(owner)
}

/// The schema itself, or of a long one what the errors are about.
fn concerned(schema: Value, errors: &[ValidationError<'_>]) -> Value {
    if schema.to_string().len() <= MAX_SCHEMA {
        return schema;
    }
    let mut names = BTreeSet::new();
    for error in errors {
        let path = error.instance_path().to_string();
        match (path.split('/').nth(1), error.kind()) {
            (Some(name), _) => names.insert(name.replace("~1", "/").replace("~0", "~")),
            (None, Kind::Required { property }) => {
                names.insert(property.as_str().unwrap_or_default().to_owned())
            }
            (None, _) => continue,
        };
    }
    let fields: Map<String, Value> = schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(name, _)| names.contains(*name))
        .map(|(name, field)| (name.clone(), field.clone()))
        .collect();
    if fields.is_empty() {
        return schema;
    }
    let mut part = Map::new();
    if Value::Object(fields.clone())
        .to_string()
        .contains("\"$ref\"")
    {
        for key in ["$defs", "definitions"] {
            if let Some(definitions) = schema.get(key) {
                part.insert(key.to_owned(), definitions.clone());
            }
        }
    }
    part.insert("properties".into(), Value::Object(fields));
    if let Some(required) = schema.get("required") {
        part.insert("required".into(), required.clone());
    }
    Value::Object(part)
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    let length = text.chars().count();
    if length <= MAX_RECEIVED {
        return text;
    }
    let head: String = text.chars().take(MAX_RECEIVED).collect();
    format!("{head}… ({length} characters)")
}
