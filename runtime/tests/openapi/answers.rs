//! What comes back from a service.

use std::{
    io::{Read, Write},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::service::{Plugin, Service, answer, json_answer};

fn hex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn one(method: &str) -> Value {
    json!({"/t": {method: {"operationId": "t"}}})
}

/// The payload and further parts for one answer to a GET.
async fn got(status: u16, headers: &'static [(&str, &str)], body: Vec<u8>) -> (Value, Vec<Value>) {
    let service = Service::start(move |_, _| answer(status, headers, body.clone())).await;
    Plugin::new(
        &service.url,
        one("get"),
        json!({"maxResponseBytes": 1_000_000}),
    )
    .content("t", json!({}))
    .await
}

#[tokio::test]
async fn c136_every_kind_of_answer_is_given_as_what_it_is() {
    let latin = got(
        200,
        &[("content-type", "text/plain; charset=iso-8859-1")],
        hex("ef6b20e9"),
    )
    .await
    .0;
    assert_eq!(latin["result"], json!({"raw": "ïk é"}));

    let mislabelled = got(
        200,
        &[("content-type", "application/json")],
        b"not json".to_vec(),
    )
    .await
    .0;
    assert_eq!(mislabelled["result"], json!({"raw": "not json"}));
    assert!(
        mislabelled["notes"][0].as_str().unwrap().contains("JSON"),
        "{mislabelled}"
    );

    let problem = got(
        422,
        &[("content-type", "application/problem+json")],
        br#"{"title":"bad","detail":"limit"}"#.to_vec(),
    )
    .await
    .0;
    assert_eq!(problem["code"], "TOOL_FAILED");
    assert_eq!(
        problem["result"],
        json!({"status": 422, "statusText": "Unprocessable Entity", "body": {"title": "bad", "detail": "limit"}})
    );

    let (payload, parts) = got(200, &[("content-type", "image/png")], hex("89504e47")).await;
    assert_eq!(
        payload["result"],
        json!({"contentType": "image/png", "bytes": 4})
    );
    assert_eq!(
        parts,
        [json!({"type": "image", "data": "iVBORw==", "mimeType": "image/png"})]
    );

    let untyped = got(200, &[], br#"{"a":1}"#.to_vec()).await.0;
    assert_eq!(untyped["result"], json!({"a": 1}));

    let zipped = got(
        200,
        &[
            ("content-encoding", "gzip"),
            ("content-type", "application/json"),
        ],
        gzip(br#"{"a":1}"#),
    )
    .await
    .0;
    assert_eq!(zipped["result"], json!({"a": 1}));
    let bomb = got(
        200,
        &[("content-encoding", "gzip")],
        gzip(&vec![b'x'; 5_000_000]),
    )
    .await
    .0;
    assert_eq!(bomb["isError"], true);
    assert!(
        bomb["result"]["error"]
            .as_str()
            .unwrap()
            .contains("maxResponseBytes"),
        "{bomb}"
    );
}

#[tokio::test]
async fn other_kinds_of_answers() {
    let html = got(200, &[("content-type", "text/html")], b"<p>hi</p>".to_vec())
        .await
        .0;
    assert_eq!(html["result"], json!({"raw": "<p>hi</p>"}));
    let csv = got(200, &[("content-type", "text/csv")], b"a,b\n1,2\n".to_vec())
        .await
        .0;
    assert_eq!(csv["result"], json!({"raw": "a,b\n1,2\n"}));
    let list = got(
        200,
        &[("content-type", "application/json; charset=utf-8")],
        b"\xef\xbb\xbf[1,2]".to_vec(),
    )
    .await
    .0;
    assert_eq!(list["result"], json!([1, 2]));

    let (payload, parts) = got(
        200,
        &[
            ("content-type", "application/zip"),
            ("content-disposition", "attachment; filename=\"../a.zip\""),
        ],
        vec![0, 1],
    )
    .await;
    assert_eq!(
        payload["result"],
        json!({"contentType": "application/zip", "bytes": 2, "filename": "a.zip"})
    );
    assert_eq!(parts[0]["resource"]["blob"], "AAE=");
    assert_eq!(parts[0]["resource"]["mimeType"], "application/zip");

    let nothing = got(204, &[], Vec::new()).await.0;
    assert_eq!(
        (&nothing["isError"], &nothing["result"]),
        (
            &json!(false),
            &json!({"status": 204, "statusText": "No Content"})
        )
    );
    let created = got(201, &[("location", "/t/5")], Vec::new()).await.0;
    assert_eq!(created["result"]["location"], "/t/5");
    let unchanged = got(304, &[], Vec::new()).await.0;
    assert_eq!(unchanged["result"]["status"], 304);

    let crash = got(
        500,
        &[("content-type", "text/html")],
        "<h1>Oops</h1>".repeat(2000).into_bytes(),
    )
    .await
    .0;
    assert_eq!(crash["code"], "TOOL_FAILED");
    let body = crash["result"]["body"].as_str().unwrap();
    assert!(body.starts_with("<h1>Oops") && body.ends_with('…') && body.len() < 9_000);

    let large = got(
        200,
        &[("content-type", "text/plain")],
        vec![b'x'; 1_000_001],
    )
    .await
    .0;
    assert_eq!(large["isError"], true);
    assert!(
        large["result"]["error"]
            .as_str()
            .unwrap()
            .contains("larger than 976 KB"),
        "{large}"
    );
}

#[tokio::test]
async fn a_head_request_gives_the_headers() {
    let service =
        Service::start(|_, _| answer(200, &[("etag", "\"1\""), ("x-other", "2")], "")).await;
    let reply = Plugin::new(&service.url, one("head"), json!({}))
        .call("t", json!({}))
        .await;
    assert_eq!(reply["result"]["headers"]["etag"], "\"1\"");
    assert!(reply["result"]["headers"].get("x-other").is_none());
}

#[tokio::test]
async fn the_next_page_is_said_as_a_call() {
    let service = Service::start(|seen, _| {
        let next = format!(
            "<http://{}/t?page=3&per_page=2>; rel=\"next\"",
            seen.header("host")
        );
        answer(
            200,
            &[("content-type", "application/json"), ("link", &next)],
            "[1,2]",
        )
    })
    .await;
    let paths = json!({"/t": {"get": {"operationId": "t", "parameters": [
        {"name": "page", "in": "query", "schema": {"type": "integer"}}, {"name": "per_page", "in": "query", "schema": {"type": "integer"}}]}}});
    let reply = Plugin::new(&service.url, paths, json!({}))
        .call("t", json!({"page": 2, "per_page": 2}))
        .await;
    assert_eq!(reply["result"], json!([1, 2]));
    assert_eq!(
        reply["notes"],
        json!(["there is more: call t again with the same arguments and {\"page\":3}"])
    );
}

#[tokio::test]
async fn a_service_that_is_too_busy_is_waited_for_when_that_is_short_and_harmless() {
    let busy = |seconds: &'static str| {
        Service::start(move |_, number| match number {
            0 => answer(429, &[("retry-after", seconds)], ""),
            _ => json_answer(200, json!({"ok": true})),
        })
    };
    let service = busy("1").await;
    let began = Instant::now();
    let reply = Plugin::new(&service.url, one("get"), json!({}))
        .call("t", json!({}))
        .await;
    assert_eq!(reply["result"], json!({"ok": true}));
    assert!(began.elapsed() >= Duration::from_secs(1));
    assert_eq!(service.lines().len(), 2);

    let service = busy("3600").await;
    let reply = Plugin::new(&service.url, one("get"), json!({}))
        .call("t", json!({}))
        .await;
    assert_eq!(reply["code"], "TOOL_FAILED");
    assert_eq!(reply["result"]["retryAfterSeconds"], 3600);
    assert!(reply["result"]["wait"].as_str().unwrap().contains("3600 s"));

    let service = busy("1").await;
    let reply = Plugin::new(&service.url, one("post"), json!({}))
        .call("t", json!({}))
        .await;
    assert_eq!(
        reply["result"]["retryAfterSeconds"], 1,
        "a change is not repeated"
    );
    assert_eq!(service.lines().len(), 1);

    let service = Service::start(|_, _| answer(429, &[("retry-after", "0")], "")).await;
    let reply = Plugin::new(&service.url, one("get"), json!({}))
        .call("t", json!({}))
        .await;
    assert_eq!(reply["code"], "TOOL_FAILED");
    assert_eq!(service.lines().len(), 3, "it is not repeated for ever");
}

#[tokio::test]
async fn a_service_that_is_not_there_or_breaks_off_is_said_honestly() {
    let gone = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let paths = json!({"/t": {"get": {"operationId": "read"}, "post": {"operationId": "write"}}});
    let plugin = Plugin::new(&gone, paths.clone(), json!({"query": {"key": "CANARY-B"}}));
    for tool in ["read", "write"] {
        let reply = plugin.call(tool, json!({})).await;
        assert_eq!(reply["code"], "UPSTREAM_UNREACHABLE", "{reply}");
        assert!(!reply.to_string().contains("CANARY"), "{reply}");
    }

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
        }
    });
    let plugin = Plugin::new(&url, paths, json!({}));
    assert_eq!(
        plugin.call("read", json!({})).await["code"],
        "UPSTREAM_UNREACHABLE"
    );
    assert_eq!(
        plugin.call("write", json!({})).await["code"],
        "OUTCOME_UNKNOWN"
    );
}

#[tokio::test]
async fn the_plugin_s_deadline_holds() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let document = json!({"openapi": "3.0.0", "servers": [{ "url": url }], "paths": one("get")});
    let plugin = Plugin::with_text(&document.to_string(), json!({}), json!({"timeoutMs": 300}));
    let reply = plugin.call("t", json!({})).await;
    assert_eq!(reply["code"], "TIMEOUT", "{reply}");
    drop(listener);
}
