//! The token of the page: made at start, told to whoever started the server, asked for with every piece of data.
//!
//! It comes in a header that no page of another origin can send without being asked for first, which is refused.

use axum::{
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::{IntoResponse, Response},
};
use subtle::ConstantTimeEq;

use super::{Page, refusal::Refusal};
use crate::{Failure, random, secrets};

const HEADER: &str = "x-page-token";

pub(super) struct PageToken(String);

impl PageToken {
    pub(super) fn new() -> Result<Self, Failure> {
        let token = random::text()?;
        secrets::remember(&token);
        Ok(Self(token))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Whether the headers carry it, once.
    fn is_in(&self, headers: &HeaderMap) -> bool {
        let mut given = headers.get_all(HEADER).iter();
        let (Some(given), None) = (given.next(), given.next()) else {
            return false;
        };
        bool::from(given.as_bytes().ct_eq(self.0.as_bytes()))
    }
}

/// 401 without the right one.
pub(super) async fn require(State(page): State<Page>, request: Request, next: Next) -> Response {
    if !page.0.token.is_in(request.headers()) {
        return Refusal::Token.into_response();
    }
    next.run(request).await
}
