//! Why a server could not be reached, or did not answer.

use rmcp::{
    service::{ClientInitializeError, ServiceError},
    transport::streamable_http_client::StreamableHttpError,
};

use super::Connection;
use crate::reply::{Code, Failure};

/// Why there is no connection.
pub(super) struct NotConnected {
    pub(super) failure: Failure,
    /// The server answered, with an error.
    pub(super) refused: bool,
}

impl From<Failure> for NotConnected {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            refused: false,
        }
    }
}

impl From<&ClientInitializeError> for NotConnected {
    fn from(error: &ClientInitializeError) -> Self {
        Self {
            failure: start_failure(error),
            refused: matches!(error, ClientInitializeError::JsonRpcError(_)),
        }
    }
}

fn start_failure(error: &ClientInitializeError) -> Failure {
    if error.is_authorization_required() {
        return unauthorized();
    }
    Failure::new(
        Code::PluginUnavailable,
        format!("no MCP session could be opened: {}", chain(error)),
    )
    .with_hint(
        "Check the command or URL in the plugin's manifest; it is tried again on the next use.",
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

fn unauthorized() -> Failure {
    Failure::new(Code::UpstreamAuth, "the MCP server wants other credentials")
        .with_hint("Check the token in the plugin's headers and its environment variable.")
}

fn never_connected(error: &ServiceError) -> bool {
    let ServiceError::TransportSend(error) = error else {
        return false;
    };
    // The protocol crate does not name the HTTP client's error as a source.
    match error.error.downcast_ref() {
        Some(StreamableHttpError::Client(error)) => reqwest::Error::is_connect(error),
        _ => false,
    }
}

/// An error with its causes, as reqwest hides the interesting part in them.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// Why a request was not answered.
pub(super) async fn call_failure(connection: &Connection, error: ServiceError) -> Failure {
    match error {
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
        error if error.is_authorization_required() => unauthorized(),
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
        error => {
            // A connection that was never made carried nothing; one that broke may have.
            let code = match never_connected(&error) {
                true => Code::UpstreamUnreachable,
                false => Code::OutcomeUnknown,
            };
            let why = match &error {
                // The name of the transport's type says nothing to anybody.
                ServiceError::TransportSend(error) => match error.error.downcast_ref() {
                    Some(StreamableHttpError::Client(error)) => chain(error as &reqwest::Error),
                    _ => chain(error.error.as_ref()),
                },
                error => chain(error),
            };
            Failure::new(code, format!("the MCP server did not answer: {why}"))
                .with_hint("Check that the server runs and that its URL is right, then try again.")
        }
    }
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
