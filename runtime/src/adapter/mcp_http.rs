//! MCP servers reached over Streamable HTTP.

use std::collections::HashMap;

use indexmap::IndexMap;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::transport::{
    StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
};

use super::{
    environment::{expand, from_process},
    mcp::ProtocolEra,
};
use crate::reply::{Code, Failure};

/// Where an MCP server listens, and what to send along.
#[derive(Debug, Clone, PartialEq, schemars::JsonSchema, serde::Deserialize)]
pub struct HttpServer {
    /// The endpoint; `${VAR}` expands.
    pub url: String,
    /// Headers of every request; `${VAR}` expands in values.
    #[serde(default)]
    pub headers: IndexMap<String, String>,
    /// Which generations of the protocol are tried.
    #[serde(default, rename = "protocolEra")]
    pub protocol_era: ProtocolEra,
}

impl HttpServer {
    /// A transport to the server. Nothing is sent yet.
    pub(super) fn transport(
        &self,
    ) -> Result<StreamableHttpClientTransport<reqwest::Client>, Failure> {
        let url = expand(&self.url, from_process)?;
        let parsed = reqwest::Url::parse(&url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| {
                Failure::new(
                    Code::ConfigInvalid,
                    format!("{:?} is no http or https URL", self.url),
                )
                .with_hint("Give the MCP endpoint in full, for example https://example.com/mcp.")
            })?;
        let mut headers = HashMap::new();
        for (name, value) in &self.headers {
            let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
                Failure::new(Code::ConfigInvalid, format!("{name:?} is no header name"))
            })?;
            // The value may be a secret: it is never part of a message.
            let mut value = HeaderValue::from_str(&expand(value, from_process)?).map_err(|_| {
                Failure::new(
                    Code::ConfigInvalid,
                    format!("the value of header {name} has a forbidden character"),
                )
            })?;
            value.set_sensitive(true);
            headers.insert(header, value);
        }
        let config = StreamableHttpClientTransportConfig::with_uri(parsed.to_string())
            .custom_headers(headers);
        Ok(StreamableHttpClientTransport::with_client(
            client()?,
            config,
        ))
    }
}

/// Redirects are refused: a header with a credential must not follow one to another host.
fn client() -> Result<reqwest::Client, Failure> {
    crate::runtime::install_tls_provider();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .tcp_nodelay(true)
        .connect_timeout(std::time::Duration::from_secs(10))
        .build()
        .map_err(|error| Failure::new(Code::Internal, format!("no HTTP client: {error}")))
}
