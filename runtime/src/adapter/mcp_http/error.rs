//! Why an HTTP request brought no answer.

use reqwest::StatusCode;

use super::shown::Shown;
use crate::{
    adapter::causes::with_causes,
    reply::{Code, Failure},
};

/// A request that failed. Neither its text nor its debug output has a secret in it.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", failure.error)]
pub(in crate::adapter) struct HttpError {
    pub failure: Failure,
    /// The status that the server answered with, where it answered.
    pub status: Option<StatusCode>,
}

impl From<Failure> for HttpError {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            status: None,
        }
    }
}

impl HttpError {
    /// The server answered with an error status; `excerpt` is of its body.
    ///
    /// A 4xx refused the request. With a 5xx nobody knows what was done before it failed.
    pub(super) fn status(status: StatusCode, excerpt: &str, retry_after: Option<&str>) -> Self {
        let code = match status.as_u16() {
            401 | 403 | 407 => Code::UpstreamAuth,
            500.. => Code::OutcomeUnknown,
            _ => Code::UpstreamProtocol,
        };
        let mut text = format!("HTTP {}", status.as_u16());
        if let Some(reason) = status.canonical_reason() {
            text = format!("{text} {reason}");
        }
        if !excerpt.is_empty() {
            text = format!("{text}: {excerpt}");
        }
        let failure = Failure::new(code, text);
        Self {
            failure: match (status.as_u16(), retry_after) {
                (_, Some(wait)) => failure.with_hint(format!(
                    "The server asks to wait before the next try: {wait} (seconds, or a date)."
                )),
                (403, None) => failure.with_hint("Check what the credentials are allowed to do."),
                _ => failure,
            },
            status: Some(status),
        }
    }

    /// The request could not be sent, or its answer could not be read. `tried` are the addresses of the host.
    pub(super) fn transport(error: reqwest::Error, shown: &Shown, tried: &[String]) -> Self {
        // A connection that was never made carried nothing; one that broke may have.
        let code = match (error.is_connect(), error.is_builder()) {
            (true, _) => Code::UpstreamUnreachable,
            (_, true) => Code::Internal,
            _ => Code::OutcomeUnknown,
        };
        let why = with_causes(&error.without_url());
        let text = match tried {
            [] => format!("{shown} did not answer: {why}"),
            tried => format!(
                "{shown} could not be reached at {}: {why}",
                tried.join(" or ")
            ),
        };
        Failure::new(code, text)
            .with_hint("Check that the server runs and that its URL is right, then try again.")
            .into()
    }
}
