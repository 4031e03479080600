//! What is not the public internet is asked only where the user has named it.

use agent_tools_runtime::{Call, Options, Runtime};
use serde_json::{Value, json};

use crate::service::{Plugin, Service, answer, json_answer};

fn paths() -> Value {
    json!({"/r": {"get": {"operationId": "r"}}})
}

/// A service that sends everybody to the other one.
async fn leading_to(url: &str) -> Service {
    let target = format!("{url}/inner");
    Service::start(move |_, _| answer(302, &[("location", &target)], "")).await
}

/// A plugin whose runtime allows these places.
fn plugin(openapi: &Value, allow: &[&str]) -> Runtime {
    let options: Options = serde_json::from_value(json!({
        "cache": false,
        "network": {"allow": allow},
        "plugins": [{"prefix": "x", "openapi": openapi}],
    }))
    .unwrap();
    Runtime::open(options, None)
}

async fn call(runtime: &Runtime) -> Value {
    let call = json!({"toolName": "r", "arguments": {}, "confirm": true});
    let reply = runtime
        .call(Call::to("agent_tools_x_call").arguments(call))
        .await
        .unwrap();
    serde_json::from_str(reply.content[0]["text"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn a_redirect_to_an_inner_address_is_refused_in_every_spelling() {
    let inner = Service::ok().await;
    let port = inner.url.rsplit(':').next().unwrap();
    for host in [
        "127.0.0.1",
        "localhost",
        "LOCALHOST.",
        "2130706433",
        "0x7f.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "user@127.0.0.1",
        "example.com@127.0.0.1",
        "169.254.169.254",
        "metadata.google.internal",
    ] {
        let main = leading_to(&format!("http://{host}:{port}")).await;
        let settings = json!({"followRedirects": true});
        let reply = Plugin::new(&main.url, paths(), settings)
            .call("r", json!({}))
            .await;
        assert_eq!(reply["code"], "UPSTREAM_PROTOCOL", "{host}: {reply}");
        let hint = reply["hint"].as_str().unwrap();
        assert!(hint.contains("\"network\": {\"allow\": ["), "{hint}");
        assert_eq!(main.lines(), ["GET /r"], "{host}");
    }
    assert_eq!(inner.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn another_port_of_the_configured_host_is_another_place() {
    let inner = Service::ok().await;
    let main = leading_to(&inner.url.replace("127.0.0.1", "localhost")).await;
    let url = main.url.replace("127.0.0.1", "localhost");
    let reply = Plugin::new(&url, paths(), json!({"followRedirects": true}))
        .call("r", json!({}))
        .await;
    assert_eq!(reply["code"], "UPSTREAM_PROTOCOL", "{reply}");
    assert_eq!(main.lines().len(), 1);
    assert!(inner.lines().is_empty());
}

#[tokio::test]
async fn the_user_allows_networks() {
    let inner = Service::ok().await;
    let main = leading_to(&inner.url).await;
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("api.json");
    let text = json!({"openapi": "3.0.3", "servers": [{"url": main.url}], "paths": paths()});
    std::fs::write(&document, text.to_string()).unwrap();
    let openapi = json!({"document": document, "followRedirects": true});
    let reply = call(&plugin(&openapi, &["10.0.0.0/8"])).await;
    assert_eq!(reply["code"], "UPSTREAM_PROTOCOL", "{reply}");
    let reply = call(&plugin(&openapi, &["127.0.0.0/8"])).await;
    assert_eq!(reply["result"], json!({"ok": true}), "{reply}");
    assert_eq!(inner.lines(), ["GET /inner"]);
}

#[tokio::test]
async fn a_document_from_the_network_names_no_inner_server_and_leads_to_none() {
    let inner = Service::ok().await;
    let server = inner.url.clone();
    let document = move |_: &_, _| {
        json_answer(
            200,
            json!({"openapi": "3.0.3", "servers": [{"url": server}], "paths": paths()}),
        )
    };
    let documents = Service::start(document.clone()).await;
    let openapi = json!({"document": format!("{}/api.json", documents.url)});
    let reply = call(&plugin(&openapi, &[])).await;
    assert_eq!(reply["code"], "UPSTREAM_PROTOCOL", "{reply}");
    assert!(inner.lines().is_empty());
    // Named by the user, it is theirs to choose.
    let based = json!({"document": openapi["document"], "baseUrl": inner.url});
    assert_eq!(
        call(&plugin(&based, &[])).await["result"],
        json!({"ok": true})
    );

    let behind = Service::start(document).await;
    let moved = leading_to(&behind.url).await;
    let openapi = json!({"document": format!("{}/api.json", moved.url), "baseUrl": inner.url});
    let reply = call(&plugin(&openapi, &[])).await;
    assert!(reply.to_string().contains("a loopback address"), "{reply}");
    assert!(behind.lines().is_empty());
}
