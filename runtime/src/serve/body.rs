//! A request's body, looked at before the protocol: one JSON object, and not too long.

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};
use serde::de::IgnoredAny;

use super::access::{PARSE_ERROR, error, rpc_error};

/// The longest body that is read, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Limit(pub(super) usize);

/// 413 for a body that is too long, 400 for one that is no JSON or no single message.
pub(super) async fn read(State(limit): State<Limit>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, limit.0).await else {
        let message = format!("the body is longer than {} bytes", limit.0);
        return error(StatusCode::PAYLOAD_TOO_LARGE, &message);
    };
    if let Err(problem) = serde_json::from_slice::<IgnoredAny>(&bytes) {
        return rpc_error(
            StatusCode::BAD_REQUEST,
            PARSE_ERROR,
            &format!("the body is no JSON: {problem}"),
        );
    }
    match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'{') => {
            next.run(Request::from_parts(parts, Body::from(bytes)))
                .await
        }
        Some(b'[') => error(
            StatusCode::BAD_REQUEST,
            "a batch is not supported; send each message by itself",
        ),
        _ => error(StatusCode::BAD_REQUEST, "the body is no JSON-RPC message"),
    }
}
