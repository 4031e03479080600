//! Where the credential of an HTTP server comes from, and how it is renewed once for all who need it.

use std::{sync::Arc, time::SystemTime};

use async_trait::async_trait;
use reqwest::header::HeaderValue;
use serde_json::Value;
use tokio::{sync::Mutex, time::Instant};

use crate::reply::{Code, Failure};

/// Shows a user the address at which to log in.
pub type ShowUrl = Arc<dyn Fn(&str) + Send + Sync>;

/// What is known about a credential without asking anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthState {
    /// It is come by without a login.
    None,
    /// The user has to log in.
    Needed,
    /// The user has logged in.
    Ok,
}

impl AuthState {
    /// The word in a plugin's status.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Needed => "needed",
            Self::Ok => "ok",
        }
    }
}

/// Gives the `Authorization` header of one server.
#[async_trait]
pub(in crate::adapter) trait CredentialSource: Send + Sync {
    /// The header to send; `None` when there is no credential.
    ///
    /// `rejected` is the header that the server has answered with 401: another one is come by then, once for all
    /// requests that ask for it. Never asks a user.
    async fn header(&self, rejected: Option<&HeaderValue>) -> Result<Option<HeaderValue>, Failure>;

    /// What a person does when the server still refuses.
    fn hint(&self) -> String;

    /// Whether a login is needed. Asks no server.
    fn state(&self) -> AuthState {
        AuthState::None
    }

    /// Logs the user in: shows an address and waits for the browser to come back.
    async fn login(&self, _show: ShowUrl) -> Result<Value, Failure> {
        Err(no_login())
    }

    /// Forgets what a login has brought, here and at the server.
    async fn logout(&self) -> Result<Value, Failure> {
        Err(no_login())
    }
}

/// For a plugin whose way of proving who asks knows no login.
pub(in crate::adapter) fn no_login() -> Failure {
    Failure::new(Code::ConfigInvalid, "this plugin has no login")
        .with_hint("A login belongs to plugins with \"auth\": {\"oauth\": {}} beside the URL of their MCP server.")
}

/// A token, ready to be sent.
#[derive(Clone)]
pub(in crate::adapter) struct Bearer {
    pub(in crate::adapter) header: HeaderValue,
    /// When it is no longer sent.
    pub(in crate::adapter) expires: Option<SystemTime>,
}

impl Bearer {
    /// A header is hidden in `Debug` output. The token is never part of a message.
    pub(in crate::adapter) fn new(
        token: &str,
        expires: Option<SystemTime>,
    ) -> Result<Self, Failure> {
        let invalid = || {
            Failure::new(
                Code::UpstreamAuth,
                "the token has a character that no token may have",
            )
        };
        if token.is_empty() || token.contains(char::is_whitespace) {
            return Err(invalid());
        }
        let mut header =
            HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| invalid())?;
        header.set_sensitive(true);
        Ok(Self { header, expires })
    }

    fn expired(&self) -> bool {
        self.expires.is_some_and(|end| end <= SystemTime::now())
    }
}

/// The token that all requests to a server share.
#[derive(Default)]
pub(in crate::adapter) struct SharedBearer {
    last: Mutex<Option<Fetched>>,
}

struct Fetched {
    at: Instant,
    outcome: Result<Option<Bearer>, Failure>,
}

impl SharedBearer {
    /// The token, fetched when there is none, when it has expired, or when it is the one that was rejected.
    /// Who asks while it is being fetched gets the same outcome.
    pub(in crate::adapter) async fn header<F>(
        &self,
        rejected: Option<&HeaderValue>,
        fetch: impl FnOnce() -> F,
    ) -> Result<Option<HeaderValue>, Failure>
    where
        F: Future<Output = Result<Option<Bearer>, Failure>>,
    {
        let asked = Instant::now();
        let mut last = self.last.lock().await;
        let usable = last.as_ref().is_some_and(|fetched| {
            fetched.at >= asked
                || matches!(&fetched.outcome, Ok(Some(bearer))
                    if !bearer.expired() && Some(&bearer.header) != rejected)
        });
        if !usable {
            let outcome = fetch().await;
            *last = Some(Fetched {
                at: Instant::now(),
                outcome,
            });
        }
        match last.as_ref().map(|fetched| &fetched.outcome) {
            Some(Ok(bearer)) => Ok(bearer.as_ref().map(|bearer| bearer.header.clone())),
            Some(Err(failure)) => Err(failure.clone()),
            None => Ok(None),
        }
    }

    /// The next request fetches a token.
    pub(in crate::adapter) async fn forget(&self) {
        *self.last.lock().await = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    #[tokio::test]
    async fn many_rejections_at_once_fetch_one_token() {
        let shared = SharedBearer::default();
        let fetched = AtomicUsize::new(0);
        let fetch = || async {
            let nth = fetched.fetch_add(1, Ordering::SeqCst) + 1;
            tokio::time::sleep(Duration::from_millis(20)).await;
            Bearer::new(&format!("t{nth}"), None).map(Some)
        };
        let first = shared.header(None, fetch).await.unwrap().unwrap();
        let again = || shared.header(Some(&first), fetch);
        let (a, b, c) = tokio::join!(again(), again(), again());
        for header in [a, b, c] {
            assert_eq!(header.unwrap().unwrap(), "Bearer t2");
        }
        // One that was rejected before the renewal and asks after it.
        assert_eq!(again().await.unwrap().unwrap(), "Bearer t2");
        assert_eq!(fetched.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_failed_renewal_is_shared_and_tried_again_later() {
        let shared = SharedBearer::default();
        let fetched = AtomicUsize::new(0);
        let fetch = || async {
            fetched.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20)).await;
            Err(Failure::new(Code::UpstreamAuth, "no"))
        };
        let (a, b) = tokio::join!(shared.header(None, fetch), shared.header(None, fetch));
        assert!(a.is_err() && b.is_err());
        assert_eq!(fetched.load(Ordering::SeqCst), 1);
        assert!(shared.header(None, fetch).await.is_err());
        assert_eq!(fetched.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn an_expired_token_is_fetched_again() {
        let shared = SharedBearer::default();
        let expired = || async { Bearer::new("old", Some(SystemTime::UNIX_EPOCH)).map(Some) };
        shared.header(None, expired).await.unwrap();
        let fresh = || async { Bearer::new("new", None).map(Some) };
        let header = shared.header(None, fresh).await.unwrap().unwrap();
        assert_eq!(header, "Bearer new");
        assert!(!format!("{header:?}").contains("new"));
    }

    #[test]
    fn a_token_that_no_header_can_carry_is_refused_without_showing_it() {
        for token in ["", "CANARY x", "CANARY\nx", "CANARY\u{7}"] {
            let failure = Bearer::new(token, None).err().unwrap();
            assert!(!failure.error.contains("CANARY"), "{failure}");
        }
    }
}
