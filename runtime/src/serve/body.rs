//! A request's body, looked at before the protocol: one JSON-RPC message, and not too long.

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};

use super::{
    access::{error, refused},
    message::{self, Refusal},
};

/// The longest body that is read, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Limit(pub(super) usize);

/// 413 for a body that is too long, 400 for one that is no message.
pub(super) async fn read(State(limit): State<Limit>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, limit.0).await else {
        let message = format!("the body is longer than {} bytes", limit.0);
        return error(StatusCode::PAYLOAD_TOO_LARGE, &message);
    };
    match message::read(&bytes) {
        Ok(Some(_)) => {
            next.run(Request::from_parts(parts, Body::from(bytes)))
                .await
        }
        Ok(None) => refused(
            StatusCode::BAD_REQUEST,
            &Refusal::invalid("the body is empty; send one JSON-RPC message"),
        ),
        Err(refusal) => refused(StatusCode::BAD_REQUEST, &refusal),
    }
}
