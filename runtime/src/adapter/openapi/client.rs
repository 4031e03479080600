//! The HTTP client of every OpenAPI plugin.

use std::time::Duration;

use reqwest::{Response, Url, header::LOCATION};

use crate::reply::{Code, Failure};

const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// Redirects are followed by hand, so that no credential follows one to another host.
pub(super) fn client() -> Result<reqwest::Client, Failure> {
    crate::runtime::install_tls_provider();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_LIMIT)
        .user_agent(concat!("agent-tools-runtime/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| Failure::new(Code::Internal, format!("no HTTP client: {error}")))
}

/// Where a redirect points, when the answer is one that can be followed.
pub(super) fn redirect_target(response: &Response) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(LOCATION)?;
    let location = std::str::from_utf8(location.as_bytes()).ok()?;
    let target = response.url().join(location).ok()?;
    matches!(target.scheme(), "http" | "https").then_some(target)
}
