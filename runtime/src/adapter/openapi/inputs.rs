//! What a tool takes: the arguments of an operation, their schemas, and how its body is written.

use serde_json::{Map, Value, json};

use super::{
    body_schema::body_schema,
    credentials::Reserved,
    description::{Description, Location, Parameter, Schema, Style, Writing},
    document::Document,
    extensions::{argument_name, clash},
    names::FieldNames,
    operation::{Argument, Body},
    schema::{Converter, cut},
    spread::spread,
    template,
};

/// The argument that holds the request body, where the document does not name it.
pub(super) const BODY: &str = "body";
const MAX_DESCRIPTION: usize = 500;

/// What a tool takes.
pub(super) struct Inputs {
    pub arguments: Vec<Argument>,
    pub body: Option<Body>,
    /// The schema of all of it.
    pub schema: Map<String, Value>,
}

/// How an operation's inputs are made.
pub(super) struct Rules<'a> {
    pub reserved: &'a Reserved,
    pub spreads_body: bool,
    /// What a body that is not spread out is called.
    pub body_name: Option<&'a str>,
    /// Whether uploads may be named by their path.
    pub paths_allowed: bool,
}

/// The inputs of an operation. Says what the document has wrong.
pub(super) fn inputs(
    document: &Document,
    operation: &Description<'_>,
    rules: &Rules<'_>,
) -> Result<Inputs, String> {
    let undeclared = undeclared(operation, template::split(operation.path).0);
    let mut converter = Converter::new(document);
    let mut fields = FieldNames::default();
    let mut listed: Vec<(Argument, Value)> = Vec::new();
    let mut spread_body = None;
    let mut whole_body = None;
    let body_name = rules.body_name.unwrap_or(BODY);
    if let Some(body) = &operation.body {
        if rules.spreads_body {
            spread_body = spread(document, body, &mut converter, rules.paths_allowed)?;
        }
        if spread_body.is_none() {
            // The body has its name first: it is the one that every model expects.
            fields.take(body_name, BODY);
            whole_body = Some(body);
        }
    }
    for (parameter, name) in named(operation, &undeclared, rules.reserved, &mut fields)? {
        let schema = schema(parameter, &mut converter);
        listed.push((argument(parameter, name), schema));
    }
    let mut plan = None;
    if let Some(spread) = spread_body {
        let names = spread.arguments.iter().map(|(one, _)| one.name.as_str());
        let taken: Vec<&str> = names.filter(|name| !fields.claim(name)).collect();
        if !taken.is_empty() {
            return Err(clash(&taken));
        }
        listed.extend(spread.arguments);
        plan = Some(spread.plan);
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (argument, schema) in &listed {
        properties.insert(argument.name.clone(), schema.clone());
        if argument.required {
            required.push(json!(argument.name));
        }
    }
    if let Some(body) = whole_body {
        let (schema, mut whole) = body_schema(document, body, &mut converter, rules.paths_allowed);
        whole.name = body_name.to_owned();
        properties.insert(whole.name.clone(), schema);
        if whole.required {
            required.push(json!(whole.name));
        }
        plan = Some(whole);
    }
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".into(), Value::Array(required));
    }
    let defs = converter.finish();
    if !defs.is_empty() {
        schema.insert("$defs".into(), Value::Object(defs));
    }
    Ok(Inputs {
        arguments: listed.into_iter().map(|(argument, _)| argument).collect(),
        body: plan,
        schema,
    })
}

/// The parameters that a model can set, by their place, each with its name as an argument.
fn named<'a>(
    operation: &'a Description<'a>,
    undeclared: &'a [Parameter<'a>],
    reserved: &Reserved,
    fields: &mut FieldNames,
) -> Result<Vec<(&'a Parameter<'a>, String)>, String> {
    let mut parameters: Vec<&Parameter<'_>> = operation
        .parameters
        .iter()
        .chain(undeclared)
        .filter(|parameter| !reserved.holds(parameter.location, parameter.name))
        .collect();
    parameters.sort_by_key(|parameter| parameter.location as u8);
    // What is named on purpose comes before what only has that name.
    let mut names = Vec::new();
    for parameter in &parameters {
        let name = argument_name(parameter.stated)?;
        if let Some(name) = name.filter(|name| !fields.claim(name)) {
            return Err(clash(&[name]));
        }
        names.push(name);
    }
    let named = parameters.into_iter().zip(names);
    Ok(named
        .map(|(parameter, name)| {
            let name = match name {
                Some(name) => name.to_owned(),
                None => fields.take(parameter.name, parameter.location.as_str()),
            };
            (parameter, name)
        })
        .collect())
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
            schema: Some(Schema::Composed(json!({"type": "string"}))),
            stated: &Value::Null,
            writing: Writing::Styled {
                style: Style::Simple,
                explode: false,
                allow_reserved: false,
            },
        })
        .collect()
}

fn argument(parameter: &Parameter<'_>, name: String) -> Argument {
    let kind = parameter
        .schema
        .as_ref()
        .and_then(|schema| schema.value().get("type"))
        .and_then(Value::as_str);
    Argument {
        name,
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
        (Some(text), _) => cut(text, MAX_DESCRIPTION),
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
