//! A small HTTP service that records what reaches it, and a plugin that calls it.

use std::sync::{Arc, Mutex};

use agent_tools_runtime::{Call, Options, Runtime, View, ViewKind};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A request as it came over the wire.
#[derive(Debug, Clone)]
pub struct Seen {
    /// `GET /path?query`, nothing decoded.
    pub line: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Seen {
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).map(|value| value.to_str().unwrap());
        value.unwrap_or_default()
    }
}

/// The service.
pub struct Service {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Service {
    /// Answers each request with what `answer` makes of it; the number counts from 0.
    pub async fn start(answer: impl Fn(&Seen, usize) -> Response + Send + Sync + 'static) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (record, answer) = (seen.clone(), Arc::new(answer));
        let router = Router::new().fallback(move |request: Request| {
            let (record, answer) = (record.clone(), answer.clone());
            async move {
                let (parts, body) = request.into_parts();
                let seen = Seen {
                    line: format!("{} {}", parts.method, parts.uri),
                    headers: parts.headers,
                    body: axum::body::to_bytes(body, usize::MAX).await.unwrap(),
                };
                let number = {
                    let mut record = record.lock().unwrap();
                    record.push(seen.clone());
                    record.len() - 1
                };
                answer(&seen, number)
            }
        });
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, seen }
    }

    /// A service that is content with everything.
    pub async fn ok() -> Self {
        Self::start(|_, _| json_answer(200, json!({"ok": true}))).await
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }
}

pub fn answer(status: u16, headers: &[(&str, &str)], body: impl Into<Body>) -> Response {
    let mut response = Response::builder().status(StatusCode::from_u16(status).unwrap());
    for (name, value) in headers {
        response = response.header(*name, *value);
    }
    response.body(body.into()).unwrap()
}

pub fn json_answer(status: u16, body: Value) -> Response {
    answer(
        status,
        &[("content-type", "application/json")],
        body.to_string(),
    )
}

/// A plugin `x` in a runtime of its own.
pub struct Plugin {
    pub runtime: Runtime,
    pub dir: TempDir,
}

impl Plugin {
    /// A document with these paths, served at `url`.
    pub fn new(url: &str, paths: Value, settings: Value) -> Self {
        Self::with_document(
            json!({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "servers": [{ "url": url }], "paths": paths}),
            settings,
        )
    }

    pub fn with_document(document: Value, settings: Value) -> Self {
        Self::with_text(&document.to_string(), settings, json!({}))
    }

    /// `plugin` holds further keys of the manifest.
    pub fn with_text(document: &str, mut settings: Value, mut plugin: Value) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("api.json"), document).unwrap();
        if settings.get("document").is_none() {
            settings["document"] = json!("api.json");
        }
        plugin["prefix"] = json!("x");
        plugin["dir"] = json!(dir.path());
        plugin["openapi"] = settings;
        let options: Options =
            serde_json::from_value(json!({ "cache": false, "plugins": [plugin] })).unwrap();
        let runtime = Runtime::open(options, None);
        assert_eq!(runtime.status()["warnings"], json!([]));
        Self { runtime, dir }
    }

    /// The facade's payload for one call, which is confirmed.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.content(tool, arguments).await.0
    }

    /// The payload, and the parts behind it.
    pub async fn content(&self, tool: &str, arguments: Value) -> (Value, Vec<Value>) {
        let call = json!({"toolName": tool, "arguments": arguments, "confirm": true});
        let reply = self
            .runtime
            .call(Call::to("agent_tools_x_call").arguments(call))
            .await
            .unwrap();
        let text = reply.content[0]["text"].as_str().unwrap();
        let payload: Value = serde_json::from_str(text).unwrap();
        (payload, reply.content[1..].to_vec())
    }

    /// The tools of the flat view.
    pub async fn tools(&self) -> Vec<Value> {
        let view = View {
            kind: ViewKind::Flat,
            plugin: Some("x".into()),
        };
        self.runtime.tools(&view).await.unwrap()
    }
}
