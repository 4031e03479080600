//! Which hosts and origins are served. A page of the web that lets its own name point to this machine must not reach the
//! server (DNS rebinding; MCP 2025-11-25, Transports, Security Warning).

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::access::error;

/// Names of this machine, at any port.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Who may be asked for, and who may ask, besides this machine.
#[derive(Clone)]
pub(super) struct Allowed {
    /// `name` at any port, or `name:port`.
    pub hosts: Arc<[String]>,
    /// `scheme://name:port`.
    pub origins: Arc<[String]>,
}

/// 403 for a `Host` or an `Origin` that is not allowed, before anything else of the request is looked at.
pub(super) async fn check(
    State(allowed): State<Allowed>,
    request: Request,
    next: Next,
) -> Response {
    if !allowed.host(request.headers(), request.uri()) {
        return error(
            StatusCode::FORBIDDEN,
            "this Host is not served; allow it with --allowed-host HOST",
        );
    }
    if !allowed.origin(request.headers()) {
        return error(
            StatusCode::FORBIDDEN,
            "this Origin is not served; allow it with --allowed-origin ORIGIN",
        );
    }
    let Some(page) = allowed.page(request.headers()) else {
        return next.run(request).await;
    };
    let mut response = match request.method() {
        &Method::OPTIONS => preflight(request.headers()),
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, page);
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    response
}

/// The answer to a browser that asks whether a page may send a request.
fn preflight(asked: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    let methods = HeaderValue::from_static("POST");
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
    if let Some(wanted) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
    }
    response
}

impl Allowed {
    /// The page that asks, when it was allowed by name: it may read the answers. Pages of this machine are served, and
    /// no more, as they are anybody's.
    fn page(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(header::ORIGIN)?;
        let named = origin.to_str().ok()?;
        let known = self
            .origins
            .iter()
            .any(|allowed| same_origin(allowed, named));
        known.then(|| origin.clone())
    }

    fn host(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let named = headers.get(header::HOST).map(|host| {
            let text = host.to_str().ok()?;
            text.parse::<Authority>().ok()
        });
        // HTTP/2 has no Host header.
        let Some(Some(authority)) = named.or_else(|| Some(uri.authority().cloned())) else {
            return false;
        };
        if authority.as_str().contains('@') {
            return false;
        }
        is_loopback(&authority)
            || self.hosts.iter().any(|allowed| {
                allowed.eq_ignore_ascii_case(authority.as_str())
                    || allowed.eq_ignore_ascii_case(authority.host())
            })
    }

    fn origin(&self, headers: &HeaderMap) -> bool {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        origins.all(|origin| {
            let Ok(origin) = origin.to_str() else {
                return false;
            };
            let of_this_machine = || {
                let uri = origin.parse::<Uri>().ok()?;
                let web = matches!(uri.scheme_str(), Some("http" | "https"));
                Some(web && is_loopback(uri.authority()?))
            };
            self.origins
                .iter()
                .any(|allowed| same_origin(allowed, origin))
                || of_this_machine() == Some(true)
        })
    }
}

fn is_loopback(authority: &Authority) -> bool {
    LOOPBACK
        .iter()
        .any(|name| name.eq_ignore_ascii_case(authority.host()))
}

/// Whether two origins are one; a port that is the scheme's own need not be written.
fn same_origin(a: &str, b: &str) -> bool {
    let parts = |text: &str| {
        let uri = text.parse::<Uri>().ok()?;
        let scheme = uri.scheme_str()?.to_ascii_lowercase();
        let port = match (uri.port_u16(), scheme.as_str()) {
            (None, "http") => Some(80),
            (None, "https") => Some(443),
            (port, _) => port,
        };
        Some((scheme, uri.host()?.to_ascii_lowercase(), port))
    };
    parts(a).is_some_and(|a| parts(b) == Some(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed() -> Allowed {
        Allowed {
            hosts: ["tools.example".to_owned(), "other.example:8443".to_owned()].into(),
            origins: ["https://app.example".to_owned()].into(),
        }
    }

    #[test]
    fn hosts() {
        for (host, served) in [
            ("127.0.0.1:8321", true),
            ("LOCALHOST", true),
            ("[::1]:1", true),
            ("tools.example", true),
            ("Tools.Example:99", true),
            ("other.example:8443", true),
            ("other.example", false),
            ("evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("user@localhost", false),
            ("", false),
            ("::1", false),
        ] {
            let headers = HeaderMap::from_iter([(header::HOST, host.parse().unwrap())]);
            assert_eq!(
                allowed().host(&headers, &Uri::from_static("/mcp")),
                served,
                "{host:?}"
            );
        }
        assert!(!allowed().host(&HeaderMap::new(), &Uri::from_static("/mcp")));
    }

    #[test]
    fn origins() {
        for (origin, served) in [
            ("http://localhost:5173", true),
            ("https://127.0.0.1", true),
            ("http://[::1]:1", true),
            ("https://app.example", true),
            ("https://app.example:443", true),
            ("http://app.example", false),
            ("https://localhost.evil.example", false),
            ("null", false),
            ("file://localhost", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ORIGIN, origin.parse().unwrap())]);
            assert_eq!(allowed().origin(&headers), served, "{origin:?}");
        }
        assert!(allowed().origin(&HeaderMap::new()));
    }
}
