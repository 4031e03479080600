//! Who gets requests, and who gets credentials.

use serde_json::{Value, json};

use crate::service::{Plugin, Service, answer, json_answer};

fn get(path: &str) -> Value {
    json!({path: {"get": {"operationId": "r"}}})
}

#[tokio::test]
async fn c134_an_operation_has_its_own_server_but_not_any_host() {
    let (main, other) = (Service::ok().await, Service::ok().await);
    let paths = json!({
        "/w": {"get": {"operationId": "w", "servers": [{"url": format!("{}/v2", main.url)}]}},
        "/x": {"get": {"operationId": "x", "servers": [{"url": format!("{}/v9", other.url)}]}}});
    let headers = json!({"X-Api-Key": "CANARY-A"});
    let plugin = Plugin::new(&main.url, paths.clone(), json!({ "headers": headers }));
    plugin.call("w", json!({})).await;
    assert_eq!(main.lines(), ["GET /v2/w"]);
    assert_eq!(main.seen()[0].header("x-api-key"), "CANARY-A");
    let reply = plugin.call("x", json!({})).await;
    assert_eq!(reply["code"], "CONFIG_INVALID");
    assert!(
        reply["hint"].as_str().unwrap().contains("allowedOrigins"),
        "{reply}"
    );
    assert!(other.lines().is_empty());

    let allowed = json!({"headers": headers, "allowedOrigins": [other.url]});
    Plugin::new(&main.url, paths.clone(), allowed)
        .call("x", json!({}))
        .await;
    assert_eq!(other.lines(), ["GET /v9/x"]);
    assert_eq!(other.seen()[0].header("x-api-key"), "");
    let trusted = json!({"headers": headers, "credentialOrigins": [other.url]});
    Plugin::new(&main.url, paths, trusted)
        .call("x", json!({}))
        .await;
    assert_eq!(other.seen()[1].header("x-api-key"), "CANARY-A");
}

#[tokio::test]
async fn c142_a_redirect_to_another_origin_gets_no_credential() {
    let other = Service::ok().await;
    let target = format!("{}/x?key=CANARY-B&keep=1", other.url);
    let main = Service::start(move |_, _| answer(302, &[("location", &target)], "")).await;
    let settings = json!({"headers": {"X-Api-Key": "CANARY-A"}, "query": {"key": "CANARY-B"}, "cookies": {"sid": "CANARY-C"}});
    let plugin = Plugin::new(&main.url, get("/r"), settings.clone());
    let reply = plugin.call("r", json!({})).await;
    assert_eq!(main.lines(), ["GET /r?key=CANARY-B"]);
    assert_eq!(main.seen()[0].header("x-api-key"), "CANARY-A");
    assert!(other.lines().is_empty());
    assert_eq!(reply["result"]["status"], 302);
    assert!(
        reply["result"]["location"]
            .as_str()
            .unwrap()
            .starts_with(&other.url)
    );
    assert!(!reply.to_string().contains("CANARY"), "{reply}");

    let mut following = settings;
    following["followRedirects"] = json!(true);
    // Not the public internet: followed only where the user has named it.
    following["allowedOrigins"] = json!([other.url]);
    let reply = Plugin::new(&main.url, get("/r"), following)
        .call("r", json!({}))
        .await;
    assert_eq!(reply["result"], json!({"ok": true}));
    assert_eq!(other.lines(), ["GET /x?keep=1"]);
    let seen = format!("{:?}", other.seen());
    assert!(!seen.contains("CANARY"), "{seen}");
}

#[tokio::test]
async fn c142_a_redirect_on_the_same_origin_keeps_credentials_and_ends() {
    let service = Service::start(|seen, _| match seen.line.as_str() {
        "GET /r?key=CANARY-B" => answer(302, &[("location", "/there?page=2")], ""),
        "GET /there?page=2&key=CANARY-B" => json_answer(200, json!({"there": true})),
        _ => answer(307, &[("location", "/loop")], ""),
    })
    .await;
    let paths = json!({"/r": {"get": {"operationId": "r"}}, "/loop": {"get": {"operationId": "loop"}, "post": {"operationId": "post",
        "requestBody": {"content": {"application/json": {}}}}}});
    let settings = json!({"headers": {"X-Api-Key": "CANARY-A"}, "query": {"key": "CANARY-B"}});
    let plugin = Plugin::new(&service.url, paths, settings);
    assert_eq!(
        plugin.call("r", json!({})).await["result"],
        json!({"there": true})
    );
    assert_eq!(service.seen()[1].header("x-api-key"), "CANARY-A");
    let reply = plugin.call("loop", json!({})).await;
    assert_eq!(reply["code"], "UPSTREAM_PROTOCOL", "{reply}");
    assert_eq!(
        service.lines().len(),
        2 + 6,
        "one request and five redirects"
    );
    plugin.call("post", json!({"body": [1]})).await;
    assert_eq!(
        &service.seen().last().unwrap().body[..],
        b"[1]",
        "307 keeps method and body"
    );
}

#[tokio::test]
async fn a_change_that_is_sent_elsewhere_is_a_failure() {
    let main =
        Service::start(|_, _| answer(307, &[("location", "http://127.0.0.1:9/x")], "")).await;
    let plugin = Plugin::new(
        &main.url,
        json!({"/r": {"post": {"operationId": "r"}}}),
        json!({"followRedirects": true}),
    );
    let reply = plugin.call("r", json!({})).await;
    assert_eq!(reply["code"], "TOOL_FAILED");
    assert_eq!(reply["result"]["location"], "http://127.0.0.1:9/x");
    let after_post = Service::start(|seen, _| match seen.line.as_str() {
        "POST /r" => answer(303, &[("location", "/done")], ""),
        _ => json_answer(200, json!({"done": true})),
    })
    .await;
    let plugin = Plugin::new(
        &after_post.url,
        json!({"/r": {"post": {"operationId": "r"}}}),
        json!({}),
    );
    assert_eq!(
        plugin.call("r", json!({})).await["result"],
        json!({"done": true})
    );
    assert_eq!(after_post.lines(), ["POST /r", "GET /done"]);
}

#[tokio::test]
async fn credentials_follow_the_security_schemes() {
    let service = Service::ok().await;
    let document = json!({"openapi": "3.1.0", "servers": [{"url": service.url}],
        "components": {"securitySchemes": {
            "token": {"type": "http", "scheme": "bearer"},
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
            "login": {"type": "http", "scheme": "basic"}}},
        "security": [{"login": []}, {"token": []}],
        "paths": {
            "/a": {"get": {"operationId": "global"}},
            "/b": {"get": {"operationId": "own", "security": [{"key": []}]}},
            "/c": {"get": {"operationId": "open", "security": []}}}});
    let plugin = Plugin::with_document(
        document,
        json!({"auth": {"token": "${NO_SUCH_VARIABLE:-t-1}", "key": "k-1"}}),
    );
    for tool in ["global", "own", "open"] {
        plugin.call(tool, json!({})).await;
    }
    let seen = service.seen();
    let sent: Vec<(&str, &str)> = seen
        .iter()
        .map(|seen| (seen.header("authorization"), seen.header("x-key")))
        .collect();
    assert_eq!(sent, [("Bearer t-1", ""), ("", "k-1"), ("", "")]);
}

#[tokio::test]
async fn a_missing_variable_and_refused_credentials_name_what_to_set() {
    let service =
        Service::start(|_, _| json_answer(401, json!({"message": "bad token secret-token-1"})))
            .await;
    let document = |auth: Value| {
        Plugin::with_document(
            json!({"openapi": "3.0.0", "servers": [{"url": service.url}],
                "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
                "paths": {"/a": {"get": {"operationId": "a", "security": [{"token": []}]}}}}),
            json!({ "auth": auth }),
        )
    };
    let reply = document(json!({"token": "${AGENT_TOOLS_TEST_MISSING}"}))
        .call("a", json!({}))
        .await;
    assert_eq!(reply["code"], "CONFIG_INVALID");
    assert!(
        reply["error"]
            .as_str()
            .unwrap()
            .contains("AGENT_TOOLS_TEST_MISSING is not set"),
        "{reply}"
    );
    assert!(service.lines().is_empty());

    let reply = document(json!({"token": "${AGENT_TOOLS_TEST_UNSET:-secret-token-1}"}))
        .call("a", json!({}))
        .await;
    assert_eq!(reply["code"], "UPSTREAM_AUTH");
    assert_eq!(reply["body"]["message"], "bad token <redacted>");
    assert!(
        reply["hint"]
            .as_str()
            .unwrap()
            .contains("AGENT_TOOLS_TEST_UNSET"),
        "{reply}"
    );

    let reply = document(json!({})).call("a", json!({})).await;
    assert_eq!(reply["code"], "UPSTREAM_AUTH");
    assert!(
        reply["hint"]
            .as_str()
            .unwrap()
            .contains(r#""auth": {"token": "${TOKEN}"}"#),
        "{reply}"
    );
}
