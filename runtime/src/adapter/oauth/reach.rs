//! Which addresses a server may send this client to.

use reqwest::Url;

use crate::reply::{Code, Failure};

/// OAuth requires TLS, but for what runs on this machine (OAuth 2.1, section 1.5). A server elsewhere must not send this
/// client to programs of this machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    this_machine: bool,
}

impl Reach {
    /// What the server at `server` may name.
    pub(super) fn of(server: &Url) -> Self {
        Self {
            this_machine: is_loopback(server),
        }
    }

    /// What the user's own settings may name.
    pub(super) fn configured() -> Self {
        Self { this_machine: true }
    }

    /// The address, when it may be used; `what` names it in the failure.
    pub(super) fn check(self, address: &str, what: &str) -> Result<Url, Failure> {
        let refused = |why: &str| {
            Failure::new(Code::UpstreamAuth, format!("the {what} {why}"))
                .with_hint("Tell whoever runs the server; nothing was sent there.")
        };
        let url = Url::parse(address).map_err(|_| refused("is no URL"))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("has a user or a password in it"));
        }
        if url.fragment().is_some() {
            return Err(refused("has a fragment"));
        }
        let (host, scheme) = (url.host_str().unwrap_or_default(), url.scheme());
        let allowed = match (is_loopback(&url), self.this_machine) {
            (false, _) => scheme == "https",
            (true, true) => matches!(scheme, "https" | "http"),
            (true, false) => false,
        };
        if allowed {
            Ok(url)
        } else {
            Err(refused(&format!(
                "is at {scheme}://{host}, and must be at an https address"
            )))
        }
    }
}

pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let name = host.trim_end_matches('.');
    name == "localhost"
        || name.ends_with(".localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(server: &str, address: &str) -> bool {
        let server = Url::parse(server).unwrap();
        Reach::of(&server).check(address, "token endpoint").is_ok()
    }

    #[test]
    fn only_https_or_this_machine() {
        let remote = "https://mcp.example.com/mcp";
        assert!(allowed(remote, "https://auth.example.org/token"));
        for refused in [
            "http://auth.example.org/token",
            "http://127.0.0.1:9000/token",
            "https://127.0.0.1:9000/token",
            "http://localhost/token",
            "https://app.localhost/token",
            "http://[::1]/token",
            "http://[::ffff:127.0.0.1]/token",
            "file:///etc/passwd",
            "https://user:word@auth.example.org/token",
            "https://auth.example.org/token#x",
            "/token",
        ] {
            assert!(!allowed(remote, refused), "{refused}");
        }
        let local = "http://127.0.0.1:8000/mcp";
        for fine in [
            "http://127.0.0.1:9000/token",
            "http://localhost:9000/token",
            "http://[::1]:9000/token",
            "https://auth.example.org/token",
        ] {
            assert!(allowed(local, fine), "{fine}");
        }
        assert!(!allowed(local, "http://auth.example.org/token"));
    }
}
