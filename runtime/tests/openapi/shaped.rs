//! What the document says of names, arguments and answers beyond OpenAPI.

use serde_json::{Value, json};

use crate::service::{Plugin, Service, json_answer};

fn issues() -> Value {
    json!({"/repos/{owner}/issues": {
        "parameters": [{"name": "owner", "in": "path", "required": true, "schema": {"type": "string"}}],
        "patch": {
            "operationId": "issues/update", "x-agent-tools-name": "edit",
            "parameters": [{"name": "X-Trace", "in": "header", "x-agent-tools-name": "trace", "schema": {"type": "string"}}],
            "requestBody": {"x-agent-tools-body": "arguments", "content": {"application/json": {"schema": {
                "type": "object", "required": ["title"], "properties": {
                    "title": {"type": "string"},
                    "body": {"type": "string", "x-agent-tools-name": "text"},
                    "milestone": {"type": "integer", "nullable": true}}}}}}},
        "get": {
            "operationId": "list",
            "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}],
            "x-agent-tools-result": {"from": "/items", "keep": ["number", "user.login"], "as": "issues", "with": {"total": "/total"}}}}})
}

#[tokio::test]
async fn arguments_become_the_body_under_its_own_names() {
    let service = Service::ok().await;
    let plugin = Plugin::new(&service.url, issues(), json!({}));
    let arguments =
        json!({"owner": "a", "trace": "t-1", "title": "t", "text": "x", "milestone": null});
    let reply = plugin.call("edit", arguments).await;
    assert_eq!(reply["isError"], false, "{reply}");
    let seen = &service.seen()[0];
    assert_eq!(seen.line, "PATCH /repos/a/issues");
    assert_eq!(seen.header("x-trace"), "t-1");
    let body: Value = serde_json::from_slice(&seen.body).unwrap();
    assert_eq!(body, json!({"title": "t", "body": "x", "milestone": null}));

    for (arguments, named) in [
        (json!({"owner": "a"}), "title"),
        (json!({"owner": "a", "title": "t", "body": "x"}), "/body"),
        (json!({"owner": "a", "title": "t", "txt": "x"}), "/txt"),
    ] {
        let reply = plugin.call("edit", arguments).await;
        assert_eq!(reply["code"], "ARG_VALIDATION_FAILED", "{reply}");
        assert!(reply.to_string().contains(named), "{reply}");
    }
    // The fields together under the name of their place have one reading.
    let together = json!({"owner": "a", "title": "t", "body": {"text": "x"}});
    plugin.call("edit", together).await;
    assert_eq!(service.lines().len(), 2);
    assert_eq!(&service.seen()[1].body[..], br#"{"title":"t","body":"x"}"#);
}

#[tokio::test]
async fn a_part_of_the_answer_is_given_and_its_next_page() {
    let service = Service::start(|seen, _| match seen.line.contains("page=3") {
        true => json_answer(200, json!({"message": "nothing here"})),
        false if seen.line.contains("page=4") => json_answer(422, json!({"items": "no"})),
        false => crate::service::answer(
            200,
            &[
                ("content-type", "application/json"),
                ("link", "</repos/a/issues?page=2>; rel=\"next\""),
            ],
            r#"{"total": 12345678901234567890123, "items": [{"number": 1.10, "user": {"login": "ann", "id": 1}, "url": "u"}]}"#,
        ),
    })
    .await;
    let plugin = Plugin::new(&service.url, issues(), json!({}));
    let reply = plugin.call("list", json!({"owner": "a"})).await;
    assert_eq!(
        reply["result"],
        json!({"issues": [{"number": 1.1, "user.login": "ann"}], "total": "12345678901234567890123"})
    );
    let notes = reply["notes"].to_string();
    assert!(
        notes.contains("there is more") && notes.contains("given as text"),
        "{notes}"
    );

    let reply = plugin.call("list", json!({"owner": "a", "page": 3})).await;
    assert_eq!(reply["result"], json!({"message": "nothing here"}));
    assert!(reply["notes"].to_string().contains("no /items"), "{reply}");
    let reply = plugin.call("list", json!({"owner": "a", "page": 4})).await;
    assert_eq!(reply["result"]["body"], json!({"items": "no"}));
}

#[tokio::test]
async fn every_json_number_is_one_in_a_whole_answer_too() {
    for (text, want) in [
        (r#"{"price": 1.10}"#, json!({"price": 1.1})),
        ("[1e2, 2.50]", json!([100.0, 2.5])),
        (
            r#"{"id": 12345678901234567890123}"#,
            json!({"id": "12345678901234567890123"}),
        ),
    ] {
        let service = Service::start(move |_, _| {
            crate::service::answer(200, &[("content-type", "application/json")], text)
        })
        .await;
        let paths = json!({"/t": {"get": {"operationId": "t"}}});
        let reply = Plugin::new(&service.url, paths, json!({}))
            .call("t", json!({}))
            .await;
        assert_eq!(reply["result"], want, "{text}");
    }
}

#[tokio::test]
async fn a_search_by_post_needs_no_consent_and_a_get_that_changes_something_does() {
    let service = Service::ok().await;
    let paths = json!({
        "/search": {"post": {"operationId": "search", "x-agent-tools-read-only": true}},
        "/visit": {"get": {"operationId": "visit", "x-agent-tools-read-only": false}}});
    let plugin = Plugin::new(&service.url, paths, json!({}));
    for (tool, code) in [
        ("search", Value::Null),
        ("visit", json!("CONFIRM_REQUIRED")),
    ] {
        let call = json!({"toolName": tool, "arguments": {}});
        let call = agent_tools_runtime::Call::to("agent_tools_x_call").arguments(call);
        let reply = plugin.runtime.call(call).await.unwrap();
        let payload: Value =
            serde_json::from_str(reply.content[0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(payload["code"], code, "{payload}");
    }
    assert_eq!(service.lines(), ["POST /search"]);
}
