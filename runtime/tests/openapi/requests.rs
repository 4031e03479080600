//! What reaches the service.

use serde_json::{Value, json};

use crate::service::{Plugin, Service};

#[tokio::test]
async fn c130_a_path_value_stays_in_its_segment() {
    let service = Service::ok().await;
    let plugin = Plugin::new(
        &service.url,
        json!({"/records/{id}/detail": {"get": {"operationId": "detail", "parameters": [
            {"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}]}}}),
        json!({}),
    );
    let cases = [
        ("a/b", Some("/records/a%2Fb/detail")),
        ("../../admin", Some("/records/..%2F..%2Fadmin/detail")),
        ("a?x=1", Some("/records/a%3Fx%3D1/detail")),
        ("a#f", Some("/records/a%23f/detail")),
        ("50%", Some("/records/50%25/detail")),
        ("día", Some("/records/d%C3%ADa/detail")),
        ("..", None),
        (".", None),
        ("%2e%2e", Some("/records/%252e%252e/detail")),
        ("", None),
        ("a\\..\\b", Some("/records/a%5C..%5Cb/detail")),
    ];
    for (id, want) in cases {
        let before = service.lines().len();
        let reply = plugin.call("detail", json!({ "id": id })).await;
        let lines = service.lines();
        match want {
            Some(path) => assert_eq!(lines[before], format!("GET {path}")),
            None => {
                assert_eq!(lines.len(), before, "{id:?} was sent");
                assert_eq!(reply["code"], "ARG_VALIDATION_FAILED");
                let detail = reply["details"][0].as_str().unwrap();
                assert!(detail.starts_with("/id: "), "{detail}");
            }
        }
    }
}

#[tokio::test]
async fn c132_query_arrays_follow_style_and_explode() {
    let service = Service::ok().await;
    let strings = json!({"type": "array", "items": {"type": "string"}});
    let plugin = Plugin::new(
        &service.url,
        json!({"/s": {"get": {"operationId": "s", "parameters": [
            {"name": "a", "in": "query", "schema": strings},
            {"name": "b", "in": "query", "schema": strings, "explode": false},
            {"name": "c", "in": "query", "schema": strings, "style": "pipeDelimited"},
            {"name": "d", "in": "query", "schema": {"type": "object"}, "style": "deepObject", "explode": true},
            {"name": "e", "in": "query", "schema": {"type": "boolean"}}]}}}),
        json!({}),
    );
    plugin
        .call(
            "s",
            json!({"a": ["1", "2,3"], "b": ["x", "y,z"], "c": ["p", "q"], "d": {"k": "v"}, "e": true}),
        )
        .await;
    plugin.call("s", json!({"a": [], "e": false})).await;
    assert_eq!(
        service.lines(),
        [
            "GET /s?a=1&a=2%2C3&b=x,y%2Cz&c=p%7Cq&d%5Bk%5D=v&e=true",
            "GET /s?e=false"
        ]
    );
}

#[tokio::test]
async fn c144_wire_names_are_kept_and_headers_cannot_be_split() {
    let service = Service::ok().await;
    let integer = json!({"type": "integer"});
    let plugin = Plugin::new(
        &service.url,
        json!({"/l": {"get": {"operationId": "l", "parameters": [
            {"name": "page[size]", "in": "query", "schema": integer},
            {"name": "page_size", "in": "query", "schema": integer},
            {"name": "X-Trace-Id", "in": "header", "schema": {"type": "string"}},
            {"name": "Authorization", "in": "header", "schema": {"type": "string"}},
            {"name": "Host", "in": "header", "schema": {"type": "string"}},
            {"name": "Cookie", "in": "header", "schema": {"type": "string"}},
            {"name": "Content-Length", "in": "header", "schema": {"type": "string"}},
            {"name": "X-Plan", "in": "header", "schema": {"type": "string"}}]}}}),
        json!({"headers": {"X-Plan": "configured"}}),
    );
    let split = json!({"page[size]": 1, "page_size": 2, "X-Trace-Id": "t\r\nEvil: 1"});
    let reply = plugin.call("l", split).await;
    assert_eq!(reply["code"], "ARG_VALIDATION_FAILED");
    assert!(service.lines().is_empty());
    let good = json!({"page[size]": 1, "page_size": 2, "X-Trace-Id": "ok"});
    plugin.call("l", good).await;
    let seen = &service.seen()[0];
    assert_eq!(seen.line, "GET /l?page%5Bsize%5D=1&page_size=2");
    assert_eq!(seen.header("x-trace-id"), "ok");
    assert_eq!(seen.header("x-plan"), "configured");
    for name in [
        "Authorization",
        "Host",
        "Cookie",
        "Content-Length",
        "X-Plan",
    ] {
        let reply = plugin.call("l", json!({ name: "evil" })).await;
        assert_eq!(reply["code"], "ARG_VALIDATION_FAILED", "{name}");
        // So that five refusals in a row are no loop.
        plugin.call("l", json!({"page_size": 2})).await;
    }
    let sent = format!("{:?}", service.seen());
    assert!(!sent.contains("evil"), "{sent}");
}

#[tokio::test]
async fn every_location_and_style_reaches_the_wire() {
    let service = Service::ok().await;
    let list = json!({"type": "array", "items": {"type": "string"}});
    let plugin = Plugin::new(
        &format!("{}/api/", service.url),
        json!({"/m/{label}/{matrix}?fixed=1": {"get": {"operationId": "m", "parameters": [
            {"name": "label", "in": "path", "required": true, "style": "label", "explode": true, "schema": list},
            {"name": "matrix", "in": "path", "required": true, "style": "matrix", "schema": list},
            {"name": "q", "in": "query", "allowReserved": true, "schema": {"type": "string"}},
            {"name": "json", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
            {"name": "spaced", "in": "query", "style": "spaceDelimited", "schema": list},
            {"name": "X-List", "in": "header", "schema": list},
            {"name": "theme", "in": "cookie", "schema": {"type": "string"}}]}}}),
        json!({"cookies": {"session": "s-1"}}),
    );
    let reply = plugin
        .call(
            "m",
            json!({"label": ["a", "b"], "matrix": ["c", "d"], "q": "a/b&c", "json": {"k": 1}, "spaced": ["e", "f"],
                "X-List": ["g", "h"], "theme": "dark; session=evil"}),
        )
        .await;
    assert_eq!(reply["isError"], false, "{reply}");
    let seen = &service.seen()[0];
    assert_eq!(
        seen.line,
        "GET /api/m/.a.b/;matrix=c,d?fixed=1&q=a/b%26c&json=%7B%22k%22%3A1%7D&spaced=e%20f"
    );
    assert_eq!(seen.header("x-list"), "g,h");
    assert_eq!(
        seen.header("cookie"),
        "theme=dark%3B%20session%3Devil; session=s-1"
    );
    assert_eq!(seen.header("accept"), "application/json, */*;q=0.1");
    assert!(
        seen.header("user-agent")
            .starts_with("agent-tools-runtime/")
    );
}

#[tokio::test]
async fn arguments_that_the_operation_does_not_have_are_not_dropped_silently() {
    let service = Service::ok().await;
    let plugin = Plugin::new(
        &service.url,
        json!({"/p": {"post": {"operationId": "p",
            "parameters": [{"name": "dry", "in": "query", "schema": {"type": "boolean"}}],
            "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}}}}}}}}),
        json!({}),
    );
    let reply = plugin.call("p", json!({"title": "t", "dri": true})).await;
    assert_eq!(reply["code"], "ARG_VALIDATION_FAILED");
    assert_eq!(
        reply["details"],
        json!([
            "/title: belongs into `body`",
            "/dri: p has no such argument"
        ])
    );
    assert!(reply["hint"].as_str().unwrap().contains("dry, body"));
    assert!(service.lines().is_empty());
    plugin
        .call("p", json!({"query": {"dry": true}, "body": {"title": "t"}}))
        .await;
    let seen = &service.seen()[0];
    assert_eq!(seen.line, "POST /p?dry=true");
    assert_eq!(&seen.body[..], b"{\"title\":\"t\"}");
}

#[tokio::test]
async fn what_changes_something_needs_consent_and_what_reads_does_not() {
    let service = Service::ok().await;
    let plugin = Plugin::new(
        &service.url,
        json!({"/a": {"get": {"operationId": "read"}, "delete": {"operationId": "remove"}}}),
        json!({}),
    );
    for (tool, sent) in [("read", true), ("remove", false)] {
        let before = service.lines().len();
        let call = json!({ "toolName": tool });
        let reply = plugin
            .runtime
            .call(agent_tools_runtime::Call::to("agent_tools_x_call").arguments(call))
            .await
            .unwrap();
        assert_eq!(reply.is_error, !sent, "{reply:?}");
        assert_eq!(service.lines().len() - before, usize::from(sent));
    }
    let tools = plugin.tools().await;
    let remove = tools.iter().find(|tool| tool["name"] == "remove").unwrap();
    assert_eq!(remove["annotations"]["destructiveHint"], true);
    assert_eq!(remove["annotations"]["idempotentHint"], true);
    let read = tools.iter().find(|tool| tool["name"] == "read").unwrap();
    assert_eq!(read["annotations"]["readOnlyHint"], Value::Bool(true));
}

#[tokio::test]
async fn what_stands_in_the_path_behind_the_question_mark_is_a_default() {
    let service = Service::ok().await;
    let plugin = Plugin::new(
        &service.url,
        json!({"/s?limit=100&all=1": {"get": {"operationId": "s", "parameters": [
            {"name": "limit", "in": "query", "schema": {"type": "integer"}}]}}}),
        json!({}),
    );
    plugin.call("s", json!({})).await;
    plugin.call("s", json!({"limit": 5})).await;
    assert_eq!(
        service.lines(),
        ["GET /s?limit=100&all=1", "GET /s?all=1&limit=5"]
    );
}
