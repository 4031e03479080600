//! MCP servers behind a URL: where they are, what is sent along, and the client of Streamable HTTP.

mod auth;
mod bearer;
mod client;
mod credentials;
mod endpoint;
mod error;
mod reply_stream;
mod server_stream;
mod shown;
mod token_command;

use std::{
    fmt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use indexmap::IndexMap;
use rmcp::transport::{
    StreamableHttpClientTransport, common::client_side_sse::ExponentialBackoff,
    streamable_http_client::StreamableHttpClientTransportConfig,
};

use super::{
    Children,
    environment::{expand, from_process},
    mcp::{ProtocolEra, Server},
    oauth::{AuthState, Login},
};
use crate::{
    network::Network,
    reply::{Code, Failure},
    secrets::remember_given,
};
pub use auth::{ClientCredentialsSettings, HttpAuth, OauthSettings, Secret};
use bearer::BearerHeaders;
pub(super) use bearer::{Bearer, BearerSource, SharedBearer};
use client::{HttpClient, NewSession};
use credentials::{ConfiguredHeaders, Credentials};
pub(super) use endpoint::{Endpoint, Request};
pub(super) use error::HttpError;
use shown::shown_text;

/// Answers that are waited for at the same time.
const MAX_CONCURRENT: usize = 1024;
/// How often a stream of a server's own messages is opened again without success in between, and how long that may pause.
const MAX_REOPENINGS: usize = 8;
const MAX_REOPENING_PAUSE: Duration = Duration::from_secs(60);

/// Which transport a server behind a URL speaks. The other spellings are those of other clients' files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, schemars::JsonSchema, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HttpTransport {
    /// Streamable HTTP, or HTTP+SSE where the server refuses that.
    #[default]
    Auto,
    /// Streamable HTTP, of 2025-03-26 and later.
    #[serde(alias = "http", alias = "streamableHttp", alias = "streamable_http")]
    StreamableHttp,
    /// HTTP+SSE, of 2024-11-05.
    Sse,
}

/// Where an MCP server listens, and what to send along.
#[derive(Clone, PartialEq, schemars::JsonSchema, serde::Deserialize)]
pub struct HttpServer {
    /// The endpoint; `${VAR}` expands.
    pub url: String,
    /// Headers of every request; `${VAR}` expands in values, anew for each request.
    #[serde(default)]
    pub headers: IndexMap<String, String>,
    /// How the token is come by that is sent as `Authorization`.
    #[serde(default)]
    pub auth: Option<HttpAuth>,
    /// Which generations of the protocol are tried.
    #[serde(default, rename = "protocolEra")]
    pub protocol_era: ProtocolEra,
    /// Which transport it speaks; also as `type`.
    #[serde(default, alias = "type")]
    #[schemars(skip)]
    pub transport: HttpTransport,
}

impl HttpServer {
    /// The server, of the plugin `prefix` in the folder `dir`, where a token command runs as a child.
    pub(crate) fn at(
        &self,
        prefix: &str,
        dir: &Path,
        children: &Arc<Children>,
        network: &Network,
    ) -> Server {
        Server::Http(HttpRoute::new(self.clone(), prefix, dir, children, network))
    }
}

/// A URL and headers may hold secrets.
impl fmt::Debug for HttpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.headers.keys().collect();
        f.debug_struct("HttpServer")
            .field("url", &shown_text(&self.url))
            .field("headers", &format_args!("{names:?} <redacted>"))
            .field("auth", &self.auth)
            .field("protocol_era", &self.protocol_era)
            .field("transport", &self.transport)
            .finish()
    }
}

/// A way to one server, as long as its plugin lives: what is learned of the server outlives a connection.
pub(crate) struct HttpRoute {
    server: HttpServer,
    credentials: Arc<Credentials>,
    login: Option<Arc<Login>>,
    network: Network,
    /// The server refused Streamable HTTP and took HTTP+SSE.
    speaks_sse: AtomicBool,
}

impl HttpRoute {
    fn new(
        server: HttpServer,
        prefix: &str,
        dir: &Path,
        children: &Arc<Children>,
        network: &Network,
    ) -> Self {
        let configured = ConfiguredHeaders::new(&server.headers);
        let mut login = None;
        let credentials = match &server.auth {
            None => Credentials::new(configured),
            Some(auth) => {
                let auth = auth.prepare(&server.url, prefix, dir, children, network);
                login = auth.login;
                Credentials::new(BearerHeaders {
                    configured,
                    source: auth.bearer,
                })
            }
        };
        Self {
            credentials: Arc::new(credentials),
            login,
            network: network.clone(),
            server,
            speaks_sse: AtomicBool::new(false),
        }
    }

    /// The user's login, where this server has one.
    pub(super) fn login(&self) -> Option<&Login> {
        self.login.as_deref()
    }

    /// Whether somebody has to log in; `None` for a server without `auth`.
    pub(super) fn auth(&self) -> Option<AuthState> {
        self.server.auth.as_ref()?;
        Some(self.login().map_or(AuthState::None, Login::state))
    }

    pub(super) fn protocol_era(&self) -> ProtocolEra {
        self.server.protocol_era
    }

    /// The configured transport, or the one that was found to work.
    pub(super) fn transport(&self) -> HttpTransport {
        match self.server.transport {
            HttpTransport::Auto if self.speaks_sse.load(Ordering::Relaxed) => HttpTransport::Sse,
            configured => configured,
        }
    }

    pub(super) fn remember_sse(&self) {
        self.speaks_sse.store(true, Ordering::Relaxed);
    }

    /// The server may have been replaced by a newer one.
    pub(super) fn forget_transport(&self) {
        self.speaks_sse.store(false, Ordering::Relaxed);
    }

    /// A transport to the server. Nothing is sent yet. `renewed` is told of every session after the first.
    pub(super) fn streamable(
        &self,
        renewed: NewSession,
    ) -> Result<StreamableHttpClientTransport<HttpClient>, Failure> {
        let endpoint = self.endpoint()?;
        // The URL is the endpoint's alone, so that no log of the protocol crate shows it.
        let mut config = StreamableHttpClientTransportConfig::with_uri("mcp")
            .max_concurrent_requests(MAX_CONCURRENT);
        let mut reopening = ExponentialBackoff::default();
        reopening.max_times = Some(MAX_REOPENINGS);
        reopening.max_delay = Some(MAX_REOPENING_PAUSE);
        config.retry_config = Arc::new(reopening);
        Ok(StreamableHttpClientTransport::with_client(
            HttpClient::new(endpoint, renewed),
            config,
        ))
    }

    /// The URL of the server, with its credentials.
    pub(super) fn endpoint(&self) -> Result<Endpoint, Failure> {
        let url = expand(&self.server.url, from_process)?;
        remember_given("url", &url);
        let url = reqwest::Url::parse(&url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| {
                Failure::new(
                    Code::ConfigInvalid,
                    "the plugin's `url` is no http or https URL",
                )
                .with_hint("Give the MCP endpoint in full, for example https://example.com/mcp.")
            })?;
        Endpoint::new(url, self.credentials.clone(), &self.network)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn transports_are_known_by_every_spelling() {
        for (key, value, expected) in [
            ("transport", "auto", HttpTransport::Auto),
            (
                "transport",
                "streamable-http",
                HttpTransport::StreamableHttp,
            ),
            ("type", "http", HttpTransport::StreamableHttp),
            ("type", "streamableHttp", HttpTransport::StreamableHttp),
            ("type", "sse", HttpTransport::Sse),
        ] {
            let server = json!({"url": "https://h/mcp", key: value});
            let server: HttpServer = serde_json::from_value(server).unwrap();
            assert_eq!(server.transport, expected, "{value}");
        }
        let wrong = json!({"url": "https://h/mcp", "transport": "smoke"});
        assert!(serde_json::from_value::<HttpServer>(wrong).is_err());
    }

    #[test]
    fn debug_output_has_no_secret() {
        let server: HttpServer = serde_json::from_value(json!({
            "url": "http://user:CANARY-1@h/mcp?key=CANARY-2",
            "headers": {"Authorization": "Bearer CANARY-3"},
        }))
        .unwrap();
        let debug = format!(
            "{server:?} {:?}",
            crate::plugin::Source::McpHttp(server.clone())
        );
        assert!(!debug.contains("CANARY"), "{debug}");
        assert!(
            debug.contains("<redacted>") && debug.contains("key=***"),
            "{debug}"
        );
    }
}
