//! Operations of Swagger 2.0.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::{
    description::{
        Body, Description, FieldEncoding, Location, Parameter, Schema, Style, Writing, essence,
        is_json,
    },
    document::Document,
    version3::{each, flag, merged, security, strings, text},
};

/// The keywords of a parameter that are its schema.
const SCHEMA_KEYWORDS: &[&str] = &[
    "type",
    "format",
    "items",
    "enum",
    "default",
    "maximum",
    "minimum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
];

/// Every operation, in the order of the document.
pub(super) fn operations(document: &Document) -> Vec<Description<'_>> {
    each(document)
        .map(|(path, item, method, operation)| describe(document, path, item, method, operation))
        .collect()
}

fn describe<'a>(
    document: &'a Document,
    path: &'a str,
    item: &'a Value,
    method: &'static str,
    operation: &'a Value,
) -> Description<'a> {
    let types = |key: &str| strings(operation.get(key).or(document.root.get(key)));
    let stated = merged(document, item, operation);
    Description {
        operation_id: text(operation, "operationId"),
        method,
        path,
        summary: text(operation, "summary"),
        description: text(operation, "description"),
        tags: strings(operation.get("tags")),
        deprecated: flag(operation, "deprecated"),
        parameters: stated
            .iter()
            .filter_map(|parameter| describe_parameter(parameter))
            .collect(),
        body: body(&stated, &types("consumes")),
        server: None,
        security: security(operation.get("security").or(document.root.get("security"))),
        produces: types("produces"),
        stated: operation,
    }
}

fn describe_parameter(parameter: &Value) -> Option<Parameter<'_>> {
    let location = Location::parse(text(parameter, "in")?)?;
    Some(Parameter {
        name: text(parameter, "name")?,
        location,
        required: flag(parameter, "required") || location == Location::Path,
        description: text(parameter, "description"),
        deprecated: flag(parameter, "deprecated"),
        schema: Some(Schema::Composed(schema_of(parameter))),
        writing: collected(parameter, location),
        stated: parameter,
    })
}

fn schema_of(parameter: &Value) -> Value {
    let keywords = SCHEMA_KEYWORDS
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), parameter.get(key)?.clone())));
    Value::Object(keywords.collect())
}

/// What `collectionFormat` says: commas, unless something else is stated.
fn collected(parameter: &Value, location: Location) -> Writing {
    let format = text(parameter, "collectionFormat").unwrap_or("csv");
    let style = match (format, location) {
        ("ssv", _) => Style::SPACES,
        ("tsv", _) => Style::TABS,
        ("pipes", _) => Style::PIPES,
        (_, location) => Style::of_location(location),
    };
    Writing::Styled {
        style,
        explode: format == "multi",
        allow_reserved: false,
    }
}

fn body<'a>(stated: &[&'a Value], consumes: &[String]) -> Option<Body<'a>> {
    let placed = |place: &'static str| {
        stated
            .iter()
            .copied()
            .filter(move |parameter| text(parameter, "in") == Some(place))
    };
    if let Some(parameter) = placed("body").next() {
        let json = consumes
            .iter()
            .find(|media_type| is_json(&essence(media_type)));
        let media_type = json.or(consumes.first());
        return Some(Body {
            required: flag(parameter, "required"),
            description: text(parameter, "description"),
            media_type: media_type
                .map_or("application/json", String::as_str)
                .to_owned(),
            schema: parameter.get("schema").map(Schema::Stated),
            fields: IndexMap::new(),
            stated: parameter,
        });
    }
    let fields: Vec<&Value> = placed("formData").collect();
    if fields.is_empty() {
        return None;
    }
    let has_file = fields
        .iter()
        .any(|field| text(field, "type") == Some("file"));
    let multipart = has_file
        || (consumes
            .iter()
            .any(|one| essence(one) == "multipart/form-data")
            && !consumes
                .iter()
                .any(|one| essence(one) == "application/x-www-form-urlencoded"));
    Some(form(&fields, multipart))
}

/// The fields of a form as one object.
fn form<'a>(fields: &[&'a Value], multipart: bool) -> Body<'a> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut encodings = IndexMap::new();
    for field in fields {
        let Some(name) = text(field, "name") else {
            continue;
        };
        let mut schema = schema_of(field);
        if text(field, "type") == Some("file") {
            schema["type"] = json!("string");
            schema["format"] = json!("binary");
        }
        if let Some(description) = text(field, "description") {
            schema["description"] = json!(description);
        }
        // What is said to this program of the field.
        let extensions = field.as_object().into_iter().flatten();
        for (key, value) in extensions.filter(|(key, _)| key.starts_with("x-")) {
            schema[key] = value.clone();
        }
        properties.insert(name.to_owned(), schema);
        if flag(field, "required") {
            required.push(json!(name));
        }
        encodings.insert(
            name.to_owned(),
            FieldEncoding {
                writing: Some(collected(field, Location::Query)),
                content_type: None,
            },
        );
    }
    let media_type = match multipart {
        true => "multipart/form-data",
        false => "application/x-www-form-urlencoded",
    };
    let is_required = !required.is_empty();
    Body {
        required: is_required,
        description: None,
        media_type: media_type.to_owned(),
        schema: Some(Schema::Composed(
            json!({"type": "object", "properties": properties, "required": required}),
        )),
        fields: encodings,
        stated: &Value::Null,
    }
}
