//! A bearer token (RFC 6750) that all requests to a server share, and how it is fetched once for all who need it.

use std::time::SystemTime;

use async_trait::async_trait;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use tokio::{sync::Mutex, time::Instant};

use super::credentials::{ConfiguredHeaders, CredentialSource, Refused};
use crate::{
    reply::{Code, Failure},
    secrets,
};

/// Gives the token of one server. Never asks a user.
#[async_trait]
pub(in crate::adapter) trait BearerSource: Send + Sync {
    /// The `Authorization` header; `None` when there is no token. With `renew` the server has refused the one at hand.
    async fn header(&self, renew: bool) -> Result<Option<HeaderValue>, Failure>;

    /// What a person can do when the server refuses the newest token too.
    fn advice(&self) -> String;

    /// The server says with a 403 that the token is not enough. What a person can do then, if the source knows.
    async fn forbidden(&self, _challenge: &str) -> Option<String> {
        None
    }
}

/// The configured headers of a server, and a token.
pub(super) struct BearerHeaders<S> {
    pub(super) configured: ConfiguredHeaders,
    pub(super) source: S,
}

#[async_trait]
impl<S: std::ops::Deref<Target: BearerSource> + Send + Sync> CredentialSource for BearerHeaders<S> {
    async fn headers(&self, refused: Option<&Refused>) -> Result<HeaderMap, Failure> {
        let mut headers = self.configured.headers(refused).await?;
        if let Some(header) = self.source.header(refused.is_some()).await? {
            headers.insert(AUTHORIZATION, header);
        }
        Ok(headers)
    }

    fn advice(&self) -> String {
        self.source.advice()
    }

    async fn forbidden(&self, challenge: &str) -> Option<String> {
        self.source.forbidden(challenge).await
    }
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
        secrets::remember(token);
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
    /// The token, fetched when there is none, when it has expired, or when it is to be renewed; `fetch` is told which one
    /// the server has refused. Who asks while it is being fetched gets the same outcome.
    pub(in crate::adapter) async fn header<F>(
        &self,
        renew: bool,
        fetch: impl FnOnce(Option<HeaderValue>) -> F,
    ) -> Result<Option<HeaderValue>, Failure>
    where
        F: Future<Output = Result<Option<Bearer>, Failure>>,
    {
        let asked = Instant::now();
        let mut last = self.last.lock().await;
        let held = match last.as_ref() {
            Some(fetched) if fetched.at >= asked => return sent(&fetched.outcome),
            Some(Fetched {
                outcome: Ok(Some(bearer)),
                ..
            }) => Some(bearer.clone()),
            _ => None,
        };
        if let Some(bearer) = &held
            && !renew
            && !bearer.expired()
        {
            return Ok(Some(bearer.header.clone()));
        }
        let refused = held.filter(|_| renew).map(|bearer| bearer.header);
        let outcome = fetch(refused).await;
        let sent = sent(&outcome);
        *last = Some(Fetched {
            at: Instant::now(),
            outcome,
        });
        sent
    }

    /// The next request fetches a token.
    pub(in crate::adapter) async fn forget(&self) {
        *self.last.lock().await = None;
    }
}

fn sent(outcome: &Result<Option<Bearer>, Failure>) -> Result<Option<HeaderValue>, Failure> {
    match outcome {
        Ok(bearer) => Ok(bearer.as_ref().map(|bearer| bearer.header.clone())),
        Err(failure) => Err(failure.clone()),
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
    async fn those_who_ask_at_the_same_time_share_one_token() {
        let shared = SharedBearer::default();
        let fetched = AtomicUsize::new(0);
        let fetch = |refused: Option<HeaderValue>| {
            let nth = fetched.fetch_add(1, Ordering::SeqCst) + 1;
            assert_eq!(refused.is_some(), nth > 1);
            async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Bearer::new(&format!("t{nth}"), None).map(Some)
            }
        };
        for (renew, token) in [(false, "Bearer t1"), (true, "Bearer t2")] {
            let ask = || shared.header(renew, fetch);
            let (a, b, c) = tokio::join!(ask(), ask(), ask());
            for header in [a, b, c] {
                assert_eq!(header.unwrap().unwrap(), token);
            }
        }
        let held = shared.header(false, fetch).await.unwrap().unwrap();
        assert_eq!(held, "Bearer t2");
        assert_eq!(fetched.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn a_failed_fetch_is_shared_and_tried_again_later() {
        let shared = SharedBearer::default();
        let fetched = AtomicUsize::new(0);
        let fetch = |_| async {
            fetched.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20)).await;
            Err(Failure::new(Code::UpstreamAuth, "no"))
        };
        let (a, b) = tokio::join!(shared.header(false, fetch), shared.header(false, fetch));
        assert!(a.is_err() && b.is_err());
        assert_eq!(fetched.load(Ordering::SeqCst), 1);
        assert!(shared.header(false, fetch).await.is_err());
        assert_eq!(fetched.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn an_expired_token_is_fetched_again() {
        let shared = SharedBearer::default();
        let expired = |_| async { Bearer::new("old", Some(SystemTime::UNIX_EPOCH)).map(Some) };
        shared.header(false, expired).await.unwrap();
        let fresh = |_| async { Bearer::new("new", None).map(Some) };
        let header = shared.header(false, fresh).await.unwrap().unwrap();
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
