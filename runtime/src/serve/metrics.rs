//! `GET /metrics`, for Prometheus.

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};

use super::access;
use crate::Runtime;

const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The endpoint; who may ask is decided by what it is put behind.
pub(super) fn router(runtime: Runtime) -> Router {
    Router::new().route("/metrics", get(answer).with_state(runtime))
}

async fn answer(State(runtime): State<Runtime>) -> Response {
    match runtime.metrics() {
        Some(text) => ([(header::CONTENT_TYPE, TEXT_FORMAT)], text).into_response(),
        None => access::error(
            StatusCode::INTERNAL_SERVER_ERROR,
            "calls could not be counted",
        ),
    }
}
