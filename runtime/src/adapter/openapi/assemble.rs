//! From what a document says to tools that can be called.

use reqwest::{Method, header::HeaderValue};
use serde_json::Value;

use super::{
    credentials::Reserved,
    description::{Description, essence, is_json},
    document::{Document, Version, invalid},
    extensions::Extensions,
    inputs::{Inputs, Rules, inputs},
    names::{Identity, tool_names},
    operation::Operation,
    schema::cut,
    selection::Selection,
    servers::Servers,
    settings::OpenApiSettings,
    template, version2, version3,
};
use crate::{
    catalog::{Hints, Schema, Tool},
    reply::Failure,
};

const MAX_DESCRIPTION: usize = 1_200;

/// Every operation that the settings offer.
pub(super) fn operations(
    document: &Document,
    settings: &OpenApiSettings,
    servers: &Servers,
    reserved: &Reserved,
) -> Result<Vec<Operation>, Failure> {
    let selection = Selection::new(settings)?;
    let described = match document.version {
        Version::Swagger2 => version2::operations(document),
        Version::V3_0 | Version::V3_1 => version3::operations(document),
    };
    let mut extensions = Vec::new();
    for operation in &described {
        let body = operation
            .body
            .as_ref()
            .map_or(&Value::Null, |body| body.stated);
        let said =
            Extensions::of(operation.stated, body).map_err(|what| wrong(operation, &what))?;
        extensions.push(said);
    }
    let identities: Vec<Identity<'_>> = described
        .iter()
        .zip(&extensions)
        .map(|(operation, said)| Identity {
            name: said.name,
            operation_id: operation.operation_id,
            method: operation.method,
            path: operation.path,
        })
        .collect();
    let names = tool_names(&identities).map_err(invalid)?;
    let mut operations = Vec::new();
    for ((operation, said), name) in described.iter().zip(extensions).zip(names) {
        if !selection.offers(&name, &operation.tags) {
            continue;
        }
        let rules = Rules {
            reserved,
            spreads_body: said.spreads_body,
            body_name: said.body_name,
            paths_allowed: settings.files_folder.is_some(),
        };
        let inputs = inputs(document, operation, &rules).map_err(|what| wrong(operation, &what))?;
        let is_doubted = settings.is_doubted;
        operations.extend(assembled(
            servers, operation, name, inputs, said, is_doubted,
        ));
    }
    Ok(operations)
}

/// Where the document is wrong, and how.
fn wrong(operation: &Description<'_>, what: &str) -> Failure {
    invalid(format!(
        "the document, {} {}: {what}",
        operation.method, operation.path
    ))
}

fn assembled(
    servers: &Servers,
    operation: &Description<'_>,
    name: String,
    inputs: Inputs,
    said: Extensions<'_>,
    is_doubted: bool,
) -> Option<Operation> {
    let (path, query) = template::split(operation.path);
    Some(Operation {
        tool: Tool {
            name,
            title: operation.summary.map(|summary| cut(summary, 100)),
            description: description(operation),
            input_schema: Schema::new(inputs.schema),
            output_schema: None,
            hints: hints(operation.method, &said, is_doubted),
            tags: operation.tags.clone(),
        },
        method: Method::from_bytes(operation.method.as_bytes()).ok()?,
        path: path.to_owned(),
        query: query.map(str::to_owned),
        arguments: inputs.arguments,
        body: inputs.body,
        projection: said.projection,
        target: servers.of_operation(operation.server),
        security: operation.security.clone(),
        accept: accept(&operation.produces),
    })
}

/// What it is for, and the request that it is: the path often says best what is meant.
fn description(operation: &Description<'_>) -> String {
    let summary = operation.summary.unwrap_or_default().trim();
    let details = operation.description.unwrap_or_default().trim();
    let mut text = String::new();
    if operation.deprecated {
        text.push_str("Deprecated. ");
    }
    if !details.starts_with(summary) || details.is_empty() {
        text.push_str(summary);
        if !summary.is_empty() {
            text.push_str(if summary.ends_with(['.', '!', '?']) {
                " "
            } else {
                ". "
            });
        }
    }
    text.push_str(&cut(details, MAX_DESCRIPTION));
    format!(
        "{} ({} {})",
        text.trim_end(),
        operation.method,
        operation.path
    )
    .trim_start()
    .to_owned()
}

/// What the method says, unless the document says otherwise: one that is doubted takes no destruction back.
fn hints(method: &str, said: &Extensions<'_>, is_doubted: bool) -> Hints {
    let read_only = said.read_only.unwrap_or_else(|| only_reads(method));
    let by_method = match method {
        _ if read_only => Some(false),
        "DELETE" => Some(true),
        _ => None,
    };
    let repeatable = read_only || matches!(method, "PUT" | "DELETE");
    Hints {
        read_only,
        destructive: match method {
            "DELETE" if is_doubted => Some(true),
            _ => said.destructive.or(by_method),
        },
        idempotent: repeatable.then_some(true),
        open_world: None,
    }
}

/// JSON where there is JSON, then what the document names, then anything.
fn accept(produces: &[String]) -> HeaderValue {
    let mut types: Vec<&str> = produces
        .iter()
        .map(|media_type| media_type.trim())
        .filter(|media_type| !media_type.is_empty() && *media_type != "*/*")
        .collect();
    types.sort_by_key(|media_type| !is_json(&essence(media_type)));
    types.truncate(5);
    if types.is_empty() {
        types.push("application/json");
    }
    let first = types[0];
    let others = types[1..].iter().map(|other| format!(", {other};q=0.8"));
    let text = format!("{first}{}, */*;q=0.1", others.collect::<String>());
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("*/*"))
}

/// Whether a method is one that changes nothing.
fn only_reads(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS" | "QUERY")
}

#[cfg(test)]
#[path = "assemble_tests.rs"]
mod tests;
