//! Requests to authorization servers: bounded in time and size, and never redirected.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::{
    Method, RequestBuilder, StatusCode, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE},
};
use serde_json::{Value, json};

use super::{form, reach::is_loopback};
use crate::{
    network::{HttpClient, Network, Refused, Trusted},
    reply::{Code, Failure},
    secrets::remember,
};

const LIMIT: Duration = Duration::from_secs(30);
/// Metadata and token responses are a few kilobytes.
const MAX_BYTES: usize = 256 * 1024;

/// An HTTP client that carries secrets: it follows no redirect.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    client: HttpClient,
}

/// What a server answered.
pub(super) struct Answer {
    pub(super) status: u16,
    /// Null for what is no JSON.
    pub(super) body: Value,
}

impl Answer {
    pub(super) fn succeeded(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

impl Exchange {
    /// For the MCP server at `server`, and whoever it names. `own` is what the user has configured besides.
    pub(super) fn new(network: &Network, server: &Url, own: Option<&Url>) -> Result<Self, Failure> {
        let trusted = Trusted {
            origins: [server].into_iter().chain(own).map(Url::origin).collect(),
            // As `Reach` has it.
            this_machine: is_loopback(server),
        };
        Ok(Self {
            client: network.client(trusted, Some(LIMIT))?,
        })
    }

    /// Public metadata.
    pub(super) async fn get(&self, url: &Url) -> Result<Answer, Failure> {
        answer(url, self.client.request(Method::GET, url.clone())?).await
    }

    pub(super) async fn post_json(&self, url: &Url, body: &Value) -> Result<Answer, Failure> {
        let request = self
            .client
            .request(Method::POST, url.clone())?
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        answer(url, request).await
    }

    /// A form, with HTTP Basic where the client proves itself so (RFC 6749, section 2.3.1).
    pub(super) async fn post_form(
        &self,
        url: &Url,
        fields: &[(&str, &str)],
        basic: Option<(&str, &str)>,
    ) -> Result<Answer, Failure> {
        let mut request = self
            .client
            .request(Method::POST, url.clone())?
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form(fields));
        if let Some((id, secret)) = basic {
            let pair = STANDARD.encode(format!("{}:{}", form_value(id), form_value(secret)));
            remember(&pair);
            let mut header = HeaderValue::from_str(&format!("Basic {pair}"))
                .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
            header.set_sensitive(true);
            request = request.header(AUTHORIZATION, header);
        }
        answer(url, request).await
    }

    /// What the MCP server at `url` asks for when somebody comes without a credential: its `WWW-Authenticate` headers.
    pub(super) async fn challenges(&self, url: &Url) -> Result<Vec<String>, Failure> {
        let list = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/list", "params": {}});
        // Servers may want it from those who begin only.
        let begin = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "agent-tools-runtime", "version": env!("CARGO_PKG_VERSION")},
        }});
        for message in [list, begin] {
            let response = self
                .client
                .request(Method::POST, url.clone())?
                .header(CONTENT_TYPE, "application/json")
                .header(ACCEPT, "application/json, text/event-stream")
                .body(message.to_string())
                .send()
                .await
                .map_err(|error| unreachable(url, &error))?;
            if response.status() == StatusCode::UNAUTHORIZED {
                let headers = response.headers().get_all(WWW_AUTHENTICATE).iter();
                let texts = headers.filter_map(|value| value.to_str().ok().map(str::to_owned));
                return Ok(texts.collect());
            }
        }
        Ok(Vec::new())
    }
}

async fn answer(url: &Url, request: RequestBuilder) -> Result<Answer, Failure> {
    let mut response = request
        .header(ACCEPT, "application/json")
        .send()
        .await
        .map_err(|error| unreachable(url, &error))?;
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| unreachable(url, &error))?
    {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(Failure::new(
                Code::UpstreamProtocol,
                format!("{} answered with more than {MAX_BYTES} bytes", place(url)),
            ));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Answer {
        status,
        body: serde_json::from_slice(&body).unwrap_or_default(),
    })
}

/// An address without what may be secret in it.
pub(super) fn place(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

/// The URL is left out of the error, as its query may hold a secret.
fn unreachable(url: &Url, error: &reqwest::Error) -> Failure {
    if let Some(refused) = Refused::cause_of(error) {
        return refused.clone().into();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let why = match error.is_timeout() {
        true => format!("no answer within {} s", LIMIT.as_secs()),
        false if std::ptr::addr_eq(cause, error) => "the request failed".into(),
        false => cause.to_string(),
    };
    Failure::new(
        Code::UpstreamUnreachable,
        format!("{} could not be reached: {why}", place(url)),
    )
    .with_hint("Check the network and that the server runs, then try again.")
}

/// The value as it stands in a form.
fn form_value(text: &str) -> String {
    form(&[("", text)]).trim_start_matches('=').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_encoded_as_in_a_form() {
        assert_eq!(form_value("a b:c=d"), "a+b%3Ac%3Dd");
        assert_eq!(form_value("=x"), "%3Dx");
        assert_eq!(form(&[("a", "1 2"), ("b", "ü")]), "a=1+2&b=%C3%BC");
    }

    #[tokio::test]
    async fn a_server_elsewhere_leads_to_no_inner_address() {
        let url = |text: &str| Url::parse(text).unwrap();
        let exchange =
            |server: &str| Exchange::new(&Network::default(), &url(server), None).unwrap();
        let remote = exchange("https://mcp.example.com/mcp");
        for inner in [
            "https://10.0.0.1/token",
            "https://169.254.169.254/token",
            "https://[fd00:ec2::254]/token",
            "https://auth.corp/token",
            "https://127.0.0.1:1/token",
        ] {
            let failure = remote.get(&url(inner)).await.err().unwrap();
            assert_eq!(failure.code, Code::UpstreamProtocol, "{inner}: {failure}");
        }
        let local = exchange("http://127.0.0.1:8000/mcp");
        let failure = local
            .get(&url("https://10.0.0.1/token"))
            .await
            .err()
            .unwrap();
        assert_eq!(failure.code, Code::UpstreamProtocol, "{failure}");
        // Nobody listens there, which is found out by asking.
        let failure = local
            .get(&url("http://127.0.0.1:1/token"))
            .await
            .err()
            .unwrap();
        assert_eq!(failure.code, Code::UpstreamUnreachable, "{failure}");
    }

    #[test]
    fn a_place_has_no_query() {
        let url = Url::parse("https://u:p@example.com:444/token?key=CANARY#x").unwrap();
        assert_eq!(place(&url), "https://example.com:444/token");
    }
}
