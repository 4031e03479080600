//! Doors for the fuzz targets, on the side of clients.

#![allow(missing_docs)]

use std::sync::Arc;

use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::{
    client::Client,
    connections,
    elicitation::Seal,
    http::{HttpOptions, router},
    line_transport::LineTransport,
    page::Page,
};
use crate::Runtime;

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

/// All that the HTTP transport answers a client who sends these bytes and then waits, for as long as it takes until the
/// server leaves: on a clock that stands still no time passes.
pub async fn http_answers(runtime: &Runtime, options: &HttpOptions, sent: &[u8]) -> Vec<u8> {
    let page = match options.page {
        Some(true) => Page::new(runtime.clone(), options.body()).ok(),
        _ => None,
    };
    let Ok(seal) = Seal::new() else {
        return Vec::new();
    };
    let (mut client, server) = tokio::io::duplex(sent.len() + 1);
    let shutdown = runtime.shutdown_token();
    let app = router(
        runtime.clone(),
        Arc::new(seal),
        options,
        page.as_ref(),
        shutdown.clone(),
    );
    let served = connections::connection(server, app, options.limits(), shutdown);
    let asked = async {
        let mut answers = Vec::new();
        // The server may leave at any byte.
        let _ = client.write_all(sent).await;
        let _ = client.read_to_end(&mut answers).await;
        answers
    };
    tokio::join!(served, asked).1
}
