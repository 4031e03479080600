//! Redirects are followed by hand, so that no credential follows one to another host.

use reqwest::{Response, Url, header::LOCATION};

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
