//! Every kind of credential, every way that a service can lead to another place: what is configured for one origin is seen
//! by no other.

use std::sync::{Arc, OnceLock};

use agent_tools_runtime::{Call, Options, Runtime};
use serde_json::{Value, json};

use crate::service::{Seen, Service, answer, json_answer};

const CANARY: &str = "CANARY-7f3a";
/// The same where a value is encoded: HTTP Basic of `user:CANARY-7f3a` and of `CANARY-7f3a:word`.
const ENCODED: [&str; 2] = ["dXNlcjpDQU5BUlktN2YzYQ", "Q0FOQVJZLTdmM2E6d29yZA"];

/// Where the other service is, which may know the first one's address only later.
type Late = Arc<OnceLock<String>>;

fn runtime(plugin: &Value, allow: &[&str]) -> Runtime {
    let options = json!({"cache": false, "plugins": [plugin], "network": {"allow": allow}});
    let runtime = Runtime::open(serde_json::from_value::<Options>(options).unwrap(), None);
    assert_eq!(runtime.status()["warnings"], json!([]));
    runtime
}

async fn call(runtime: &Runtime, arguments: Value) -> String {
    let arguments = json!({"toolName": "r", "arguments": arguments, "confirm": true});
    let call = Call::to("agent_tools_x_call").arguments(arguments);
    let reply = runtime.call(call).await.unwrap();
    reply.content[0]["text"].as_str().unwrap().to_owned()
}

fn carries(seen: &Seen) -> bool {
    let text = format!(
        "{} {:?} {}",
        seen.line,
        seen.headers,
        String::from_utf8_lossy(&seen.body)
    );
    text.contains(CANARY) || ENCODED.iter().any(|encoded| text.contains(encoded))
}

/// The settings that hold the credential, of an OpenAPI service.
fn openapi_kinds() -> Vec<(&'static str, Value)> {
    let scheme = |credential: Value| json!({ "auth": { "s": credential } });
    vec![
        ("header", json!({"headers": {"X-Own-Key": CANARY}})),
        (
            "authorization",
            json!({"headers": {"Authorization": format!("Bearer {CANARY}")}}),
        ),
        (
            "cookie header",
            json!({"headers": {"Cookie": format!("sid={CANARY}")}}),
        ),
        (
            "proxy header",
            json!({"headers": {"Proxy-Authorization": CANARY}}),
        ),
        ("query", json!({"query": {"key": CANARY}})),
        ("cookie", json!({"cookies": {"sid": CANARY}})),
        ("bearer", scheme(json!(CANARY))),
        (
            "basic",
            scheme(json!({"username": "user", "password": CANARY})),
        ),
        ("key in header", scheme(json!(CANARY))),
        ("key in query", scheme(json!(CANARY))),
        ("key in cookie", scheme(json!(CANARY))),
    ]
}

fn scheme_of(kind: &str) -> Value {
    match kind {
        "basic" => json!({"type": "http", "scheme": "basic"}),
        "key in header" => json!({"type": "apiKey", "in": "header", "name": "X-Scheme-Key"}),
        "key in query" => json!({"type": "apiKey", "in": "query", "name": "key"}),
        "key in cookie" => json!({"type": "apiKey", "in": "cookie", "name": "sid"}),
        _ => json!({"type": "http", "scheme": "bearer"}),
    }
}

/// How the service leads elsewhere. Redirects repeat the query, and so the key in it.
#[derive(Debug, Clone, Copy)]
enum Way {
    Redirect(u16),
    /// Back and forth: what has been elsewhere is not trusted any more.
    RedirectBack,
    Link,
    NextUrl,
    Location,
    Refresh,
}

const WAYS: [Way; 10] = [
    Way::Redirect(301),
    Way::Redirect(302),
    Way::Redirect(303),
    Way::Redirect(307),
    Way::Redirect(308),
    Way::RedirectBack,
    Way::Link,
    Way::NextUrl,
    Way::Location,
    Way::Refresh,
];

fn leads(way: Way, other: &str, seen: &Seen) -> axum::response::Response {
    let query = seen.line.split_once('?').map_or("", |(_, query)| query);
    let target = format!("{other}/elsewhere?{query}");
    match way {
        Way::Redirect(status) => answer(status, &[("location", &target)], ""),
        Way::RedirectBack => answer(302, &[("location", &target)], ""),
        Way::Link => answer(
            200,
            &[
                ("link", &format!("<{target}>; rel=\"next\"")),
                ("content-type", "application/json"),
            ],
            "[]",
        ),
        Way::NextUrl => json_answer(200, json!({"items": [], "next": target})),
        Way::Location => answer(201, &[("location", &target)], ""),
        Way::Refresh => answer(200, &[("refresh", &format!("0; url={target}"))], ""),
    }
}

#[tokio::test]
async fn an_openapi_service_leads_no_credential_elsewhere() {
    for (kind, settings) in openapi_kinds() {
        for way in WAYS {
            // Without leave nothing at all is asked there; with it, nothing that says who asks.
            for (follow, allowed) in [(false, false), (true, false), (true, true)] {
                let home: Late = Arc::default();
                let back = home.clone();
                let other = Service::start(move |seen, _| match way {
                    Way::RedirectBack => {
                        let query = seen.line.split_once('?').map_or("", |(_, query)| query);
                        let target = format!("{}/back?{query}", back.get().unwrap());
                        answer(302, &[("location", &target)], "")
                    }
                    _ => json_answer(200, json!({"ok": true})),
                })
                .await;
                let url = other.url.clone();
                let main = Service::start(move |seen, number| match number {
                    0 => leads(way, &url, seen),
                    _ => json_answer(200, json!({"ok": true})),
                })
                .await;
                home.set(main.url.clone()).unwrap();

                let folder = tempfile::tempdir().unwrap();
                let document = json!({"openapi": "3.0.3", "servers": [{"url": main.url}],
                    "components": {"securitySchemes": {"s": scheme_of(kind)}}, "security": [{"s": []}],
                    "paths": {"/r": {"get": {"operationId": "r", "parameters": [
                        {"name": "page", "in": "query", "schema": {"type": "string"}}]}}}});
                let path = folder.path().join("api.json");
                std::fs::write(&path, document.to_string()).unwrap();
                let mut openapi = settings.clone();
                openapi["document"] = json!(path);
                openapi["followRedirects"] = json!(follow);
                let allow = if allowed { &["127.0.0.1"][..] } else { &[] };
                let runtime = runtime(&json!({"prefix": "x", "openapi": openapi}), allow);
                let reply = call(&runtime, json!({})).await;

                let what = format!("{kind}, {way:?}, follow {follow}, allowed {allowed}: {reply}");
                assert!(
                    carries(&main.seen()[0]),
                    "it is sent where it belongs: {what}"
                );
                let elsewhere = other.seen();
                assert!(!elsewhere.iter().any(carries), "{what}\n{elsewhere:?}");
                assert!(!main.seen()[1..].iter().any(carries), "{what}");
                let redirects = matches!(way, Way::Redirect(_) | Way::RedirectBack);
                let asked = usize::from(redirects && follow && allowed);
                assert_eq!(elsewhere.len(), asked, "{what}");
                // What a body repeats is the service's to say; that is not about where requests go.
                assert!(
                    matches!(way, Way::NextUrl) || !reply.contains(CANARY),
                    "{what}"
                );
            }
        }
    }
}

/// The settings that hold the credential, of an MCP server behind a URL. `{url}` is the server's.
fn mcp_kinds(url: &str) -> Vec<(&'static str, Value)> {
    let with_user = url.replace("http://", &format!("http://user:{CANARY}@"));
    vec![
        (
            "header",
            json!({"url": url, "headers": {"X-Own-Key": CANARY}}),
        ),
        (
            "authorization",
            json!({"url": url, "headers": {"Authorization": format!("Bearer {CANARY}")}}),
        ),
        (
            "cookie",
            json!({"url": url, "headers": {"Cookie": format!("sid={CANARY}")}}),
        ),
        ("query", json!({"url": format!("{url}?key={CANARY}")})),
        ("user", json!({"url": with_user})),
        (
            "token command",
            json!({"url": url, "auth": {"tokenCommand": ["echo", CANARY]}}),
        ),
    ]
}

#[tokio::test]
async fn an_mcp_server_leads_no_credential_elsewhere() {
    for transport in [Some("http"), Some("sse"), None] {
        for status in [301, 302, 303, 307, 308, 200] {
            for kind in 0..6 {
                let other = Service::ok().await;
                let url = other.url.clone();
                let main = Service::start(move |seen, _| {
                    let query = seen.line.split_once('?').map_or("", |(_, query)| query);
                    let target = format!("{url}/mcp?{query}");
                    match status {
                        // The older transport: the server names where messages go.
                        200 => answer(
                            200,
                            &[("content-type", "text/event-stream")],
                            format!("event: endpoint\ndata: {target}\n\n"),
                        ),
                        status => answer(status, &[("location", &target)], ""),
                    }
                })
                .await;
                let (kind, mut mcp) = mcp_kinds(&format!("{}/mcp", main.url)).swap_remove(kind);
                if let Some(transport) = transport {
                    mcp["transport"] = json!(transport);
                }
                // Not the guard of addresses keeps it here.
                let runtime = runtime(&json!({"prefix": "x", "mcp": mcp}), &["127.0.0.1"]);
                let reply = call(&runtime, json!({})).await;
                runtime.close().await;
                let what = format!("{kind}, {transport:?}, {status}: {reply}");
                assert!(
                    main.seen().iter().any(carries),
                    "it is sent where it belongs: {what}"
                );
                assert_eq!(other.lines(), Vec::<String>::new(), "{what}");
                assert!(!reply.contains(CANARY), "{what}");
            }
        }
    }
}

#[tokio::test]
async fn a_client_secret_goes_to_the_configured_token_url_alone() {
    for status in [301, 302, 303, 307, 308] {
        let other = Service::ok().await;
        let target = format!("{}/token", other.url);
        let tokens = Service::start(move |_, _| answer(status, &[("location", &target)], "")).await;
        let main = Service::start(|_, _| answer(401, &[], "")).await;
        let mcp = json!({"url": format!("{}/mcp", main.url), "auth": {"clientCredentials": {
            "clientId": CANARY, "clientSecret": "word", "tokenUrl": format!("{}/token", tokens.url)}}});
        let runtime = runtime(&json!({"prefix": "x", "mcp": mcp}), &["127.0.0.1"]);
        let reply = call(&runtime, json!({})).await;
        runtime.close().await;
        assert!(carries(&tokens.seen()[0]), "{reply}");
        assert!(other.lines().is_empty(), "{status}: {reply}");
        assert!(!main.seen().iter().any(carries), "{status}: {reply}");
    }
}
