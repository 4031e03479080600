//! Who may talk to the HTTP transport, and the small liberties that real clients need.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::json;
use subtle::ConstantTimeEq;

/// A bearer token that every request must carry, when one is set.
#[derive(Clone)]
pub(super) struct Token(pub(super) Option<std::sync::Arc<str>>);

/// 401 without the right token.
pub(super) async fn require_token(
    State(token): State<Token>,
    request: Request,
    next: Next,
) -> Response {
    if let Some(wanted) = &token.0
        && !bearer(request.headers())
            .is_some_and(|given| bool::from(given.as_bytes().ct_eq(wanted.as_bytes())))
    {
        let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
        return (
            challenge,
            error(
                StatusCode::UNAUTHORIZED,
                "a bearer token is required; send the header Authorization: Bearer <token>",
            ),
        )
            .into_response();
    }
    next.run(request).await
}

/// Only POST is served. A GET is answered at once: clients probe for a stream and wait for this answer.
pub(super) async fn only_post(request: Request, next: Next) -> Response {
    if request.method() == Method::POST {
        return next.run(request).await;
    }
    let allow = [(header::ALLOW, "POST")];
    (
        allow,
        error(StatusCode::METHOD_NOT_ALLOWED, "only POST is served here"),
    )
        .into_response()
}

/// The specification wants clients to accept both JSON and event streams. Many send one of them, `*/*` or nothing;
/// refusing them helps nobody.
pub(super) async fn accept_leniently(mut request: Request, next: Next) -> Response {
    request.headers_mut().insert(
        header::ACCEPT,
        HeaderValue::from_static("application/json, text/event-stream"),
    );
    next.run(request).await
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// JSON-RPC: the text is no JSON.
pub(super) const PARSE_ERROR: i32 = -32700;
/// JSON-RPC: the JSON is no request.
const INVALID_REQUEST: i32 = -32600;

/// An HTTP error whose body is a JSON-RPC error without an id: the request was not looked into.
pub(super) fn error(status: StatusCode, message: &str) -> Response {
    rpc_error(status, INVALID_REQUEST, message)
}

pub(super) fn rpc_error(status: StatusCode, code: i32, message: &str) -> Response {
    let body =
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } });
    let json = [(header::CONTENT_TYPE, "application/json")];
    (status, json, body.to_string()).into_response()
}
