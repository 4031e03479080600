//! Who may talk to the HTTP transport, and the small liberties that real clients need.

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use subtle::ConstantTimeEq;

use super::message::Refusal;

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
/// refusing them helps nobody. Who accepts only event streams is answered with a stream of one event.
pub(super) async fn accept_leniently(mut request: Request, next: Next) -> Response {
    let accepted = accepted(request.headers());
    if accepted == Accepted::Neither {
        return error(
            StatusCode::NOT_ACCEPTABLE,
            "answers are application/json; accept that, text/event-stream or */*",
        );
    }
    request.headers_mut().insert(
        header::ACCEPT,
        HeaderValue::from_static("application/json, text/event-stream"),
    );
    let response = next.run(request).await;
    match accepted {
        Accepted::OnlyEvents => as_event(response).await,
        Accepted::Json | Accepted::Neither => response,
    }
}

#[derive(Debug, PartialEq)]
enum Accepted {
    Json,
    OnlyEvents,
    Neither,
}

fn accepted(headers: &HeaderMap) -> Accepted {
    let mut ranges = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|range| range.split(';').next().unwrap_or_default().trim())
        .filter(|range| !range.is_empty())
        .map(str::to_ascii_lowercase)
        .peekable();
    if ranges.peek().is_none() {
        return Accepted::Json;
    }
    let ranges: Vec<String> = ranges.collect();
    let any = |wanted: &[&str]| ranges.iter().any(|range| wanted.contains(&range.as_str()));
    if any(&["application/json", "application/*", "*/*"]) {
        Accepted::Json
    } else if any(&["text/event-stream", "text/*"]) {
        Accepted::OnlyEvents
    } else {
        Accepted::Neither
    }
}

/// A JSON answer as the one event of a stream. JSON texts of this server hold no line breaks.
async fn as_event(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let is_json = parts
        .headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.starts_with("application/json"));
    if !parts.status.is_success() || !is_json {
        return Response::from_parts(parts, body);
    }
    let Ok(json) = to_bytes(body, usize::MAX).await else {
        return error(StatusCode::INTERNAL_SERVER_ERROR, "the answer was lost");
    };
    let event = [b"event: message\ndata: ".as_slice(), &json, b"\n\n"].concat();
    parts.headers.remove(header::CONTENT_LENGTH);
    let kind = HeaderValue::from_static("text/event-stream");
    parts.headers.insert(header::CONTENT_TYPE, kind);
    Response::from_parts(parts, Body::from(event))
}

/// 404, with where something is.
pub(super) async fn nothing_here() -> Response {
    error(
        StatusCode::NOT_FOUND,
        "nothing is here; the endpoints are /mcp and /mcp/<prefix>",
    )
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    // Of two, whoever stands between may have checked the other one.
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// An HTTP error whose body is a JSON-RPC error without an id: the request was not looked into.
pub(super) fn error(status: StatusCode, message: &str) -> Response {
    refused(status, &Refusal::invalid(message))
}

/// An HTTP error whose body is a JSON-RPC error.
pub(super) fn refused(status: StatusCode, refusal: &Refusal) -> Response {
    let json = [(header::CONTENT_TYPE, "application/json")];
    (status, json, refusal.to_json().to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_real_clients_accept() {
        for (accept, wanted) in [
            (None, Accepted::Json),
            (Some(""), Accepted::Json),
            (Some("*/*"), Accepted::Json),
            (Some("Application/JSON"), Accepted::Json),
            (Some("application/*;q=0.9"), Accepted::Json),
            (Some("application/json, text/event-stream"), Accepted::Json),
            (Some("text/event-stream"), Accepted::OnlyEvents),
            (Some("image/png"), Accepted::Neither),
        ] {
            let headers = accept
                .map(|accept| (header::ACCEPT, HeaderValue::from_static(accept)))
                .into_iter()
                .collect();
            assert_eq!(accepted(&headers), wanted, "{accept:?}");
        }
    }
}
