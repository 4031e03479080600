//! The arguments of a call, each at its place. Nothing that the operation does not have is dropped silently.

use serde_json::{Map, Value, json};

use super::{
    description::Location,
    inputs::BODY,
    operation::{Argument, Body, BodyKind, Operation},
};
use crate::reply::{Code, Failure};

/// What a call gives.
#[derive(Debug, Default)]
pub(super) struct Given<'a> {
    /// Arguments with their values, in the operation's order.
    pub values: Vec<(&'a Argument, Value)>,
    pub body: Option<Value>,
}

impl Given<'_> {
    /// The value of one argument by its wire name.
    pub(super) fn at(&self, location: Location, wire: &str) -> Option<(&Argument, &Value)> {
        self.values
            .iter()
            .find(|(argument, _)| argument.location == location && argument.wire == wire)
            .map(|(argument, value)| (*argument, value))
    }
}

/// Sorts the arguments of a call.
pub(super) fn sorted(
    operation: &Operation,
    arguments: Map<String, Value>,
) -> Result<Given<'_>, Failure> {
    let mut found: Vec<Option<Value>> = vec![None; operation.arguments.len()];
    let plan = operation.body.as_ref();
    let is_spread = plan.is_some_and(|body| body.spread);
    let mut body = None;
    let mut unknown = Vec::new();
    for (name, value) in arguments {
        if plan.is_some_and(|body| !body.spread && body.name == name) {
            body = Some(value);
        } else if let Some(position) = position(operation, &name) {
            found[position] = Some(value);
        } else if let Some(inner) = grouped(operation, &name, &value) {
            for (position, value) in inner {
                if found[position].is_some() {
                    return Err(refused(
                        operation,
                        vec![format!(
                            "/{name}: repeats an argument that stands beside it"
                        )],
                    ));
                }
                found[position] = Some(value);
            }
        } else {
            unknown.push(name);
        }
    }
    if !unknown.is_empty() {
        return Err(unknown_arguments(operation, &unknown));
    }
    // `null` is a JSON body, and may be the value of its fields; for every other kind, and for arguments, it is nothing.
    let takes_null = plan.is_some_and(|body| body.kind == BodyKind::Json);
    let body = body.filter(|body| takes_null || !body.is_null());
    let lacks = |plan: &&Body| body.is_none() && !plan.spread && plan.required;
    if let Some(Body { name, .. }) = plan.filter(lacks) {
        return Err(refused(
            operation,
            vec![format!("/{name}: required, and missing")],
        ));
    }
    let means = |argument: &Argument, value: &Value| {
        !value.is_null() || (takes_null && argument.location == Location::Body)
    };
    let values: Vec<(&Argument, Value)> = operation
        .arguments
        .iter()
        .zip(found)
        .filter_map(|(argument, value)| {
            Some((argument, value.filter(|value| means(argument, value))?))
        })
        .collect();
    let missing: Vec<String> = operation
        .arguments
        .iter()
        .filter(|argument| {
            argument.required && !values.iter().any(|(given, _)| given.name == argument.name)
        })
        .map(|argument| format!("/{}: required, and missing", argument.name))
        .collect();
    if !missing.is_empty() {
        return Err(refused(operation, missing));
    }
    if is_spread {
        return Ok(gathered(values, plan.is_some_and(|body| body.required)));
    }
    Ok(Given { values, body })
}

/// The body put together from its fields.
fn gathered(values: Vec<(&Argument, Value)>, required: bool) -> Given<'_> {
    let (fields, values): (Vec<_>, Vec<_>) = values
        .into_iter()
        .partition(|(argument, _)| argument.location == Location::Body);
    let body: Map<String, Value> = fields
        .into_iter()
        .map(|(argument, value)| (argument.wire.clone(), value))
        .collect();
    let is_sent = required || !body.is_empty();
    Given {
        values,
        body: is_sent.then_some(Value::Object(body)),
    }
}

fn position(operation: &Operation, name: &str) -> Option<usize> {
    let exact = |argument: &Argument| argument.name == name;
    // Headers have no case.
    let header = |argument: &Argument| {
        argument.location == Location::Header && argument.name.eq_ignore_ascii_case(name)
    };
    operation
        .arguments
        .iter()
        .position(exact)
        .or_else(|| operation.arguments.iter().position(header))
}

/// `{"query": {"page": 1}}`: arguments under the name of their location have one reading.
fn grouped(operation: &Operation, name: &str, value: &Value) -> Option<Vec<(usize, Value)>> {
    let location = match name {
        BODY => Location::Body,
        _ => Location::parse(name.trim_end_matches('s'))?,
    };
    let inner = value.as_object()?;
    inner
        .iter()
        .map(|(wire, value)| {
            let position = operation.arguments.iter().position(|argument| {
                argument.location == location && (argument.wire == *wire || argument.name == *wire)
            })?;
            Some((position, value.clone()))
        })
        .collect()
}

fn unknown_arguments(operation: &Operation, unknown: &[String]) -> Failure {
    let details = unknown
        .iter()
        .map(|name| match &operation.body {
            Some(body) if !body.spread && body.properties.contains(name) => {
                format!("/{name}: belongs into `{}`", body.name)
            }
            _ => format!("/{name}: {} has no such argument", operation.tool.name),
        })
        .collect();
    refused(operation, details)
}

/// A refusal before anything was sent.
pub(super) fn refused(operation: &Operation, details: Vec<String>) -> Failure {
    let names: Vec<&str> = operation
        .arguments
        .iter()
        .map(|argument| argument.name.as_str())
        .chain(
            operation
                .body
                .as_ref()
                .and_then(|body| (!body.spread).then_some(body.name.as_str())),
        )
        .collect();
    let takes = match names.is_empty() {
        true => "It takes no arguments.".to_owned(),
        false => format!("Its arguments are: {}.", names.join(", ")),
    };
    Failure::new(
        Code::ArgValidationFailed,
        format!(
            "the arguments do not fit {}; nothing was sent",
            operation.tool.name
        ),
    )
    .with("details", json!(details))
    .with_hint(format!(
        "Change only what `details` names, then call again. {takes}"
    ))
}
