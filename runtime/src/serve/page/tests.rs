use std::sync::Arc;

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{Page, STREAMS};
use crate::{
    Options, Runtime,
    serve::{
        HttpOptions,
        elicitation::Seal,
        http::{router, serve_http},
    },
};

struct Server {
    runtime: Runtime,
    app: Router,
    token: String,
    _folder: tempfile::TempDir,
}

fn runtime(folder: &std::path::Path) -> Runtime {
    let options = json!({ "cache": false, "dataDir": folder, "audit": { "dir": folder } });
    Runtime::open(serde_json::from_value::<Options>(options).unwrap(), None)
}

fn server(options: &HttpOptions) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let runtime = runtime(folder.path());
    let page = Page::new(runtime.clone(), options.body()).unwrap();
    let seal = Arc::new(Seal::new().unwrap());
    let shutdown = runtime.shutdown_token();
    Server {
        app: router(runtime.clone(), seal, options, Some(&page), shutdown),
        token: page.0.token.text().to_owned(),
        runtime,
        _folder: folder,
    }
}

impl Server {
    async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "127.0.0.1:8321");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.to_owned())).unwrap();
        let app = TowerToHyperService::new(self.app.clone());
        app.call(request).await.unwrap()
    }

    /// With the token.
    async fn ask(&self, path: &str) -> Response {
        self.send("GET", path, &[("x-page-token", &self.token)], "")
            .await
    }

    async fn post(&self, path: &str, body: &str) -> Response {
        self.send("POST", path, &[("x-page-token", &self.token)], body)
            .await
    }
}

async fn text(response: Response) -> String {
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

async fn refused(response: Response) -> (StatusCode, String) {
    let status = response.status();
    let said: Value = serde_json::from_str(&text(response).await).unwrap();
    assert!(
        said["error"].is_string() && said["hint"].is_string(),
        "{said}"
    );
    (status, said["code"].as_str().unwrap().to_owned())
}

const DATA: &str = "/page/data/overview";

#[tokio::test]
async fn the_page_is_public_and_its_data_need_the_token() {
    let server = server(&HttpOptions::default());
    let page = server.send("GET", "/", &[], "").await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(!text(page).await.contains(&server.token));
    let almost = format!("{}x", &server.token[1..]);
    let required = (StatusCode::UNAUTHORIZED, "PAGE_TOKEN_REQUIRED".to_owned());
    for headers in [
        &[][..],
        &[("x-page-token", "")],
        &[("x-page-token", almost.as_str())],
        &[
            ("x-page-token", server.token.as_str()),
            ("x-page-token", "other"),
        ],
        &[("authorization", &format!("Bearer {}", server.token))],
    ] {
        assert_eq!(
            refused(server.send("GET", DATA, headers, "").await).await,
            required,
            "{headers:?}"
        );
    }
    for path in [
        "offers?plugin=p",
        "entry",
        "search",
        "tokens",
        "record",
        "live",
    ] {
        let path = format!("/page/data/{path}");
        assert_eq!(
            refused(server.send("GET", &path, &[], "").await).await,
            required,
            "{path}"
        );
    }
    for path in ["/page/data/call", "/page/data/answer"] {
        assert_eq!(
            refused(server.send("POST", path, &[], "{}").await).await,
            required,
            "{path}"
        );
    }
    let query = format!("{DATA}?token={}", server.token);
    assert_eq!(
        refused(server.send("GET", &query, &[], "").await).await,
        required
    );
    assert_eq!(server.ask(DATA).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn the_servers_own_token_is_another_one() {
    let options = HttpOptions {
        token: Some("a-long-random-token".into()),
        ..HttpOptions::default()
    };
    let server = server(&options);
    let own = [("authorization", "Bearer a-long-random-token")];
    let refusal = refused(server.send("GET", DATA, &own, "").await).await;
    assert_eq!(refusal.1, "PAGE_TOKEN_REQUIRED");
    assert_eq!(
        server.send("GET", "/", &[], "").await.status(),
        StatusCode::OK
    );
    assert_eq!(server.ask(DATA).await.status(), StatusCode::OK);
    let page_token = format!("Bearer {}", server.token);
    let with_it = [("authorization", page_token.as_str())];
    let mcp = server.send("POST", "/mcp", &with_it, "{}").await;
    assert_eq!(mcp.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn hosts_and_origins_are_checked_before_the_page() {
    let server = server(&HttpOptions::default());
    let token = ("x-page-token", server.token.as_str());
    for path in ["/", "/page/page.js", DATA] {
        let rebound = [token, ("host", "evil.example:8321")];
        let response = server.send("GET", path, &rebound, "").await;
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{path}");
        let foreign = [token, ("origin", "https://evil.example")];
        let response = server.send("GET", path, &foreign, "").await;
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{path}");
    }
    // What a browser asks before it lets a page of another origin send the header.
    let preflight = [
        ("origin", "http://localhost:5173"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "x-page-token"),
    ];
    let response = server
        .send("OPTIONS", "/page/data/call", &preflight, "")
        .await;
    assert!(!response.status().is_success());
    let allowed = response
        .headers()
        .keys()
        .any(|name| name.as_str().starts_with("access-control"));
    assert!(!allowed, "{:?}", response.headers());
}

fn check_headers(headers: &HeaderMap, path: &str) {
    let is = |name: &str| headers[name].to_str().unwrap().to_owned();
    let policy = is("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self';",
        "style-src 'self';",
        "connect-src 'self';",
        "img-src 'self' data:;",
        "frame-ancestors 'none'",
        "form-action 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'; trusted-types 'none'",
    ] {
        assert!(policy.contains(part), "{path}: {policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(is(name), value, "{path}: {name}");
    }
}

#[tokio::test]
async fn every_answer_forbids_what_the_page_does_not_need() {
    let server = server(&HttpOptions::default());
    for path in [
        "/",
        "/page/page.js",
        "/page/page.css",
        "/page/icon.svg",
        DATA,
        "/page/data/live",
    ] {
        let response = server.ask(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        check_headers(response.headers(), path);
    }
    let refused = server.send("GET", DATA, &[], "").await;
    check_headers(refused.headers(), "without the token");
}

/// Whether a server of this machine has a page.
async fn answers_at(port: u16) -> bool {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.starts_with("HTTP/1.1 200 ")
}

#[tokio::test]
async fn a_page_is_served_to_this_machine_alone_unless_it_is_wanted() {
    let page_of = async |host: &str, page: Option<bool>| {
        let folder = tempfile::tempdir().unwrap();
        let runtime = runtime(folder.path());
        let options = HttpOptions {
            host: host.into(),
            port: 0,
            token: Some("a-long-random-token".into()),
            page,
            ..HttpOptions::default()
        };
        let server = serve_http(&runtime, options).await.unwrap();
        let there = server.page_url.clone();
        assert!(!format!("{server:?}").contains("token="));
        let answered = answers_at(server.address.port()).await;
        runtime.close().await;
        server.stopped().await;
        assert_eq!(answered, there.is_some(), "{host} {page:?}");
        there.is_some()
    };
    assert!(page_of("127.0.0.1", None).await);
    assert!(page_of("localhost", None).await);
    assert!(!page_of("127.0.0.1", Some(false)).await);
    assert!(!page_of("0.0.0.0", None).await);
    assert!(page_of("0.0.0.0", Some(true)).await);
}

#[tokio::test]
async fn what_cannot_be_read_is_told_of() {
    let short = HttpOptions {
        max_body_bytes: 64,
        ..HttpOptions::default()
    };
    let server = server(&short);
    let code = async |response| refused(response).await.1;
    assert_eq!(
        code(server.post("/page/data/call", "{").await).await,
        "BAD_REQUEST"
    );
    assert_eq!(
        code(server.post("/page/data/call", &"x".repeat(65)).await).await,
        "BODY_TOO_LONG"
    );
    let answer = json!({ "question": "none", "answer": "once" }).to_string();
    assert_eq!(
        code(server.post("/page/data/answer", &answer).await).await,
        "NO_SUCH_QUESTION"
    );
    let always = json!({ "question": "none", "answer": "always" }).to_string();
    assert_eq!(
        code(server.post("/page/data/answer", &always).await).await,
        "BAD_REQUEST"
    );
    assert_eq!(
        code(server.ask("/page/data/search").await).await,
        "BAD_REQUEST"
    );
    assert_eq!(
        code(server.ask("/page/data/offers?plugin=none").await).await,
        "CONFIG_INVALID"
    );
}

#[tokio::test]
async fn event_streams_are_counted_and_end_with_the_runtime() {
    let server = server(&HttpOptions::default());
    let mut open = Vec::new();
    for _ in 0..STREAMS {
        let response = server.ask("/page/data/live").await;
        assert_eq!(response.status(), StatusCode::OK);
        open.push(response);
    }
    let refusal = refused(server.ask("/page/data/live").await).await;
    assert_eq!(
        refusal,
        (
            StatusCode::SERVICE_UNAVAILABLE,
            "TOO_MANY_STREAMS".to_owned()
        )
    );
    // One that is given up makes room.
    open.pop();
    open.push(server.ask("/page/data/live").await);
    assert_eq!(open.last().unwrap().status(), StatusCode::OK);
    server.runtime.close().await;
    for response in open {
        text(response).await;
    }
}
