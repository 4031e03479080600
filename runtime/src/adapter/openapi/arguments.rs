//! The arguments of a call, each at its place. Nothing that the operation does not have is dropped silently.

use serde_json::{Map, Value, json};

use super::{
    assemble::BODY,
    description::Location,
    operation::{Argument, BodyKind, Operation},
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
    let mut body = None;
    let mut unknown = Vec::new();
    for (name, value) in arguments {
        if name == BODY && operation.body.is_some() {
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
    // `null` is a JSON body; for every other kind, and for arguments, it is nothing.
    let takes_null = operation
        .body
        .as_ref()
        .is_some_and(|body| body.kind == BodyKind::Json);
    let body = body.filter(|body| takes_null || !body.is_null());
    if body.is_none() && operation.body.as_ref().is_some_and(|body| body.required) {
        return Err(refused(
            operation,
            vec!["/body: required, and missing".into()],
        ));
    }
    let values: Vec<(&Argument, Value)> = operation
        .arguments
        .iter()
        .zip(found)
        .filter_map(|(argument, value)| Some((argument, value.filter(|value| !value.is_null())?)))
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
    Ok(Given { values, body })
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
    let location = Location::parse(name.trim_end_matches('s'))?;
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
            Some(body) if body.properties.contains(name) => {
                format!("/{name}: belongs into `{BODY}`")
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
        .chain(operation.body.is_some().then_some(BODY))
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
