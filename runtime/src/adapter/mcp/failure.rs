//! Why a server could not be reached, or did not answer.

use rmcp::{
    service::{ClientInitializeError, ServiceError},
    transport::{DynamicTransportError, streamable_http_client::StreamableHttpError},
};

use super::Connection;
use crate::{
    adapter::{causes::with_causes, mcp_http::HttpError},
    reply::{Code, Failure},
};

/// What the protocol crate says of a request that was under way when its session had to be renewed.
const SESSION_RENEWED: &str =
    "streamable HTTP session was re-initialized before the response arrived";

/// Why there is no connection.
pub(super) struct NotConnected {
    pub(super) failure: Failure,
    /// The server answered, with an error.
    pub(super) refused: bool,
    /// The error status that the server answered `initialize` with.
    http_status: Option<u16>,
}

impl From<Failure> for NotConnected {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            refused: false,
            http_status: None,
        }
    }
}

impl NotConnected {
    /// Whether the server refused Streamable HTTP in a way that one of the older transport would (MCP specification,
    /// "Transports", backwards compatibility), and for no other known reason.
    pub(super) fn may_be_older_transport(&self) -> bool {
        self.http_status.is_some_and(|status| {
            (400..500).contains(&status) && !matches!(status, 401 | 403 | 407 | 429)
        })
    }

    /// The older transport was tried as well, in vain.
    pub(super) fn and_over_sse(mut self, other: &Self) -> Self {
        self.failure.error = format!(
            "{}; over HTTP+SSE: {}",
            self.failure.error, other.failure.error
        );
        self
    }
}

impl From<&HttpError> for NotConnected {
    fn from(error: &HttpError) -> Self {
        Self {
            failure: not_opened(&error.to_string(), Some(error)),
            refused: false,
            http_status: None,
        }
    }
}

impl From<&ClientInitializeError> for NotConnected {
    fn from(error: &ClientInitializeError) -> Self {
        Self {
            failure: start_failure(error),
            refused: matches!(error, ClientInitializeError::JsonRpcError(_)),
            http_status: refused_initialize(error),
        }
    }
}

fn start_failure(error: &ClientInitializeError) -> Failure {
    match http_error(error) {
        Some(http) => not_opened(&http.to_string(), Some(http)),
        None => not_opened(&with_causes(error), None),
    }
}

fn not_opened(why: &str, http: Option<&HttpError>) -> Failure {
    let http = http.map(|error| &error.failure);
    let code = match http.map(|failure| failure.code) {
        Some(code @ (Code::UpstreamAuth | Code::ConfigInvalid)) => code,
        _ => Code::PluginUnavailable,
    };
    let hint = http.and_then(|failure| failure.hint.clone());
    Failure::new(code, format!("no MCP session could be opened: {why}")).with_hint(
        hint.unwrap_or_else(|| {
            "Check the command or URL in the plugin's manifest; it is tried again on the next use."
                .into()
        }),
    )
}

/// What to do about the last words of a server that did not start, where they have one meaning.
pub(super) fn start_hint(words: &str) -> Option<&'static str> {
    let words = words.to_ascii_lowercase();
    let denied = [
        "enoent",
        "eacces",
        "eperm",
        "erofs",
        "read-only file system",
    ];
    let no_cache = words.contains("npm")
        && denied.iter().any(|reason| words.contains(reason))
        && ["mkdir", "_cacache", "_npx", "npm-cache"]
            .iter()
            .any(|place| words.contains(place));
    no_cache.then_some(
        "npm cannot write its cache: let HOME, or npm_config_cache in the server's `env`, name a folder that can be written.",
    )
}

/// The error status that `initialize` itself was answered with.
fn refused_initialize(error: &ClientInitializeError) -> Option<u16> {
    match error {
        ClientInitializeError::TransportError { error, context } => sent_error(error)
            .filter(|_| context.contains("initialize request"))
            .and_then(|error| Some(error.status?.as_u16())),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
            refused_initialize(fallback)
        }
        _ => None,
    }
}

/// The HTTP client's error behind an error of the handshake.
fn http_error(error: &ClientInitializeError) -> Option<&HttpError> {
    match error {
        ClientInitializeError::TransportError { error, .. } => sent_error(error),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => http_error(fallback),
        _ => None,
    }
}

/// The HTTP client's error behind a message that could not be sent: the protocol crate does not name it as a source.
fn sent_error(error: &DynamicTransportError) -> Option<&HttpError> {
    match error.error.downcast_ref() {
        Some(StreamableHttpError::Client(error)) => Some(error),
        // Over HTTP+SSE there is nothing around it.
        _ => error.error.downcast_ref(),
    }
}

/// Why a request was not answered.
pub(super) async fn call_failure(connection: &Connection, error: ServiceError) -> Failure {
    match error {
        ServiceError::McpError(error) if error.message == SESSION_RENEWED => {
            unanswered("its session ended meanwhile", false)
        }
        ServiceError::McpError(error) => {
            let failure = Failure::new(
                Code::UpstreamProtocol,
                format!(
                    "the MCP server answered with error {}: {}",
                    error.code.0, error.message
                ),
            );
            match error.data {
                Some(data) => failure.with("data", data),
                None => failure,
            }
        }
        error if connection.child.is_some() => {
            let why = match &connection.child {
                Some(child) => child.explain_exit().await,
                None => None,
            };
            Failure::new(
                Code::PluginCrashed,
                format!(
                    "the MCP server ended while it was answering: {}",
                    why.unwrap_or_else(|| error.to_string())
                ),
            )
            .with_hint("It is started again on the next call.")
        }
        ServiceError::TransportSend(error) => match sent_error(&error) {
            Some(http) => Failure {
                error: format!("the MCP server did not answer: {}", http.failure.error),
                ..http.failure.clone()
            },
            // The name of the transport's type says nothing to anybody.
            None => unanswered(&error.error.to_string(), expired(&error)),
        },
        ServiceError::TransportClosed => {
            unanswered("the connection ended before the answer", false)
        }
        error => unanswered(&with_causes(&error), false),
    }
}

/// A session that the server did not know was renewed in vain; such a request was not carried out.
fn expired(error: &DynamicTransportError) -> bool {
    let error = error.error.downcast_ref::<StreamableHttpError<HttpError>>();
    matches!(error, Some(StreamableHttpError::SessionExpired))
}

fn unanswered(why: &str, refused: bool) -> Failure {
    let code = match refused {
        true => Code::UpstreamProtocol,
        false => Code::OutcomeUnknown,
    };
    Failure::new(code, format!("the MCP server did not answer: {why}"))
        .with_hint("Check that the server runs and that its URL is right, then try again.")
}

#[cfg(test)]
mod tests {
    use super::start_hint;

    #[test]
    fn c072_a_cache_is_named_only_where_the_words_are_about_it() {
        for words in [
            "npm error enoent ... mkdir '/home/sbx'",
            "npm ERR! code EACCES\nnpm ERR! path /root/.npm/_cacache",
            "npm error code EROFS\nnpm error syscall mkdir",
        ] {
            assert!(start_hint(words).is_some(), "{words}");
        }
        for words in [
            "npm error code E404\nnpm error 404 Not Found - GET https://registry.invalid/pkg",
            "Error: ENOENT: no such file or directory, open 'config.json'",
            "no token",
            "",
        ] {
            assert_eq!(start_hint(words), None, "{words}");
        }
    }
}
