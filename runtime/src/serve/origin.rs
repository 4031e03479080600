//! Which hosts and origins are served. A page of the web that lets its own name point to this machine must not reach the
//! server (DNS rebinding; MCP 2025-11-25, Transports, Security Warning). No answer lets a browser show it to a page of
//! another origin (CORS): whoever builds a page puts a server of their own in between.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::Response,
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
    next.run(request).await
}

impl Allowed {
    /// The one `Host`, and the same in a request line that names a host too, as those of proxies do.
    fn host(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return false;
        };
        let named = host
            .to_str()
            .ok()
            .and_then(|host| host.parse::<Authority>().ok());
        named.is_some_and(|named| self.authority(&named))
            && uri.authority().is_none_or(|named| self.authority(named))
    }

    fn authority(&self, named: &Authority) -> bool {
        if !is_plain(named) {
            return false;
        }
        is_loopback(named)
            || self.hosts.iter().any(|allowed| {
                allowed.eq_ignore_ascii_case(named.as_str())
                    || allowed.eq_ignore_ascii_case(named.host())
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
                let authority = uri.authority()?;
                Some(web && is_plain(authority) && is_loopback(authority))
            };
            self.origins
                .iter()
                .any(|allowed| same_origin(allowed, origin))
                || of_this_machine() == Some(true)
        })
    }
}

/// Whether it is a host, with a port or without, and nothing else.
fn is_plain(authority: &Authority) -> bool {
    let rest = authority.as_str().strip_prefix(authority.host());
    let port = |rest: &str| Some(rest.strip_prefix(':')?.parse::<u16>().is_ok());
    rest.is_some_and(|rest| rest.is_empty() || port(rest) == Some(true))
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
            ("localhost.", false),
            ("localhost:8321.evil.example", false),
            ("localhost evil.example", false),
            ("localhost,evil.example", false),
            ("2130706433", false),
            ("[::ffff:127.0.0.1]", false),
        ] {
            let headers = HeaderMap::from_iter([(header::HOST, host.parse().unwrap())]);
            assert_eq!(
                allowed().host(&headers, &Uri::from_static("/mcp")),
                served,
                "{host:?}"
            );
        }
        assert!(!allowed().host(&HeaderMap::new(), &Uri::from_static("/mcp")));
        let mut two = HeaderMap::from_iter([(header::HOST, "localhost".parse().unwrap())]);
        two.append(header::HOST, "localhost".parse().unwrap());
        assert!(!allowed().host(&two, &Uri::from_static("/mcp")));
        let local = HeaderMap::from_iter([(header::HOST, "localhost".parse().unwrap())]);
        for (uri, served) in [
            ("http://localhost/mcp", true),
            ("http://evil.example/mcp", false),
        ] {
            assert_eq!(
                allowed().host(&local, &Uri::from_static(uri)),
                served,
                "{uri}"
            );
        }
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
            ("http://localhost.", false),
            ("http://localhost:80.evil.example", false),
            ("http://localhost@evil.example", false),
            ("http://evil.example@localhost", false),
            ("http://localhost http://evil.example", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ORIGIN, origin.parse().unwrap())]);
            assert_eq!(allowed().origin(&headers), served, "{origin:?}");
        }
        assert!(allowed().origin(&HeaderMap::new()));
        let mut two = HeaderMap::from_iter([(header::ORIGIN, "http://localhost".parse().unwrap())]);
        two.append(header::ORIGIN, "http://evil.example".parse().unwrap());
        assert!(!allowed().origin(&two), "each of them is checked");
    }
}
