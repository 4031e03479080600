//! Why the page is not given what it asks for: `{code, error, hint}`.

use std::time::Duration;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::{Code, Failure, serve::body::Unread};

#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error("this needs the token of the page's link")]
    Token,
    #[error("the body is longer than {0} bytes")]
    TooLong(usize),
    #[error("the body did not come within {0:?}")]
    Late(Duration),
    #[error("the body is not whole")]
    Broken,
    #[error("the request cannot be read: {0}")]
    Unreadable(String),
    #[error("too many calls and live views are open")]
    Busy,
    #[error("nobody waits for an answer to this question any more")]
    NoQuestion,
    #[error("{0}")]
    Failed(#[from] Box<Failure>),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(Box::new(failure))
    }
}

impl Refusal {
    pub(super) fn of_body(unread: Unread, limit: crate::serve::body::Limit) -> Self {
        match unread {
            Unread::TooLong => Self::TooLong(limit.bytes),
            Unread::Late => Self::Late(limit.patience),
            Unread::Broken => Self::Broken,
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Token => "PAGE_TOKEN_REQUIRED",
            Self::TooLong(_) => "BODY_TOO_LONG",
            Self::Late(_) => "BODY_LATE",
            Self::Broken => "BODY_BROKEN",
            Self::Unreadable(_) => "BAD_REQUEST",
            Self::Busy => "TOO_MANY_STREAMS",
            Self::NoQuestion => "NO_SUCH_QUESTION",
            Self::Failed(failure) => failure.code.as_str(),
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Late(_) => StatusCode::REQUEST_TIMEOUT,
            Self::Broken | Self::Unreadable(_) => StatusCode::BAD_REQUEST,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::NoQuestion => StatusCode::NOT_FOUND,
            Self::Failed(failure) => match failure.code {
                Code::Closed => StatusCode::SERVICE_UNAVAILABLE,
                Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            },
        }
    }

    fn hint(&self) -> Option<&str> {
        Some(match self {
            Self::Token => "Open the link that `agent-tools http` printed when it started.",
            Self::TooLong(_) => "Send shorter arguments.",
            Self::Late(_) | Self::Broken => "Try again.",
            Self::Unreadable(_) => "Reload the page.",
            Self::Busy => "Close other tabs with this page, or wait until calls have ended.",
            Self::NoQuestion => "Nothing was sent because of it. Make the call again.",
            Self::Failed(failure) => return failure.hint.as_deref(),
        })
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let said = json!({ "code": self.code(), "error": self.to_string(), "hint": self.hint() });
        let json = [(header::CONTENT_TYPE, "application/json")];
        let mut response = (self.status(), json, said.to_string()).into_response();
        if matches!(self, Self::Late(_)) {
            // The rest of the body must not be taken for the next request.
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        response
    }
}
