use serde_json::{Map, json};

use super::*;
use crate::adapter::openapi::load::operations_of;

fn tools(paths: Value, settings: Value) -> Vec<Operation> {
    let document = json!({"openapi": "3.0.3", "servers": [{"url": "http://127.0.0.1:9"}], "paths": paths,
        "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "api_key"}}}});
    operations_of(document, settings).unwrap()
}

fn input(operation: &Operation) -> Value {
    Value::Object(Map::clone(&operation.tool.input_schema))
}

#[test]
fn an_operation_becomes_a_tool() {
    let tool = &tools(
        json!({"/pets/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}, "description": "Of the path."},
                {"name": "verbose", "in": "query", "schema": {"type": "integer"}}],
            "put": {"operationId": "pets/update", "summary": "Update a pet", "description": "All of it.", "deprecated": true, "tags": ["pets"],
                "parameters": [{"name": "id", "in": "query", "schema": {"type": "integer"}}, {"name": "body", "in": "header"},
                    {"name": "verbose", "in": "query", "deprecated": true, "schema": {"type": "boolean"}},
                    {"name": "Authorization", "in": "header", "required": true}, {"name": "api_key", "in": "query"}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object",
                    "required": ["id", "name"], "properties": {"id": {"type": "string", "readOnly": true}, "name": {"type": "string"}}}}}},
                "responses": {"200": {"content": {"text/csv": {}, "application/json": {}}}}}}}),
        json!({}),
    )[0];
    assert_eq!(tool.tool.name, "pets_update");
    assert_eq!(tool.tool.title.as_deref(), Some("Update a pet"));
    assert_eq!(
        tool.tool.description,
        "Deprecated. Update a pet. All of it. (PUT /pets/{id})"
    );
    assert_eq!(
        input(tool),
        json!({"type": "object",
            "properties": {
                "id": {"type": "string", "description": "Of the path."},
                "verbose": {"type": "boolean", "description": "Deprecated."},
                "id_query": {"type": "integer"},
                "body_header": {},
                "body": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}, "description": "The request body."},
            },
            "required": ["id", "body"]})
    );
    assert_eq!(tool.accept, "application/json, text/csv;q=0.8, */*;q=0.1");
    assert!(!tool.tool.hints.read_only);
    assert_eq!(tool.tool.hints.idempotent, Some(true));
}

#[test]
fn methods_say_what_they_do() {
    let operations = tools(
        json!({"/x": {"get": {}, "head": {}, "options": {}, "post": {}, "put": {}, "patch": {}, "delete": {}, "trace": {}}}),
        json!({}),
    );
    let of = |method: &str| {
        let operation = operations.iter().find(|one| one.method == method).unwrap();
        let hints = operation.tool.hints;
        (hints.read_only, hints.destructive, hints.idempotent)
    };
    for method in ["GET", "HEAD", "OPTIONS"] {
        assert_eq!(of(method), (true, Some(false), Some(true)));
    }
    assert_eq!(of("POST"), (false, None, None));
    assert_eq!(of("PATCH"), (false, None, None));
    assert_eq!(of("PUT"), (false, None, Some(true)));
    assert_eq!(of("DELETE"), (false, Some(true), Some(true)));
    assert_eq!(operations.len(), 7);
    assert_eq!(operations[0].tool.name, "get_x");
}

#[test]
fn broken_parts_of_a_document_harm_only_themselves() {
    let operations = tools(
        json!({
            "/a/{undeclared}": {"get": {"operationId": "a", "parameters": [{"$ref": "#/nowhere"}, "nonsense", {"name": "x"}]}},
            "/b": {"get": {"operationId": "a", "requestBody": {"content": {}}, "responses": []}},
            "/c": "nonsense",
            "/d": {"$ref": "#/paths/~1b"},
            "x-note": {"get": {}},
        }),
        json!({}),
    );
    let names: Vec<&str> = operations
        .iter()
        .map(|one| one.tool.name.as_str())
        .collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert_eq!(names[0], "a");
    assert_eq!(
        input(&operations[0]),
        json!({"type": "object", "properties": {"undeclared": {"type": "string"}}, "required": ["undeclared"]})
    );
}

#[test]
fn a_swagger_2_document_has_the_same_tools() {
    let document = json!({"swagger": "2.0", "host": "127.0.0.1:9", "schemes": ["http"], "basePath": "/v1",
        "consumes": ["application/json"],
        "parameters": {"limit": {"name": "limit", "in": "query", "type": "integer", "maximum": 5, "exclusiveMaximum": true}},
        "definitions": {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}},
        "paths": {
            "/pets": {
                "get": {"operationId": "list", "parameters": [{"$ref": "#/parameters/limit"},
                    {"name": "ids", "in": "query", "type": "array", "items": {"type": "integer"}, "collectionFormat": "pipes"}]},
                "post": {"operationId": "add", "parameters": [{"name": "pet", "in": "body", "required": true, "schema": {"$ref": "#/definitions/Pet"}}]}},
            "/pets/{id}/photo": {"post": {"operationId": "photo", "parameters": [
                {"name": "id", "in": "path", "required": true, "type": "string"},
                {"name": "caption", "in": "formData", "type": "string", "required": true},
                {"name": "file", "in": "formData", "type": "file"}]}}}});
    let operations = operations_of(document, json!({})).unwrap();
    assert_eq!(
        input(&operations[0])["properties"],
        json!({"limit": {"type": "integer", "exclusiveMaximum": 5}, "ids": {"type": "array", "items": {"type": "integer"}}})
    );
    assert_eq!(
        input(&operations[1]),
        json!({"type": "object", "required": ["body"], "properties": {
            "body": {"type": "object", "properties": {"name": {"type": "string"}}, "description": "The request body."}}})
    );
    let photo = input(&operations[2]);
    assert_eq!(photo["required"], json!(["id", "body"]));
    let body = &photo["properties"]["body"];
    assert_eq!(body["required"], json!(["caption"]));
    assert!(body["properties"]["file"]["properties"]["base64"].is_object());
    assert!(
        body["properties"]["file"]["properties"]
            .get("path")
            .is_none()
    );
    let target = operations[0].target.as_ref().unwrap();
    assert_eq!(target.base.as_str(), "http://127.0.0.1:9/v1");
}

#[test]
fn a_body_that_is_no_object_is_one_argument_too() {
    let body = |media_type: &str, schema: Value| {
        let operation = &tools(
            json!({"/v": {"post": {"requestBody": {"content": {media_type: {"schema": schema}}}}}}),
            json!({}),
        )[0];
        (
            operation.body.as_ref().unwrap().kind,
            input(operation)["properties"]["body"].clone(),
        )
    };
    use super::super::operation::BodyKind;
    assert_eq!(
        body(
            "application/json",
            json!({"type": "array", "items": {"type": "integer"}})
        ),
        (
            BodyKind::Json,
            json!({"type": "array", "items": {"type": "integer"}, "description": "The request body."})
        )
    );
    let (kind, schema) = body("application/xml", json!({"type": "object"}));
    assert_eq!((kind, &schema["type"]), (BodyKind::Text, &json!("string")));
    assert_eq!(
        body("application/octet-stream", json!({})).0,
        BodyKind::Binary
    );
    assert_eq!(
        body("image/*", json!({"type": "string", "format": "binary"})).0,
        BodyKind::Binary
    );
    assert_eq!(body("*/*", json!({"type": "object"})).0, BodyKind::Json);
}

fn wrong(paths: Value) -> String {
    let document =
        json!({"openapi": "3.0.3", "servers": [{"url": "http://127.0.0.1:9"}], "paths": paths});
    operations_of(document, json!({})).unwrap_err().error
}

fn with_body(schema: Value) -> Value {
    json!({"/o/{owner}": {"post": {
        "operationId": "o", "x-agent-tools-body": "arguments",
        "parameters": [{"name": "owner", "in": "path", "required": true, "schema": {"type": "string"}}],
        "requestBody": {"content": {"application/json": {"schema": schema}}}}}})
}

#[test]
fn a_body_is_spread_out_where_the_document_says_so() {
    let schema = json!({"allOf": [
        {"type": "object", "required": ["title", "id"], "properties": {
            "id": {"type": "integer", "readOnly": true},
            "title": {"type": "string", "description": "What it is about."},
            "body": {"type": "string", "x-agent-tools-name": "text"}}},
        {"additionalProperties": false, "properties": {"labels": {"type": "array", "items": {"type": "string"}}}},
    ]});
    let tool = &tools(with_body(schema), json!({}))[0];
    assert_eq!(
        input(tool),
        json!({"type": "object",
            "properties": {
                "owner": {"type": "string"},
                "title": {"type": "string", "description": "What it is about."},
                "text": {"type": "string"},
                "labels": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["owner", "title"]})
    );
}

#[test]
fn a_body_that_is_more_than_its_properties_stays_one_argument() {
    let property = json!({"a": {"type": "string"}});
    for schema in [
        json!({"type": "object"}),
        json!({"type": "array", "items": {"properties": property}}),
        json!({"properties": property, "additionalProperties": true}),
        json!({"properties": property, "additionalProperties": {"type": "string"}}),
        json!({"properties": property, "patternProperties": {"^x": {}}}),
        json!({"properties": property, "oneOf": [{"properties": {"b": {}}}]}),
        json!({"allOf": [{"properties": property}, {"anyOf": [{"properties": {"b": {}}}]}]}),
    ] {
        let tool = &tools(with_body(schema.clone()), json!({}))[0];
        let properties = input(tool)["properties"].clone();
        assert!(properties.get("body").is_some(), "{schema}");
        assert!(!tool.body.as_ref().unwrap().spread, "{schema}");
    }
}

#[test]
fn names_of_arguments_that_clash_are_an_error_that_says_which() {
    let what = wrong(with_body(
        json!({"properties": {"owner": {}, "title": {}, "x": {"x-agent-tools-name": "title"}}}),
    ));
    assert!(what.contains("POST /o/{owner}"), "{what}");
    assert!(what.contains("the name owner, title is wanted"), "{what}");
    let parameters = json!([{"name": "a", "in": "query", "x-agent-tools-name": "n"}, {"name": "b", "in": "query", "x-agent-tools-name": "n"}]);
    let what = wrong(json!({"/a": {"get": {"parameters": parameters}}}));
    assert!(what.contains("GET /a: the name n is wanted"), "{what}");
}

#[test]
fn tools_and_arguments_have_the_names_that_the_document_gives_them() {
    let operations = tools(
        json!({"/a": {"get": {"operationId": "a", "x-agent-tools-name": "list_all", "parameters": [
            {"name": "q", "in": "query"},
            {"name": "$filter", "in": "query", "x-agent-tools-name": "q"}]}}}),
        json!({"include": ["list_*"]}),
    );
    assert_eq!(operations[0].tool.name, "list_all");
    let names: Vec<(&str, &str)> = operations[0]
        .arguments
        .iter()
        .map(|argument| (argument.name.as_str(), argument.wire.as_str()))
        .collect();
    assert_eq!(names, [("q_query", "q"), ("q", "$filter")]);
    for (key, value) in [
        ("x-agent-tools-nmae", json!("x")),
        ("x-agent-tools-result", json!("items")),
        ("x-agent-tools-body", json!("args")),
    ] {
        let what = wrong(json!({"/a": {"get": {key: value}}}));
        assert!(what.contains("GET /a") && what.contains(key), "{what}");
    }
}

#[test]
fn the_document_knows_better_than_the_method_what_is_done() {
    let operations = tools(
        json!({
            "/search": {"post": {"operationId": "search", "x-agent-tools-read-only": true}},
            "/visit": {"get": {"operationId": "visit", "x-agent-tools-read-only": false}},
            "/x": {
                "delete": {"operationId": "hide", "x-agent-tools-destructive": false},
                "put": {"operationId": "replace", "x-agent-tools-destructive": true}},
        }),
        json!({}),
    );
    let of = |name: &str| {
        let operation = operations.iter().find(|one| one.tool.name == name).unwrap();
        let hints = operation.tool.hints;
        assert_eq!(operation.only_reads(), hints.read_only);
        (hints.read_only, hints.destructive, hints.idempotent)
    };
    assert_eq!(of("search"), (true, Some(false), Some(true)));
    assert_eq!(of("visit"), (false, None, None));
    assert_eq!(of("hide"), (false, Some(false), Some(true)));
    assert_eq!(of("replace"), (false, Some(true), Some(true)));
}

#[test]
fn a_document_that_is_doubted_takes_no_destruction_back() {
    for (said, want) in [
        (json!({}), true),
        (json!({"x-agent-tools-destructive": false}), true),
        (json!({"x-agent-tools-read-only": true}), true),
    ] {
        let said = Extensions::of(&said, &Value::Null).unwrap();
        assert_eq!(hints("DELETE", &said, true).destructive, Some(want));
        assert_ne!(hints("POST", &said, true).destructive, Some(true));
    }
}

#[test]
fn a_swagger_2_form_can_be_spread_out_too() {
    let document = json!({"swagger": "2.0", "host": "127.0.0.1:9", "paths": {"/p": {"post": {
        "operationId": "photo", "x-agent-tools-body": "arguments", "parameters": [
            {"name": "caption", "in": "formData", "type": "string", "required": true, "x-agent-tools-name": "title"},
            {"name": "file", "in": "formData", "type": "file"}]}}}});
    let photo = &operations_of(document, json!({})).unwrap()[0];
    let input = input(photo);
    assert_eq!(input["required"], json!(["title"]));
    assert!(input["properties"]["file"]["properties"]["base64"].is_object());
    assert!(photo.body.as_ref().unwrap().files.contains("file"));
}
