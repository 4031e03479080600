//! A request's body, looked at before the protocol: one JSON-RPC message, and not too long.

use std::time::Duration;

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
};
use futures_util::TryStreamExt;

use super::{
    access::{error, refused},
    message::{self, Refusal},
};

/// How much is read, and how long that may take.
#[derive(Clone, Copy)]
pub(super) struct Limit {
    pub bytes: usize,
    pub patience: Duration,
}

/// Why there is no body.
#[derive(Debug, PartialEq)]
pub(super) enum Unread {
    TooLong,
    /// It does not come in time.
    Late,
    /// It ends too early, or its chunks are none.
    Broken,
}

/// 413 for a body that is too long, 408 for one that does not come, 400 for one that is broken or no message.
pub(super) async fn read(State(limit): State<Limit>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = match take(body, limit).await {
        Ok(bytes) => bytes,
        Err(Unread::Late) => {
            let mut late = error(
                StatusCode::REQUEST_TIMEOUT,
                &format!("the body did not come within {:?}", limit.patience),
            );
            // The rest of it must not be taken for the next request.
            let close = HeaderValue::from_static("close");
            late.headers_mut().insert(header::CONNECTION, close);
            return late;
        }
        Err(Unread::TooLong) => {
            let message = format!("the body is longer than {} bytes", limit.bytes);
            return error(StatusCode::PAYLOAD_TOO_LARGE, &message);
        }
        Err(Unread::Broken) => {
            return error(StatusCode::BAD_REQUEST, "the body is not whole");
        }
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

/// All of it, within the limit.
pub(super) async fn take(body: Body, limit: Limit) -> Result<Vec<u8>, Unread> {
    let read = tokio::time::timeout(limit.patience, whole(body, limit.bytes)).await;
    read.unwrap_or(Err(Unread::Late))
}

async fn whole(body: Body, limit: usize) -> Result<Vec<u8>, Unread> {
    let mut pieces = body.into_data_stream();
    let mut read = Vec::new();
    while let Some(piece) = pieces.try_next().await.map_err(|_| Unread::Broken)? {
        if piece.len() > limit - read.len() {
            return Err(Unread::TooLong);
        }
        read.extend_from_slice(&piece);
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    #[tokio::test]
    async fn a_body_that_is_too_long_is_told_from_one_that_is_broken() {
        let pieces = |pieces: Vec<Result<&'static str, &'static str>>| {
            whole(Body::from_stream(stream::iter(pieces)), 4)
        };
        assert_eq!(pieces(vec![]).await.unwrap(), b"");
        assert_eq!(pieces(vec![Ok("ab"), Ok("cd")]).await.unwrap(), b"abcd");
        let long = pieces(vec![Ok("ab"), Ok("cde"), Err("x")]).await;
        assert_eq!(long, Err(Unread::TooLong));
        assert_eq!(pieces(vec![Ok("ab"), Err("x")]).await, Err(Unread::Broken));
    }
}
