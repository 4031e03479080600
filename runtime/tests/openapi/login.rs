//! Tokens that a service gives for user and password.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::response::Response;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::service::{Plugin, Seen, Service, answer, json_answer};

fn login() -> Value {
    json!({"path": "/auth/login", "token": "/data/token", "body": {
        "identity": "${AGENT_TOOLS_TEST_LOGIN_USER:-ann@example.com}",
        "password": "${AGENT_TOOLS_TEST_LOGIN_PASSWORD:-CANARY-password-1}",
    }})
}

fn paths() -> Value {
    json!({"/a": {
        "get": {"operationId": "read"},
        "post": {"operationId": "change", "requestBody": {"content": {"application/json": {}}}}}})
}

/// A service that gives `CANARY-token-1`, `CANARY-token-2`, …; `accepts` says which of them it takes just now.
async fn service(accepts: impl Fn(usize, usize) -> bool + Send + Sync + 'static) -> Service {
    let logins = AtomicUsize::new(0);
    Service::start(move |seen: &Seen, number: usize| -> Response {
        if seen.line == "POST /api/auth/login" {
            let count = logins.fetch_add(1, Ordering::SeqCst) + 1;
            return json_answer(
                200,
                json!({"data": {"token": format!("CANARY-token-{count}")}}),
            );
        }
        let token = seen
            .header("authorization")
            .strip_prefix("Bearer CANARY-token-");
        match token.and_then(|token| token.parse().ok()) {
            Some(token) if accepts(token, number) => {
                json_answer(200, json!({"echo": seen.header("authorization")}))
            }
            _ => json_answer(401, json!({"message": "who are you"})),
        }
    })
    .await
}

fn plugin(service: &Service, settings: Value) -> Plugin {
    Plugin::new(&format!("{}/api/", service.url), paths(), settings)
}

fn logins(service: &Service) -> usize {
    let lines = service.lines();
    lines
        .iter()
        .filter(|line| line.ends_with("/auth/login"))
        .count()
}

#[tokio::test]
async fn a_token_is_got_on_first_use_once_for_all_calls() {
    let service = service(|_, _| true).await;
    let settings = json!({"login": login(), "headers": {"X-Project": "p-1"}});
    let plugin = plugin(&service, settings);
    plugin.tools().await;
    assert_eq!(service.lines().len(), 0, "listing needs no login");
    let replies = join_all((0..8).map(|_| plugin.call("read", json!({})))).await;
    for reply in replies {
        assert_eq!(reply["isError"], false, "{reply}");
        assert_eq!(reply["result"]["echo"], "Bearer <redacted>");
        assert!(!reply.to_string().contains("CANARY"), "{reply}");
    }
    assert_eq!(logins(&service), 1);
    let seen = service.seen();
    let sent: Value = serde_json::from_slice(&seen[0].body).unwrap();
    assert_eq!(
        sent,
        json!({"identity": "ann@example.com", "password": "CANARY-password-1"})
    );
    assert_eq!(seen[0].header("content-type"), "application/json");
    assert_eq!(seen[0].header("authorization"), "");
    assert_eq!(seen[0].header("x-project"), "p-1");
}

#[tokio::test]
async fn a_refused_token_is_renewed_and_the_call_repeated_once() {
    // Token 1 is good for one call only.
    let service = service(|token, number| token > 1 || number == 1).await;
    let plugin = plugin(&service, json!({ "login": login() }));
    assert_eq!(plugin.call("read", json!({})).await["isError"], false);
    let reply = plugin.call("change", json!({"body": {"n": 1}})).await;
    assert_eq!(reply["isError"], false, "{reply}");
    assert_eq!(
        service.lines(),
        [
            "POST /api/auth/login",
            "GET /api/a",
            "POST /api/a",
            "POST /api/auth/login",
            "POST /api/a"
        ]
    );
    assert_eq!(&service.seen()[4].body[..], br#"{"n":1}"#);
}

#[tokio::test]
async fn a_service_that_refuses_every_token_is_asked_twice() {
    let service = service(|_, _| false).await;
    let reply = plugin(&service, json!({ "login": login() }))
        .call("change", json!({"body": 1}))
        .await;
    assert_eq!(reply["code"], "UPSTREAM_AUTH", "{reply}");
    let hint = reply["hint"].as_str().unwrap();
    assert!(
        hint.contains("AGENT_TOOLS_TEST_LOGIN_USER and AGENT_TOOLS_TEST_LOGIN_PASSWORD"),
        "{hint}"
    );
    assert_eq!(service.lines().len(), 4);
}

#[tokio::test]
async fn a_login_that_fails_names_its_variables_and_nothing_is_sent() {
    let refusing = Service::start(|_, _| {
        json_answer(400, json!({"message": "no such user: CANARY-password-1"}))
    })
    .await;
    let reply = plugin(&refusing, json!({ "login": login() }))
        .call("change", json!({"body": 1}))
        .await;
    assert_eq!(reply["code"], "UPSTREAM_AUTH", "{reply}");
    assert_eq!(reply["status"], 400);
    assert_eq!(reply["body"]["message"], "no such user: <redacted>");
    let hint = reply["hint"].as_str().unwrap();
    assert!(
        hint.contains("AGENT_TOOLS_TEST_LOGIN_USER, AGENT_TOOLS_TEST_LOGIN_PASSWORD"),
        "{hint}"
    );
    assert_eq!(refusing.lines(), ["POST /api/auth/login"]);

    for odd in [
        json!({"data": {"token": 5}}),
        json!({"token": "x"}),
        json!({"data": {"token": ""}}),
    ] {
        let service = Service::start(move |_, _| json_answer(200, odd.clone())).await;
        let reply = plugin(&service, json!({ "login": login() }))
            .call("read", json!({}))
            .await;
        assert_eq!(reply["code"], "UPSTREAM_AUTH", "{reply}");
        assert!(
            reply["error"].as_str().unwrap().contains("/data/token"),
            "{reply}"
        );
        assert_eq!(service.lines().len(), 1);
    }

    let mut unset = login();
    unset["body"]["password"] = json!("${AGENT_TOOLS_TEST_LOGIN_UNSET}");
    let service = Service::ok().await;
    let reply = plugin(&service, json!({ "login": unset }))
        .call("read", json!({}))
        .await;
    assert_eq!(reply["code"], "CONFIG_INVALID");
    assert!(
        reply["error"]
            .as_str()
            .unwrap()
            .contains("AGENT_TOOLS_TEST_LOGIN_UNSET is not set"),
        "{reply}"
    );
    assert!(service.lines().is_empty());
}

#[tokio::test]
async fn a_login_does_not_follow_to_another_origin() {
    let other = Service::ok().await;
    let target = format!("{}/steal", other.url);
    for status in [302, 307] {
        let target = target.clone();
        let main = Service::start(move |_, _| answer(status, &[("location", &target)], "")).await;
        let settings =
            json!({"login": login(), "followRedirects": true, "allowedOrigins": [other.url]});
        let reply = plugin(&main, settings).call("read", json!({})).await;
        assert_eq!(reply["code"], "UPSTREAM_AUTH", "{reply}");
        assert!(
            reply["error"].as_str().unwrap().contains("another origin"),
            "{reply}"
        );
        assert_eq!(main.lines().len(), 1);
    }
    assert!(other.lines().is_empty());
}

#[tokio::test]
async fn the_token_goes_to_those_who_may_have_it_only() {
    let (main, other) = (service(|_, _| true).await, Service::ok().await);
    let document = json!({"openapi": "3.0.3", "servers": [{"url": format!("{}/api", main.url)}],
        "components": {"securitySchemes": {"session": {"type": "apiKey", "in": "header", "name": "X-Session"}}},
        "paths": {
            "/a": {"get": {"operationId": "open", "security": []}},
            "/b": {"get": {"operationId": "closed", "security": [{"session": []}]}},
            "/c": {"get": {"operationId": "elsewhere", "security": [{"session": []}], "servers": [{"url": other.url}]}}}});
    let mut by_scheme = login();
    by_scheme["scheme"] = json!("session");
    let plugin = Plugin::with_document(
        document,
        json!({"login": by_scheme, "allowedOrigins": [other.url]}),
    );
    plugin.call("open", json!({})).await;
    plugin.call("elsewhere", json!({})).await;
    assert_eq!(logins(&main), 0, "neither gets the token");
    assert_eq!(other.seen()[0].header("x-session"), "");
    // The service above wants it elsewhere: it refuses, and that is all that is asked here.
    plugin.call("closed", json!({})).await;
    let seen = main.seen();
    let closed = seen.iter().find(|seen| seen.line == "GET /api/b").unwrap();
    assert_eq!(closed.header("x-session"), "CANARY-token-1");
    assert_eq!(closed.header("authorization"), "");
}
