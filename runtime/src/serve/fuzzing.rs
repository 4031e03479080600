//! Doors for the fuzz targets, on the side of clients.

#![allow(missing_docs)]

use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{client::Client, line_transport::LineTransport};

/// The messages that a client's stdin holds. What is no message is answered on `answers`.
pub async fn client_messages(
    stream: impl AsyncRead + Send + Unpin + 'static,
    answers: impl AsyncWrite + Send + Unpin + 'static,
) -> Vec<Value> {
    let mut transport = LineTransport::new(Box::new(stream), Box::new(answers), Client::default());
    let mut read = Vec::new();
    while let Some(message) = transport.receive().await {
        read.push(serde_json::to_value(message).unwrap_or_default());
    }
    read
}
