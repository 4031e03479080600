//! Operations of OpenAPI 3.0, 3.1 and 3.2.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{
    description::{
        Body, Description, FieldEncoding, Location, Parameter, Schema, Style, Writing, essence,
        is_json, is_text,
    },
    document::Document,
};

/// `TRACE` only echoes, and proxies refuse it.
const METHODS: &[(&str, &str)] = &[
    ("get", "GET"),
    ("put", "PUT"),
    ("post", "POST"),
    ("delete", "DELETE"),
    ("options", "OPTIONS"),
    ("head", "HEAD"),
    ("patch", "PATCH"),
    ("query", "QUERY"),
];

/// Every operation, in the order of the document.
pub(super) fn operations(document: &Document) -> Vec<Description<'_>> {
    let mut operations = Vec::new();
    for (path, item, method, operation) in each(document) {
        operations.push(describe(document, path, item, method, operation));
    }
    operations
}

/// Path, path item, method and operation of each operation; those of no known version are left out.
pub(super) fn each(
    document: &Document,
) -> impl Iterator<Item = (&str, &Value, &'static str, &Value)> {
    let paths = document.root.get("paths").and_then(Value::as_object);
    paths
        .into_iter()
        .flatten()
        .filter(|(path, _)| path.starts_with('/'))
        .flat_map(|(path, item)| {
            let item = document.resolved(item).unwrap_or(&Value::Null);
            METHODS.iter().filter_map(move |(key, method)| {
                let operation = item.get(key).filter(|operation| operation.is_object())?;
                Some((path.as_str(), item, *method, operation))
            })
        })
}

fn describe<'a>(
    document: &'a Document,
    path: &'a str,
    item: &'a Value,
    method: &'static str,
    operation: &'a Value,
) -> Description<'a> {
    let own_servers = first(operation.get("servers")).or_else(|| first(item.get("servers")));
    let body = operation
        .get("requestBody")
        .and_then(|body| document.resolved(body))
        .and_then(|body| describe_body(document, body));
    Description {
        operation_id: operation.get("operationId").and_then(Value::as_str),
        method,
        path,
        summary: text(operation, "summary").or_else(|| text(item, "summary")),
        description: text(operation, "description").or_else(|| text(item, "description")),
        tags: strings(operation.get("tags")),
        deprecated: flag(operation, "deprecated"),
        parameters: merged(document, item, operation)
            .into_iter()
            .filter_map(|parameter| describe_parameter(document, parameter))
            .collect(),
        body,
        server: own_servers,
        security: security(operation.get("security").or(document.root.get("security"))),
        produces: produces(document, operation),
        stated: operation,
    }
}

/// The parameters of path and operation; the operation's own replace those of the same name and place.
pub(super) fn merged<'a>(
    document: &'a Document,
    item: &'a Value,
    operation: &'a Value,
) -> Vec<&'a Value> {
    let mut parameters: IndexMap<(&str, &str), &Value> = IndexMap::new();
    for source in [item, operation] {
        let listed = source.get("parameters").and_then(Value::as_array);
        for parameter in listed.into_iter().flatten() {
            let Some(parameter) = document.resolved(parameter) else {
                tracing::warn!("a parameter is left out: its reference leads to nothing");
                continue;
            };
            if let (Some(name), Some(place)) = (text(parameter, "name"), text(parameter, "in")) {
                parameters.insert((place, name), parameter);
            }
        }
    }
    parameters.into_values().collect()
}

fn describe_parameter<'a>(document: &'a Document, parameter: &'a Value) -> Option<Parameter<'a>> {
    let location = Location::parse(text(parameter, "in")?)?;
    let content = parameter
        .get("content")
        .and_then(Value::as_object)
        .and_then(|content| content.iter().next());
    let (schema, writing) = match content {
        Some((media_type, media)) => {
            let json = is_json(&essence(media_type)) || media_type == "*/*";
            let writing = match json {
                true => Writing::Json,
                false => styled(parameter, location),
            };
            let media = document.resolved(media).unwrap_or(media);
            (media.get("schema"), writing)
        }
        None => (parameter.get("schema"), styled(parameter, location)),
    };
    Some(Parameter {
        name: text(parameter, "name")?,
        location,
        required: flag(parameter, "required") || location == Location::Path,
        description: text(parameter, "description"),
        deprecated: flag(parameter, "deprecated"),
        schema: schema.map(Schema::Stated),
        writing,
        stated: parameter,
    })
}

fn styled(parameter: &Value, location: Location) -> Writing {
    let style = text(parameter, "style").and_then(style_of);
    let style = style.unwrap_or(Style::of_location(location));
    let explode = parameter.get("explode").and_then(Value::as_bool);
    Writing::Styled {
        style,
        // Only `form` is exploded by itself; a deep object has no other way.
        explode: explode.unwrap_or(style == Style::COMMAS),
        allow_reserved: flag(parameter, "allowReserved"),
    }
}

fn style_of(name: &str) -> Option<Style> {
    Some(match name {
        "simple" => Style::Simple,
        "label" => Style::Label,
        "matrix" => Style::Matrix,
        "form" | "cookie" => Style::COMMAS,
        "spaceDelimited" => Style::SPACES,
        "pipeDelimited" => Style::PIPES,
        "deepObject" => Style::DeepObject,
        _ => return None,
    })
}

fn describe_body<'a>(document: &'a Document, body: &'a Value) -> Option<Body<'a>> {
    let content = body.get("content").and_then(Value::as_object)?;
    let (media_type, media) = preferred(content)?;
    let media = document.resolved(media).unwrap_or(media);
    let mut fields = IndexMap::new();
    let encodings = media.get("encoding").and_then(Value::as_object);
    for (name, encoding) in encodings.into_iter().flatten() {
        let says_how = ["style", "explode", "allowReserved"]
            .iter()
            .any(|key| encoding.get(key).is_some());
        fields.insert(
            name.clone(),
            FieldEncoding {
                writing: says_how.then(|| styled(encoding, Location::Query)),
                content_type: text(encoding, "contentType").map(str::to_owned),
            },
        );
    }
    Some(Body {
        required: flag(body, "required"),
        description: text(body, "description"),
        media_type: media_type.clone(),
        schema: media.get("schema").map(Schema::Stated),
        fields,
        stated: body,
    })
}

/// The media type that is easiest to write rightly.
fn preferred(content: &Map<String, Value>) -> Option<(&String, &Value)> {
    let rank = |media_type: &str| match essence(media_type).as_str() {
        "application/json" => 0,
        essence if is_json(essence) => 1,
        "multipart/form-data" => 2,
        "application/x-www-form-urlencoded" => 3,
        "text/plain" => 4,
        essence if is_text(essence) => 5,
        _ => 6,
    };
    content
        .iter()
        .min_by_key(|(media_type, _)| rank(media_type))
}

pub(super) fn security(stated: Option<&Value>) -> Option<Vec<Vec<String>>> {
    let alternatives = stated?.as_array()?;
    let schemes = |alternative: &Value| -> Vec<String> {
        let map = alternative.as_object();
        map.into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect()
    };
    Some(alternatives.iter().map(schemes).collect())
}

fn produces(document: &Document, operation: &Value) -> Vec<String> {
    let mut types: Vec<String> = Vec::new();
    let responses = operation.get("responses").and_then(Value::as_object);
    for (status, response) in responses.into_iter().flatten() {
        if !status.starts_with('2') && status != "default" {
            continue;
        }
        let content = document
            .resolved(response)
            .and_then(|response| response.get("content"))
            .and_then(Value::as_object);
        for (media_type, _) in content.into_iter().flatten() {
            if !types.contains(media_type) {
                types.push(media_type.clone());
            }
        }
    }
    types
}

fn first(list: Option<&Value>) -> Option<&Value> {
    list?.as_array()?.first()
}

pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    let text = value.get(key)?.as_str()?;
    (!text.is_empty()).then_some(text)
}

pub(super) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool) == Some(true)
}

pub(super) fn strings(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}
