//! Documents of every kind as plugins.

use agent_tools_runtime::Call;
use serde_json::{Map, Value, json};

use crate::service::{Plugin, Service, answer};

async fn text(plugin: &Plugin, tool: &str, arguments: Value) -> String {
    let reply = plugin
        .runtime
        .call(Call::to(tool).arguments(arguments))
        .await
        .unwrap();
    reply.content[0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_yaml_document_is_found_listed_and_called() {
    let service = Service::ok().await;
    let yaml = format!(
        "\u{feff}openapi: 3.1.0\nservers:\n  - url: {}\npaths:\n  /issues/{{number}}:\n    get:\n      operationId: issues/get\n      summary: Read an issue\n      tags: [issues]\n      parameters:\n        - {{name: number, in: path, required: true, schema: {{type: integer}}}}\n      responses:\n        200: {{description: ok}}\n",
        service.url
    );
    let plugin = Plugin::with_text(&yaml, json!({}), json!({}));
    let found = text(
        &plugin,
        "agent_tools_x_discover",
        json!({"query": "read issue"}),
    )
    .await;
    assert!(
        found.contains(r#""toolName":"issues_get","arguments":{"number":"<integer>"}"#),
        "{found}"
    );
    plugin.call("issues_get", json!({"number": 7})).await;
    assert_eq!(service.lines(), ["GET /issues/7"]);
}

#[tokio::test]
async fn a_document_behind_a_url_is_fetched_once_and_names_its_server() {
    let service = Service::start(|seen, _| match seen.line.as_str() {
        "GET /docs/api.json" => answer(302, &[("location", "/docs/v1.json")], ""),
        "GET /docs/v1.json" => answer(
            200,
            &[("content-type", "application/json")],
            json!({"openapi": "3.0.0", "servers": [{"url": "../v1"}], "paths": {"/a": {"get": {"operationId": "a"}}}}).to_string(),
        ),
        _ => answer(200, &[], "{}"),
    })
    .await;
    let settings = json!({"document": format!("{}/docs/api.json", service.url), "headers": {"X-Key": "CANARY-A"}});
    let plugin = Plugin::with_text("", settings, json!({}));
    plugin.call("a", json!({})).await;
    plugin.call("a", json!({})).await;
    assert_eq!(
        service.lines(),
        [
            "GET /docs/api.json",
            "GET /docs/v1.json",
            "GET /v1/a",
            "GET /v1/a"
        ]
    );
    assert_eq!(
        service.seen()[1].header("x-key"),
        "",
        "the document is public"
    );
    assert_eq!(service.seen()[2].header("x-key"), "CANARY-A");
}

#[tokio::test]
async fn what_is_wrong_with_a_document_is_said_and_tried_again() {
    let plugin = Plugin::with_text("{\"openapi\": \"3.0.0\",", json!({}), json!({}));
    let reply: Value =
        serde_json::from_str(&text(&plugin, "agent_tools_x_discover", json!({})).await).unwrap();
    assert_eq!(reply["code"], "CONFIG_INVALID");
    let error = reply["error"].as_str().unwrap();
    assert!(
        error.contains("api.json") && error.contains("not JSON"),
        "{error}"
    );
    let good = json!({"openapi": "3.0.0", "servers": [{"url": "http://127.0.0.1:9"}], "paths": {"/a": {"get": {"operationId": "a"}}}});
    std::fs::write(plugin.dir.path().join("api.json"), good.to_string()).unwrap();
    assert!(
        text(&plugin, "agent_tools_x_discover", json!({}))
            .await
            .contains("\"a\"")
    );
    for (settings, want) in [
        (json!({"document": "none.json"}), "none.json"),
        (
            json!({"document": "http://127.0.0.1:9/api.json"}),
            "cannot be fetched",
        ),
    ] {
        let plugin = Plugin::with_text("", settings, json!({}));
        let reply = text(&plugin, "agent_tools_x_discover", json!({})).await;
        assert!(reply.contains(want), "{reply}");
    }
}

#[tokio::test]
async fn only_what_is_chosen_is_offered() {
    let operation = |id: &str, tag: &str| json!({"get": {"operationId": id, "tags": [tag]}});
    let paths = json!({"/a": operation("repos/get", "repos"), "/b": operation("repos/list", "repos"),
        "/c": operation("repos/purge", "admin"), "/d": operation("users/get", "users")});
    let plugin = Plugin::new(
        "http://127.0.0.1:9",
        paths,
        json!({"include": ["repos_*"], "exclude": ["*_list"], "excludeTags": ["admin"]}),
    );
    let tools = plugin.tools().await;
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["repos_get", "read_more"]);
}

#[tokio::test]
async fn a_recursive_schema_is_checked_by_the_guard() {
    let service = Service::ok().await;
    let document = json!({"openapi": "3.0.0", "servers": [{"url": service.url}],
        "components": {"schemas": {"Node": {"type": "object", "required": ["value"], "properties": {
            "id": {"type": "string", "readOnly": true}, "value": {"type": "integer"}, "note": {"type": "string", "nullable": true},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}}}}},
        "paths": {"/tree": {"post": {"operationId": "plant", "requestBody": {"required": true, "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}}}}});
    let plugin = Plugin::with_document(document, json!({}));
    let wrong =
        json!({"body": {"value": 1, "children": [{"value": 2, "children": [{"value": "x"}]}]}});
    let reply = plugin.call("plant", wrong).await;
    assert_eq!(reply["code"], "ARG_VALIDATION_FAILED");
    assert!(
        reply["details"][0]
            .as_str()
            .unwrap()
            .starts_with("/body/children/0/children/0/value"),
        "{reply}"
    );
    let right = json!({"body": {"value": 1, "note": null, "children": [{"value": 2}]}});
    assert_eq!(plugin.call("plant", right).await["isError"], false);
    assert_eq!(service.lines().len(), 1);
}

#[tokio::test]
async fn a_thousand_operations_are_listed_and_no_name_twice() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"$ref": "#/components/schemas/S"}}});
    let paths: Map<String, Value> = (0..1000)
        .map(|n| {
            let operation = json!({"operationId": format!("group {}/do it", n / 3), "summary": "Do it.",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}});
            (format!("/things/{n}/{{id}}"), json!({ "post": operation }))
        })
        .collect();
    let document = json!({"openapi": "3.0.0", "servers": [{"url": "http://127.0.0.1:9"}],
        "components": {"schemas": {"S": schema}}, "paths": paths});
    let plugin = Plugin::with_document(document, json!({}));
    let tools = plugin.tools().await;
    let names: std::collections::BTreeSet<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names.len(), 1001);
    assert!(names.iter().all(|name| name.len() <= 64));
}
