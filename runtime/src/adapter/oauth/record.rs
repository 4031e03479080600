//! What a login has brought, as it is kept.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::client::Client;
use crate::{
    adapter::mcp_http::{Bearer, Secret},
    reply::Failure,
};

/// A token is renewed so many seconds before it ends, as a request takes time too.
const MARGIN: u64 = 30;

/// A client at an authorization server and the tokens it was given for one MCP server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    /// The MCP server's address, for a person who looks.
    pub(super) server: String,
    /// Who gave the tokens, and is the only one who gets the refresh token.
    pub(super) issuer: String,
    pub(super) token_endpoint: String,
    pub(super) revocation_endpoint: Option<String>,
    /// Names the server in token requests (RFC 8707).
    pub(super) resource: String,
    pub(super) client: Client,
    /// None after a logout, or when the server refused to renew them: the client stays registered.
    pub(super) tokens: Option<Tokens>,
    /// What the next login asks for, as these tokens were not enough.
    #[serde(default)]
    pub(super) wanted: Vec<String>,
}

/// RFC 6749, section 5.1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tokens {
    pub(super) access: Secret,
    pub(super) refresh: Option<Secret>,
    /// Seconds since 1970; unknown when absent.
    pub(super) expires_at: Option<u64>,
    /// From when on it is renewed: a little before its end, or in the middle of a short life.
    pub(super) renew_at: Option<u64>,
    /// What was granted; what was asked for when the server does not say.
    pub(super) scopes: Vec<String>,
}

impl Tokens {
    /// Tokens that were given just now, the access token for so many seconds.
    pub(super) fn given(
        access: Secret,
        refresh: Option<Secret>,
        seconds: Option<u64>,
        scopes: Vec<String>,
    ) -> Self {
        let after = |seconds: u64| now().saturating_add(seconds);
        Self {
            access,
            refresh,
            expires_at: seconds.map(after),
            renew_at: seconds.map(|life| after(life - MARGIN.min(life / 2))),
            scopes,
        }
    }

    /// What is sent to the MCP server.
    pub(super) fn bearer(&self) -> Result<Bearer, Failure> {
        let expires = self
            .renew_at
            .and_then(|at| UNIX_EPOCH.checked_add(Duration::from_secs(at)));
        Bearer::new(self.access.expose(), expires)
    }

    /// Whether it is time to renew the token.
    pub(super) fn stale(&self) -> bool {
        self.renew_at.is_some_and(|at| at <= now())
    }

    /// Whether the server still takes the token, as far as is known.
    pub(super) fn alive(&self) -> bool {
        self.expires_at.is_none_or(|end| end > now())
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
