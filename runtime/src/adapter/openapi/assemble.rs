//! From what a document says to tools that can be called.

use reqwest::{Method, header::HeaderValue};
use serde_json::{Map, Value, json};

use super::{
    body_schema::body_schema,
    credentials::Reserved,
    description::{Description, Location, Parameter, Style, Writing, essence, is_json},
    document::{Document, Version},
    names::{FieldNames, Identity, tool_names},
    operation::{Argument, Operation, only_reads},
    schema::{Converter, cut},
    selection::Selection,
    servers::Servers,
    settings::OpenApiSettings,
    template, version2, version3,
};
use crate::{
    catalog::{Hints, Schema, Tool},
    reply::Failure,
};

/// The argument that holds the request body.
pub(super) const BODY: &str = "body";
const MAX_DESCRIPTION: usize = 1_200;
const MAX_ARGUMENT_DESCRIPTION: usize = 500;

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
    let identities: Vec<Identity<'_>> = described
        .iter()
        .map(|operation| Identity {
            operation_id: operation.operation_id,
            method: operation.method,
            path: operation.path,
        })
        .collect();
    let names = tool_names(&identities);
    let offered = described
        .iter()
        .zip(names)
        .filter(|(operation, name)| selection.offers(name, &operation.tags))
        .filter_map(|(operation, name)| {
            assembled(document, settings, servers, reserved, operation, name)
        });
    Ok(offered.collect())
}

fn assembled(
    document: &Document,
    settings: &OpenApiSettings,
    servers: &Servers,
    reserved: &Reserved,
    operation: &Description<'_>,
    name: String,
) -> Option<Operation> {
    let (path, query) = template::split(operation.path);
    let mut fields = FieldNames::default();
    let mut converter = Converter::new(document);
    let mut properties = Map::new();
    let mut required = Vec::new();
    if operation.body.is_some() {
        // The body has its name first: it is the one that every model expects.
        fields.take(BODY, "body");
    }
    let undeclared = undeclared(operation, path);
    let mut parameters: Vec<&Parameter<'_>> = operation
        .parameters
        .iter()
        .chain(&undeclared)
        .filter(|parameter| !reserved.holds(parameter.location, parameter.name))
        .collect();
    parameters.sort_by_key(|parameter| parameter.location as u8);
    let mut arguments = Vec::new();
    for parameter in parameters {
        let argument = argument(parameter, &mut fields);
        properties.insert(argument.name.clone(), schema(parameter, &mut converter));
        if argument.required {
            required.push(json!(argument.name));
        }
        arguments.push(argument);
    }
    let body = operation.body.as_ref().map(|body| {
        let (schema, plan) = body_schema(
            document,
            body,
            &mut converter,
            settings.files_folder.is_some(),
        );
        properties.insert(BODY.into(), schema);
        if plan.required {
            required.push(json!(BODY));
        }
        plan
    });
    let mut input = Map::new();
    input.insert("type".into(), json!("object"));
    input.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        input.insert("required".into(), Value::Array(required));
    }
    let defs = converter.finish();
    if !defs.is_empty() {
        input.insert("$defs".into(), Value::Object(defs));
    }
    Some(Operation {
        tool: Tool {
            name,
            title: operation.summary.map(|summary| cut(summary, 100)),
            description: description(operation),
            input_schema: Schema::new(input),
            output_schema: None,
            hints: hints(operation.method),
        },
        method: Method::from_bytes(operation.method.as_bytes()).ok()?,
        path: path.to_owned(),
        query: query.map(str::to_owned),
        arguments,
        body,
        target: servers.of_operation(operation.server),
        security: operation.security.clone(),
        accept: accept(&operation.produces),
    })
}

/// Variables of the path that no parameter describes.
fn undeclared<'a>(operation: &Description<'a>, path: &'a str) -> Vec<Parameter<'a>> {
    template::variables(path)
        .filter(|variable| {
            !operation.parameters.iter().any(|parameter| {
                parameter.location == Location::Path && parameter.name == *variable
            })
        })
        .map(|variable| Parameter {
            name: variable,
            location: Location::Path,
            required: true,
            description: None,
            deprecated: false,
            schema: Some(super::description::Schema::Composed(
                json!({"type": "string"}),
            )),
            writing: Writing::Styled {
                style: Style::Simple,
                explode: false,
                allow_reserved: false,
            },
        })
        .collect()
}

fn argument(parameter: &Parameter<'_>, fields: &mut FieldNames) -> Argument {
    let kind = parameter
        .schema
        .as_ref()
        .and_then(|schema| schema.value().get("type"))
        .and_then(Value::as_str);
    Argument {
        name: fields.take(parameter.name, parameter.location.as_str()),
        wire: parameter.name.to_owned(),
        location: parameter.location,
        required: parameter.required,
        writing: parameter.writing.clone(),
        is_integer: kind == Some("integer"),
    }
}

fn schema<'a>(parameter: &'a Parameter<'_>, converter: &mut Converter<'a>) -> Value {
    let mut schema = match &parameter.schema {
        Some(schema) => converter.convert(schema.value()),
        None => json!({}),
    };
    let Some(map) = schema.as_object_mut() else {
        return schema;
    };
    let text = match (parameter.description, map.get("description")) {
        (Some(text), _) => cut(text, MAX_ARGUMENT_DESCRIPTION),
        (None, Some(Value::String(text))) => text.clone(),
        _ => String::new(),
    };
    let text = match parameter.deprecated {
        true => format!("Deprecated. {text}").trim_end().to_owned(),
        false => text,
    };
    if !text.is_empty() {
        map.insert("description".into(), json!(text));
    }
    schema
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

fn hints(method: &str) -> Hints {
    let read_only = only_reads(method);
    Hints {
        read_only,
        destructive: match method {
            "DELETE" => Some(true),
            _ if read_only => Some(false),
            _ => None,
        },
        idempotent: (read_only || matches!(method, "PUT" | "DELETE")).then_some(true),
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

#[cfg(test)]
#[path = "assemble_tests.rs"]
mod tests;
