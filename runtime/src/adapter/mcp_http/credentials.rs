//! What proves to a server who asks: asked for before every request, and once more after a 401.

use async_trait::async_trait;
use indexmap::IndexMap;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::Mutex;

use crate::{
    adapter::{
        environment::{expand, from_process},
        secret_value::forget_secrets,
    },
    reply::{Code, Failure},
    secrets::remember_given,
};

/// Where the headers of a server's requests come from.
///
/// One source lives as long as its plugin. It may be asked by many requests at once for the headers at hand, but only by one
/// at a time for new ones.
#[async_trait]
pub(crate) trait CredentialSource: Send + Sync {
    /// The headers of the next request. `refused` is there when the server did not take those at hand: then new ones are
    /// wanted. A failure ends the request unsent.
    async fn headers(&self, refused: Option<&Refused>) -> Result<HeaderMap, Failure>;

    /// What a person can do when the server refuses the newest headers too.
    fn advice(&self) -> String;

    /// The server says with a 403 that these headers are not enough. What a person can do then, if the source knows.
    async fn forbidden(&self, _challenge: &str) -> Option<String> {
        None
    }
}

/// What a server said with its 401.
#[derive(Debug, Clone)]
pub(crate) struct Refused {
    /// `WWW-Authenticate`, which may name where to get a token (RFC 9728, section 5.1).
    #[allow(dead_code, reason = "for sources that ask an authorization server")]
    pub challenge: Option<String>,
}

/// Headers that are the protocol's own, whatever is configured.
const PROTOCOL_HEADERS: [&str; 8] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];

/// The headers of a plugin's manifest. A `${VAR}` is read from the environment each time.
pub(super) struct ConfiguredHeaders(IndexMap<String, String>);

impl ConfiguredHeaders {
    pub(super) fn new(headers: &IndexMap<String, String>) -> Self {
        let mut headers = headers.clone();
        headers.retain(|name, _| {
            let own = PROTOCOL_HEADERS.contains(&name.to_ascii_lowercase().as_str());
            if own {
                tracing::warn!(
                    "the configured header {name} is left out: the protocol has its own"
                );
            }
            !own
        });
        Self(headers)
    }

    fn read(&self) -> Result<HeaderMap, Failure> {
        let mut headers = HeaderMap::new();
        for (name, value) in &self.0 {
            let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
                Failure::new(Code::ConfigInvalid, format!("{name:?} is no header name"))
            })?;
            // The value may be a secret: it is never part of a message.
            let value = expand(value, from_process)?;
            remember_given(name, &value);
            let mut value = HeaderValue::from_str(&value).map_err(|_| {
                Failure::new(
                    Code::ConfigInvalid,
                    format!("the value of header {name} has a forbidden character"),
                )
            })?;
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        Ok(headers)
    }
}

#[async_trait]
impl CredentialSource for ConfiguredHeaders {
    async fn headers(&self, refused: Option<&Refused>) -> Result<HeaderMap, Failure> {
        if refused.is_some() {
            forget_secrets(self.0.values());
        }
        self.read()
    }

    fn advice(&self) -> String {
        "Check the token in the plugin's headers and its environment variable.".into()
    }
}

/// A source, and which of its headers are in use.
pub(super) struct Credentials {
    source: Box<dyn CredentialSource>,
    renewals: Mutex<Renewals>,
}

/// How often new headers were asked for, and whether the last time failed.
#[derive(Default)]
struct Renewals {
    count: u64,
    failure: Option<Failure>,
}

/// Headers, and after how many renewals they were given.
pub(super) struct Given {
    pub headers: HeaderMap,
    renewal: u64,
}

impl Credentials {
    pub(super) fn new(source: impl CredentialSource + 'static) -> Self {
        Self {
            source: Box::new(source),
            renewals: Mutex::default(),
        }
    }

    /// The headers for a request. Who asks while they are renewed gets the new ones.
    pub(super) async fn current(&self) -> Result<Given, Failure> {
        let renewal = self.renewals.lock().await.count;
        let headers = self.source.headers(None).await?;
        Ok(Given { headers, renewal })
    }

    /// Newer headers than those that were refused. `None` when there are none. Requests that were refused at the same time
    /// share one renewal.
    pub(super) async fn renewed(
        &self,
        used: &Given,
        refused: &Refused,
    ) -> Result<Option<Given>, Failure> {
        let mut renewals = self.renewals.lock().await;
        let headers = match renewals.count == used.renewal {
            true => {
                renewals.count += 1;
                let renewed = self.source.headers(Some(refused)).await;
                renewals.failure = renewed.as_ref().err().cloned();
                renewed?
            }
            false => match &renewals.failure {
                Some(failure) => return Err(failure.clone()),
                None => self.source.headers(None).await?,
            },
        };
        let renewal = renewals.count;
        Ok((headers != used.headers).then_some(Given { headers, renewal }))
    }

    /// What a person can do about a 403 with that `WWW-Authenticate`.
    pub(super) async fn forbidden(&self, challenge: &str) -> Option<String> {
        self.source.forbidden(challenge).await
    }

    /// The server wants other credentials than the newest.
    pub(super) fn refusal(&self) -> Failure {
        Failure::new(Code::UpstreamAuth, "the MCP server wants other credentials")
            .with_hint(self.source.advice())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    /// Gives t1, and t2 once that was refused.
    #[derive(Default)]
    struct Counting {
        renewed: Arc<AtomicUsize>,
        broken: bool,
    }

    #[async_trait]
    impl CredentialSource for Counting {
        async fn headers(&self, refused: Option<&Refused>) -> Result<HeaderMap, Failure> {
            tokio::task::yield_now().await;
            if refused.is_some() {
                self.renewed.fetch_add(1, Ordering::Relaxed);
                if self.broken {
                    return Err(Failure::new(Code::UpstreamAuth, "no new token"));
                }
            }
            let token = match self.renewed.load(Ordering::Relaxed) {
                0 => "t1",
                _ => "t2",
            };
            Ok(HeaderMap::from_iter([(
                reqwest::header::AUTHORIZATION,
                HeaderValue::from_static(token),
            )]))
        }

        fn advice(&self) -> String {
            String::new()
        }
    }

    async fn refused_at_once(broken: bool) -> (usize, Vec<Result<Option<Given>, Failure>>) {
        let source = Counting {
            broken,
            ..Counting::default()
        };
        let renewed = source.renewed.clone();
        let credentials = Credentials::new(source);
        let used = credentials.current().await.unwrap();
        let refused = Refused { challenge: None };
        let asking = (0..5).map(|_| credentials.renewed(&used, &refused));
        let answers = futures_util::future::join_all(asking).await;
        (renewed.load(Ordering::Relaxed), answers)
    }

    #[tokio::test]
    async fn refusals_at_the_same_time_share_one_renewal() {
        let (renewals, answers) = refused_at_once(false).await;
        assert_eq!((renewals, answers.len()), (1, 5));
        for given in answers {
            assert_eq!(given.unwrap().unwrap().headers["authorization"], "t2");
        }
        let (renewals, answers) = refused_at_once(true).await;
        assert_eq!(renewals, 1);
        assert!(answers.into_iter().all(|answer| answer.is_err()));
    }

    #[tokio::test]
    async fn a_configured_header_cannot_be_one_of_the_protocol() {
        let configured = ["Accept", "Content-Length", "Mcp-Session-Id", "X-Key"];
        let headers = configured.map(|name| (name.to_owned(), "1".to_owned()));
        let source = ConfiguredHeaders::new(&IndexMap::from(headers));
        let headers = source.headers(None).await.unwrap();
        assert_eq!(headers.len(), 1);
        assert!(headers.contains_key("x-key"));
    }

    #[tokio::test]
    async fn headers_that_stay_the_same_are_not_tried_again() {
        let headers = IndexMap::from([("X-Key".to_owned(), "k".to_owned())]);
        let credentials = Credentials::new(ConfiguredHeaders::new(&headers));
        let used = credentials.current().await.unwrap();
        let refused = Refused { challenge: None };
        assert!(
            credentials
                .renewed(&used, &refused)
                .await
                .unwrap()
                .is_none()
        );
    }
}
