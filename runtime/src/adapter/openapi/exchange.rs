//! Sending a request and taking its answer: redirects, waiting where a service asks for it, and limits.

use std::time::Duration;

use reqwest::{
    Method, Response, StatusCode, Url,
    header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HeaderMap, HeaderValue},
};

use super::{
    applied::Applied,
    decode::{Undecodable, decompressed},
    payload::{Payload, PayloadContent},
    redirect::redirect_target,
    request::Request,
    waiting::{asked_to_wait, wait},
    writing::encoded,
};
use crate::{
    adapter::{CallContext, causes::with_causes},
    network::{HttpClient, Refused},
    reply::{Code, Failure},
};

const MAX_REDIRECTS: usize = 5;
/// How often a call that only reads is repeated because the service asks to wait.
const MAX_WAITS: usize = 2;

/// How one operation may be sent.
pub(super) struct Exchange<'a> {
    pub client: &'a HttpClient,
    pub applied: &'a Applied,
    pub follow_redirects: bool,
    pub max_response_bytes: usize,
    pub max_wait: Duration,
    pub only_reads: bool,
    pub context: &'a CallContext,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub url: Url,
    pub body: Body,
    /// Where a redirect points that was not followed.
    pub redirect: Option<Url>,
}

/// The body of an answer.
#[derive(Debug)]
pub(super) enum Body {
    Whole(Vec<u8>),
    /// Longer than the limit; none of it is kept.
    TooLarge,
    /// Compressed in a way that cannot be undone; named.
    Unreadable(String),
}

impl Exchange<'_> {
    /// Sends the request, and waits and repeats where that is asked for and harmless.
    pub(super) async fn answer(&self, request: &Request) -> Result<Answer, Failure> {
        let mut left = self.max_wait;
        for _ in 0..MAX_WAITS {
            let response = self.follow(request).await?;
            let Some(asked) = asked_to_wait(response.status(), response.headers()) else {
                return self.read(response).await;
            };
            if !self.only_reads || asked > left {
                return self.read(response).await;
            }
            drop(response);
            wait(asked, self.max_wait - left, self.max_wait, self.context).await;
            left -= asked;
        }
        let response = self.follow(request).await?;
        self.read(response).await
    }

    async fn follow(&self, request: &Request) -> Result<Response, Failure> {
        let mut hop = Hop {
            method: request.method.clone(),
            url: request.url.clone(),
            payload: request.payload.as_ref(),
            own_origin: true,
        };
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(request, &hop).await?;
            let Some(next) = redirect_target(&response) else {
                return Ok(response);
            };
            if !may_follow(self.follow_redirects, &hop.method, &hop.url, &next) {
                return Ok(response);
            }
            hop = hop.next(response.status(), next, self.applied);
        }
        Err(Failure::new(
            Code::UpstreamProtocol,
            format!("the service redirected more than {MAX_REDIRECTS} times"),
        )
        .with_hint("Check `baseUrl` in the plugin's `openapi`."))
    }

    async fn send(&self, request: &Request, hop: &Hop<'_>) -> Result<Response, Failure> {
        let mut url = hop.url.clone();
        let mut headers = if hop.own_origin {
            request.headers.clone()
        } else {
            bare(&request.headers)
        };
        let mut cookies = if hop.own_origin {
            request.cookies.clone()
        } else {
            Vec::new()
        };
        if request.trusted && hop.own_origin {
            for (name, value) in &self.applied.headers {
                headers.insert(name.clone(), value.clone());
            }
            cookies.extend(
                self.applied
                    .cookies
                    .iter()
                    .map(|(name, value)| format!("{name}={value}")),
            );
            with_query(&mut url, &self.applied.query);
        }
        if !cookies.is_empty() {
            let mut value = HeaderValue::from_str(&cookies.join("; "))
                .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
            value.set_sensitive(true);
            headers.insert(COOKIE, value);
        }
        let mut builder = self.client.request(hop.method.clone(), url)?;
        if let Some(payload) = hop.payload {
            headers.insert(CONTENT_TYPE, content_type(payload)?);
            builder = with_body(builder, &mut headers, payload).await?;
        } else if matches!(hop.method, Method::POST | Method::PUT | Method::PATCH) {
            // Some servers refuse a change that says nothing of its length.
            headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
        builder.headers(headers).send().await.map_err(send_failure)
    }

    async fn read(&self, mut response: Response) -> Result<Answer, Failure> {
        let redirect = redirect_target(&response);
        let status = response.status();
        let headers = response.headers().clone();
        // The URL that was asked holds the credentials of the query.
        let mut url = response.url().clone();
        without_query(&mut url, &self.applied.query);
        let mut bytes = Vec::new();
        loop {
            let chunk = response.chunk().await.map_err(|error| {
                Failure::new(
                    Code::OutcomeUnknown,
                    format!(
                        "the service answered {status}, but its answer broke off: {}",
                        with_causes(&error.without_url())
                    ),
                )
            })?;
            let Some(chunk) = chunk else { break };
            if bytes.len() + chunk.len() > self.max_response_bytes {
                return Ok(Answer {
                    status,
                    headers,
                    url,
                    body: Body::TooLarge,
                    redirect,
                });
            }
            bytes.extend_from_slice(&chunk);
        }
        let encoding = headers
            .get(CONTENT_ENCODING)
            .and_then(|value| value.to_str().ok());
        let body = self.decoded(bytes, encoding.map(str::to_owned)).await?;
        Ok(Answer {
            status,
            headers,
            url,
            body,
            redirect,
        })
    }

    async fn decoded(&self, bytes: Vec<u8>, encoding: Option<String>) -> Result<Body, Failure> {
        let Some(encoding) = encoding.filter(|_| !bytes.is_empty()) else {
            return Ok(Body::Whole(bytes));
        };
        let limit = self.max_response_bytes;
        // Large answers take a while, and nothing else should wait for it.
        let decoded = tokio::task::spawn_blocking(move || decompressed(bytes, &encoding, limit))
            .await
            .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        Ok(match decoded {
            Ok(bytes) => Body::Whole(bytes),
            Err(Undecodable::TooLarge) => Body::TooLarge,
            Err(Undecodable::Broken(why)) => Body::Unreadable(why),
        })
    }
}

/// Another origin is only looked at, and only where that is configured; never without encryption after it.
fn may_follow(other_origins: bool, method: &Method, from: &Url, to: &Url) -> bool {
    let same = to.origin() == from.origin();
    let downgrade = from.scheme() == "https" && to.scheme() != "https";
    let looks = matches!(*method, Method::GET | Method::HEAD);
    same || (other_origins && looks && !downgrade)
}

/// One request of a chain of redirects.
struct Hop<'a> {
    method: Method,
    url: Url,
    payload: Option<&'a Payload>,
    /// Whether no other origin was visited.
    own_origin: bool,
}

impl Hop<'_> {
    fn next(self, status: StatusCode, mut url: Url, applied: &Applied) -> Self {
        let own_origin = self.own_origin && url.origin() == self.url.origin();
        // A service that repeats the query in its redirect must not hand on a key by it.
        without_query(&mut url, &applied.query);
        let becomes_get = match status.as_u16() {
            303 => self.method != Method::HEAD,
            301 | 302 => self.method == Method::POST,
            _ => false,
        };
        Self {
            method: if becomes_get {
                Method::GET
            } else {
                self.method
            },
            payload: self.payload.filter(|_| !becomes_get),
            url,
            own_origin,
        }
    }
}

/// Only what says nothing of the caller.
fn bare(headers: &HeaderMap) -> HeaderMap {
    let kept = ["accept", "accept-encoding"];
    kept.iter()
        .filter_map(|name| Some((headers.get(*name)?.clone(), *name)))
        .map(|(value, name)| (reqwest::header::HeaderName::from_static(name), value))
        .collect()
}

fn with_query(url: &mut Url, credentials: &[(String, String)]) {
    if credentials.is_empty() {
        return;
    }
    without_query(url, credentials);
    let added = credentials
        .iter()
        .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    let query: Vec<String> = url
        .query()
        .map(str::to_owned)
        .into_iter()
        .chain(added)
        .collect();
    url.set_query(Some(&query.join("&")));
}

/// Takes the credentials out of a query; everything else stays as it is written.
fn without_query(url: &mut Url, credentials: &[(String, String)]) {
    let Some(query) = url.query().filter(|_| !credentials.is_empty()) else {
        return;
    };
    let is_credential = |pair: &str| {
        let name = pair.split('=').next().unwrap_or_default();
        let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
        credentials.iter().any(|(known, _)| *known == name)
    };
    let kept: Vec<&str> = query
        .split('&')
        .filter(|pair| !is_credential(pair))
        .collect();
    let kept = kept.join("&");
    url.set_query((!kept.is_empty()).then_some(kept.as_str()));
}

fn content_type(payload: &Payload) -> Result<HeaderValue, Failure> {
    HeaderValue::from_str(&payload.content_type).map_err(|_| {
        Failure::new(
            Code::ArgValidationFailed,
            "the body's media type has a forbidden character; nothing was sent",
        )
    })
}

async fn with_body(
    builder: reqwest::RequestBuilder,
    headers: &mut HeaderMap,
    payload: &Payload,
) -> Result<reqwest::RequestBuilder, Failure> {
    match &payload.content {
        PayloadContent::Bytes(bytes) => Ok(builder.body(bytes.clone())),
        PayloadContent::File(path, size) => {
            let file = tokio::fs::File::open(path).await.map_err(|error| {
                Failure::new(
                    Code::ArgValidationFailed,
                    format!("the file cannot be read: {error}; nothing was sent"),
                )
            })?;
            headers.insert(CONTENT_LENGTH, HeaderValue::from(*size));
            Ok(builder.body(file))
        }
    }
}

/// A connection that was never made carried nothing; one that broke may have.
fn send_failure(error: reqwest::Error) -> Failure {
    if let Some(refused) = Refused::cause_of(&error) {
        return refused.clone().into();
    }
    let code = match (error.is_connect(), error.is_builder()) {
        (true, _) => Code::UpstreamUnreachable,
        (_, true) => Code::Internal,
        _ => Code::OutcomeUnknown,
    };
    let host = error
        .url()
        .map(|url| url.origin().ascii_serialization())
        .unwrap_or_default();
    // The URL may hold a key.
    let why = with_causes(&error.without_url());
    let text = match code {
        Code::UpstreamUnreachable => format!("{host} could not be reached: {why}"),
        _ => format!("{host} did not answer: {why}"),
    };
    Failure::new(code, text)
        .with_hint("Check that the service runs and that `baseUrl` is right, then try again.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_leaves_its_origin_only_where_that_is_asked_for_and_safe() {
        let home = "https://a.test/x";
        for (other_origins, method, to, want) in [
            (false, Method::GET, "https://a.test/y", true),
            (false, Method::POST, "https://a.test/y", true),
            (false, Method::GET, "https://b.test/x", false),
            (false, Method::GET, "https://a.test:8443/x", false),
            (true, Method::GET, "https://b.test/x", true),
            (true, Method::HEAD, "https://b.test/x", true),
            (true, Method::POST, "https://b.test/x", false),
            (true, Method::GET, "http://a.test/x", false),
            (true, Method::GET, "http://b.test/x", false),
        ] {
            let [from, target] = [home, to].map(|url| Url::parse(url).unwrap());
            let got = may_follow(other_origins, &method, &from, &target);
            assert_eq!(got, want, "{other_origins} {method} {to}");
        }
    }
}
