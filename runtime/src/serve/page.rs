//! The page at `/`: what the runtime has and does, for the person whose it is. docs/page.md says what it shows and who may see it.
//!
//! Its files are public; everything that it shows is behind the token of its link.

mod answers;
mod assets;
mod calls;
mod data;
mod events;
mod live;
mod questions;
mod refusal;
#[cfg(test)]
mod tests;
mod token;

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::{
    Router,
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::{self, Next},
    response::Response,
    routing::{get, post},
};
use tokio::sync::Semaphore;

use super::body::Limit;
use crate::{Failure, Runtime};
use questions::Questions;
use token::PageToken;

/// Event streams at the same time: each call of the page is one, and so is each look at live calls.
const STREAMS: usize = 32;

/// Nothing from elsewhere, nothing inline, and no text that becomes markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The page of one server. Cloning gives another handle to the same one.
#[derive(Clone)]
pub(super) struct Page(Arc<Inner>);

struct Inner {
    runtime: Runtime,
    token: PageToken,
    questions: Questions,
    streams: Arc<Semaphore>,
    body: Limit,
    since: Instant,
}

impl Page {
    pub(super) fn new(runtime: Runtime, body: Limit) -> Result<Self, Failure> {
        Ok(Self(Arc::new(Inner {
            runtime,
            token: PageToken::new()?,
            questions: Questions::default(),
            streams: Arc::new(Semaphore::new(STREAMS)),
            body,
            since: Instant::now(),
        })))
    }

    /// The link with the token. It is behind `#`, which browsers send to nobody.
    pub(super) fn link(&self, address: SocketAddr) -> String {
        format!("http://{address}/#token={}", self.0.token.text())
    }

    fn runtime(&self) -> &Runtime {
        &self.0.runtime
    }
}

/// The page and its data. What it is put behind looks at hosts and origins, and counts requests.
pub(super) fn router(page: &Page) -> Router {
    let data = Router::new()
        .route("/page/data/overview", get(data::overview))
        .route("/page/data/offers", get(data::offers))
        .route("/page/data/entry", get(data::entry))
        .route("/page/data/search", get(data::search))
        .route("/page/data/tokens", get(data::tokens))
        .route("/page/data/record", get(data::record))
        .route("/page/data/live", get(live::follow))
        .route("/page/data/call", post(calls::call))
        .route("/page/data/answer", post(answers::answer))
        .with_state(page.clone())
        .layer(middleware::from_fn_with_state(page.clone(), token::require));
    assets::router()
        .merge(data)
        .layer(middleware::from_fn(with_headers))
}

async fn with_headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}
