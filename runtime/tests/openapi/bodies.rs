//! Request bodies.

use serde_json::{Value, json};

use crate::service::{Plugin, Seen, Service};

fn put(content: Value) -> Value {
    json!({"/raw": {"put": {"operationId": "raw", "requestBody": {"required": true, "content": content}}}})
}

async fn sent(service: &Service, plugin: &Plugin, body: Value) -> Seen {
    let reply = plugin.call("raw", json!({ "body": body })).await;
    assert_eq!(reply["isError"], false, "{reply}");
    service.seen().last().unwrap().clone()
}

#[tokio::test]
async fn c138_binary_bodies_are_exact_and_paths_stay_in_their_folder() {
    let service = Service::ok().await;
    let binary = put(
        json!({"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}),
    );
    let plugin = Plugin::new(
        &service.url,
        binary.clone(),
        json!({"filesFolder": "files"}),
    );
    let big: Vec<u8> = (0..3_000_000_u32).map(|n| n as u8).collect();
    std::fs::create_dir(plugin.dir.path().join("files")).unwrap();
    std::fs::write(plugin.dir.path().join("files/big.bin"), &big).unwrap();

    let seen = sent(&service, &plugin, json!({"base64": "AAEC/w=="})).await;
    assert_eq!(&seen.body[..], [0, 1, 2, 255]);
    assert_eq!(seen.header("content-type"), "application/octet-stream");
    let seen = sent(&service, &plugin, json!({"path": "big.bin"})).await;
    assert!(seen.body == big);
    assert_eq!(seen.header("content-length"), "3000000");

    let before = service.lines().len();
    for (arguments, code) in [
        (json!({}), "ARG_VALIDATION_FAILED"),
        (
            json!({"body": {"path": "../api.json"}}),
            "ARG_VALIDATION_FAILED",
        ),
        (
            json!({"body": {"path": "/etc/hostname"}}),
            "ARG_VALIDATION_FAILED",
        ),
        (json!({"body": {}}), "ARG_VALIDATION_FAILED"),
    ] {
        let reply = plugin.call("raw", arguments.clone()).await;
        assert_eq!(reply["code"], code, "{arguments}: {reply}");
    }
    let no_folder = Plugin::new(&service.url, binary, json!({}));
    let reply = no_folder
        .call("raw", json!({"body": {"path": "api.json"}}))
        .await;
    assert_eq!(reply["code"], "ARG_VALIDATION_FAILED");
    assert!(reply["hint"].as_str().unwrap().contains("filesFolder"));
    assert_eq!(service.lines().len(), before);
    let reply = plugin
        .call("raw", json!({"body": {"base64": "AAEC/w=="}}))
        .await;
    assert!(!reply.to_string().contains("AAEC"));
}

#[tokio::test]
async fn c140_a_list_or_a_plain_value_is_a_body_too() {
    let service = Service::ok().await;
    let paths = json!({
        "/v": {"post": {"operationId": "v",
            "parameters": [{"name": "values", "in": "query", "schema": {"type": "string"}}],
            "requestBody": {"content": {"application/json": {"schema": {"title": "Values", "type": "array", "items": {"type": "integer"}}}}}}},
        "/free": {"post": {"requestBody": {"content": {"application/json": {}}}}},
        "/w": {"get": {"operationId": "v"}}});
    let plugin = Plugin::new(&service.url, paths, json!({}));
    plugin
        .call("v", json!({"query": {"values": "active"}, "body": [1, 2]}))
        .await;
    for body in [
        json!(5),
        json!("text"),
        json!(null),
        json!(true),
        json!({"a": {"b": [1]}}),
    ] {
        let reply = plugin.call("post_free", json!({ "body": body })).await;
        assert_eq!(reply["isError"], false, "{reply}");
    }
    let seen = service.seen();
    assert_eq!(seen[0].line, "POST /v?values=active");
    assert_eq!(&seen[0].body[..], b"[1,2]");
    assert_eq!(seen[0].header("content-type"), "application/json");
    let bodies: Vec<&[u8]> = seen[1..].iter().map(|seen| &seen.body[..]).collect();
    let want: [&[u8]; 5] = [b"5", b"\"text\"", b"null", b"true", b"{\"a\":{\"b\":[1]}}"];
    assert_eq!(bodies, want);
    let tools = plugin.tools().await;
    let named: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .filter(|name| name.starts_with('v'))
        .collect();
    assert_eq!(named.len(), 2, "{named:?}");
    assert_ne!(named[0], named[1]);
}

#[tokio::test]
async fn forms_and_texts_are_written_as_their_media_types_want() {
    let service = Service::ok().await;
    let plugin = |content: Value| Plugin::new(&service.url, put(content), json!({}));
    let form = plugin(json!({"application/x-www-form-urlencoded": {
        "schema": {"type": "object", "properties": {"a": {"type": "string"}, "expand": {"type": "array"}}},
        "encoding": {"expand": {"style": "deepObject", "explode": true}}}}));
    let seen = sent(&service, &form, json!({"a": "x&y", "expand": ["p", "q"]})).await;
    assert_eq!(&seen.body[..], b"a=x%26y&expand%5B%5D=p&expand%5B%5D=q");
    assert_eq!(
        seen.header("content-type"),
        "application/x-www-form-urlencoded"
    );

    let text = plugin(json!({"text/plain": {"schema": {"type": "string"}}}));
    let seen = sent(&service, &text, json!("just text é")).await;
    assert_eq!(&seen.body[..], "just text é".as_bytes());

    let upload = plugin(
        json!({"multipart/form-data": {"schema": {"type": "object", "required": ["file"], "properties": {
        "file": {"type": "string", "format": "binary"}, "note": {"type": "string"}}}}}),
    );
    let seen = sent(
        &service,
        &upload,
        json!({"note": "n", "file": {"base64": "AP8=", "filename": "x.bin"}}),
    )
    .await;
    let boundary = seen
        .header("content-type")
        .strip_prefix("multipart/form-data; boundary=")
        .unwrap();
    let mut want = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nn\r\n--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n").into_bytes();
    want.extend([0, 255]);
    want.extend(format!("\r\n--{boundary}--\r\n").into_bytes());
    assert_eq!(&seen.body[..], want);
    let missing = upload.call("raw", json!({"body": {"note": "n"}})).await;
    assert_eq!(missing["code"], "ARG_VALIDATION_FAILED");
}

#[tokio::test]
async fn a_swagger_2_call_round_trips() {
    let service = Service::ok().await;
    let host = service.url.strip_prefix("http://").unwrap();
    let document = json!({"swagger": "2.0", "host": host, "basePath": "/v2", "schemes": ["http"],
        "securityDefinitions": {"key": {"type": "apiKey", "in": "query", "name": "api_key"}},
        "security": [{"key": []}],
        "paths": {
            "/pets": {"get": {"operationId": "find", "parameters": [
                {"name": "tags", "in": "query", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"},
                {"name": "ids", "in": "query", "type": "array", "items": {"type": "integer"}, "collectionFormat": "ssv"}]}},
            "/login": {"post": {"operationId": "login", "consumes": ["application/x-www-form-urlencoded"], "parameters": [
                {"name": "user", "in": "formData", "type": "string", "required": true},
                {"name": "roles", "in": "formData", "type": "array", "items": {"type": "string"}}]}}}});
    let plugin = Plugin::with_document(document, json!({"auth": {"key": "k 1"}}));
    plugin
        .call("find", json!({"tags": ["a", "b"], "ids": [1, 2]}))
        .await;
    plugin
        .call("login", json!({"body": {"user": "u", "roles": ["x", "y"]}}))
        .await;
    assert_eq!(
        service.lines(),
        [
            "GET /v2/pets?tags=a&tags=b&ids=1%202&api_key=k%201",
            "POST /v2/login?api_key=k%201"
        ]
    );
    assert_eq!(&service.seen()[1].body[..], b"user=u&roles=x,y");
}

#[tokio::test]
async fn the_document_may_name_the_body() {
    let service = Service::ok().await;
    let body = json!({"required": true, "x-agent-tools-name": "data", "content": {"application/json": {"schema": {"type": "object"}}}});
    let plugin = Plugin::new(
        &service.url,
        json!({"/r": {"post": {"operationId": "r", "requestBody": body}}}),
        json!({}),
    );
    plugin.call("r", json!({"data": {"a": 1}})).await;
    assert_eq!(service.seen()[0].body, r#"{"a":1}"#);
    for wrong in [json!({"body": {"a": 1}}), json!({}), json!({"a": 1})] {
        let refused = plugin.call("r", wrong).await;
        assert_eq!(refused["code"], "ARG_VALIDATION_FAILED");
        assert!(refused.to_string().contains("data"), "{refused}");
    }
    assert_eq!(service.lines().len(), 1);
}
