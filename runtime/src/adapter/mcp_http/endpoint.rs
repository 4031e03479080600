//! One endpoint of a server: every request to it has its credentials, follows redirects within its origin, and is repeated
//! once with newer credentials.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use reqwest::{
    Method, Response, StatusCode, Url,
    header::{HeaderMap, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE},
};

use super::{
    credentials::{Credentials, Given, Refused},
    error::HttpError,
    shown::{Shown, excerpt},
};
use crate::{
    network::{HttpClient, Network, Trusted, tried},
    reply::{Code, Failure},
};

const MAX_REDIRECTS: usize = 5;
/// So much of an error's body is read.
const MAX_ERROR_BODY: usize = 64 * 1024;
const ERROR_BODY_LIMIT: Duration = Duration::from_secs(2);

/// Where requests go.
#[derive(Clone)]
pub(in crate::adapter) struct Endpoint {
    client: HttpClient,
    credentials: Arc<Credentials>,
    /// Where the last redirect pointed, or the URL as it was configured.
    url: Arc<RwLock<Url>>,
}

/// One request.
#[derive(Clone)]
pub(in crate::adapter) struct Request {
    pub method: Method,
    /// Headers of the protocol. They win over configured ones.
    pub headers: HeaderMap,
    pub body: Option<Vec<u8>>,
}

/// An answer, and what it was asked with.
pub(in crate::adapter) struct Answer {
    pub response: Response,
    given: Given,
}

impl Endpoint {
    pub(super) fn new(
        url: Url,
        credentials: Arc<Credentials>,
        network: &Network,
    ) -> Result<Self, Failure> {
        let trusted = Trusted {
            origins: vec![url.origin()],
            ..Trusted::default()
        };
        Ok(Self {
            client: network.client(trusted, None)?,
            credentials,
            url: Arc::new(RwLock::new(url)),
        })
    }

    /// The URL that requests go to.
    pub(in crate::adapter) fn url(&self) -> Url {
        self.url
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The same server with another URL of its origin.
    pub(in crate::adapter) fn at(&self, url: Url) -> Result<Self, Failure> {
        let own = self.url();
        if url.origin() != own.origin() {
            return Err(other_origin("the server names an endpoint", &own, &url));
        }
        Ok(Self {
            url: Arc::new(RwLock::new(with_user_of(url, &own))),
            ..self.clone()
        })
    }

    /// Sends a request. Whatever the server answers is an answer, but for a 401 to the newest credentials and a redirect that
    /// cannot be followed.
    pub(in crate::adapter) async fn send(&self, request: &Request) -> Result<Answer, HttpError> {
        let given = self.credentials.current().await?;
        let answer = self.follow(request, given).await?;
        if answer.response.status() != StatusCode::UNAUTHORIZED {
            return Ok(answer);
        }
        let challenge = answer.response.headers().get(WWW_AUTHENTICATE);
        let refused = Refused {
            challenge: challenge.and_then(|value| Some(value.to_str().ok()?.to_owned())),
        };
        // A 401 means that nothing was done.
        let Some(newer) = self.credentials.renewed(&answer.given, &refused).await? else {
            return Err(self.unauthorized());
        };
        let answer = self.follow(request, newer).await?;
        match answer.response.status() {
            StatusCode::UNAUTHORIZED => Err(self.unauthorized()),
            _ => Ok(answer),
        }
    }

    fn unauthorized(&self) -> HttpError {
        HttpError {
            failure: self.credentials.refusal(),
            status: Some(StatusCode::UNAUTHORIZED),
        }
    }

    async fn follow(&self, request: &Request, given: Given) -> Result<Answer, HttpError> {
        let began = self.url();
        let mut url = began.clone();
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send_to(&url, request, &given.headers).await?;
            let Some(next) = redirect(&response, &url, &request.method)? else {
                if url != began {
                    *self.url.write().unwrap_or_else(PoisonError::into_inner) = url;
                }
                return Ok(Answer { response, given });
            };
            url = next;
        }
        let text = format!(
            "{} redirected more than {MAX_REDIRECTS} times",
            Shown::from(&began)
        );
        Err(Failure::new(Code::UpstreamProtocol, text)
            .with_hint("Check the URL in the plugin's manifest.")
            .into())
    }

    async fn send_to(
        &self,
        url: &Url,
        request: &Request,
        credentials: &HeaderMap,
    ) -> Result<Response, HttpError> {
        let mut headers = credentials.clone();
        headers.extend(request.headers.clone());
        let mut builder = self
            .client
            .request(request.method.clone(), url.clone())?
            .headers(headers);
        if let Some(body) = &request.body {
            builder = builder.body(body.clone());
        }
        match builder.send().await {
            Ok(response) => Ok(response),
            Err(error) => {
                let tried = match error.is_connect() {
                    true => tried(url).await,
                    false => Vec::new(),
                };
                Err(HttpError::transport(error, &Shown::from(url), &tried))
            }
        }
    }

    /// Reads an answer with an error status.
    pub(in crate::adapter) async fn refusal(&self, answer: Answer) -> (HttpError, String) {
        let Answer {
            mut response,
            given,
        } = answer;
        let challenge = response.headers().get(WWW_AUTHENTICATE);
        let challenge = challenge.and_then(|value| value.to_str().ok());
        let advice = match (response.status(), challenge) {
            (StatusCode::FORBIDDEN, Some(challenge)) => self.credentials.forbidden(challenge).await,
            _ => None,
        };
        let mut body = Vec::new();
        let read = async {
            while let Ok(Some(chunk)) = response.chunk().await {
                body.extend_from_slice(&chunk);
                if body.len() >= MAX_ERROR_BODY {
                    break;
                }
            }
        };
        // The status is known; what came of the body has to do.
        let _ = tokio::time::timeout(ERROR_BODY_LIMIT, read).await;
        let body = String::from_utf8_lossy(&body).into_owned();
        let retry_after = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok());
        let shown = excerpt(&body, &given.headers, response.url());
        let retry_after = retry_after.filter(|value| value.len() <= 64);
        let mut error = HttpError::status(response.status(), &shown, retry_after);
        if advice.is_some() {
            error.failure.hint = advice;
        }
        (error, body)
    }

    /// The answer's body broke off.
    pub(in crate::adapter) fn broken(&self, error: reqwest::Error) -> HttpError {
        HttpError::transport(error, &Shown::from(&self.url()), &[])
    }
}

/// Where an answer sends a request on to, when it may go there: the same origin, with the same method and body.
fn redirect(response: &Response, from: &Url, method: &Method) -> Result<Option<Url>, Failure> {
    let status = response.status().as_u16();
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location = response.headers().get(LOCATION);
    let next =
        location.and_then(|value| from.join(std::str::from_utf8(value.as_bytes()).ok()?).ok());
    let Some(next) = next else {
        return Err(Failure::new(
            Code::UpstreamProtocol,
            format!("{} redirects to nowhere (HTTP {status})", Shown::from(from)),
        ));
    };
    if next.origin() != from.origin() {
        return Err(other_origin(
            &format!("the server redirects (HTTP {status})"),
            from,
            &next,
        ));
    }
    if matches!(status, 301..=303) && *method != Method::GET {
        return Err(Failure::new(
            Code::UpstreamProtocol,
            format!(
                "{} redirects to {} with HTTP {status}, which would lose the request's body; nothing was sent there",
                Shown::from(from),
                Shown::from(&next)
            ),
        )
        .with_hint("Put that URL into the plugin's manifest."));
    }
    Ok(Some(with_user_of(next, from)))
}

/// A server need not repeat the user of a URL.
fn with_user_of(mut url: Url, own: &Url) -> Url {
    if url.username().is_empty() && url.password().is_none() {
        // Both can only fail for URLs without a host.
        let _ = url.set_username(own.username());
        let _ = url.set_password(own.password());
    }
    url
}

fn other_origin(what: &str, own: &Url, other: &Url) -> Failure {
    Failure::new(
        Code::UpstreamProtocol,
        format!(
            "{what} to another origin: {} to {}; nothing was sent there",
            Shown::from(own),
            Shown::from(other)
        ),
    )
    .with_hint("Credentials stay with the origin they are for. If the new place is right, put it into the plugin's manifest as `url`.")
}
