//! Doors for the fuzz targets, on the side of servers.

#![allow(missing_docs)]

use rmcp::model::{JsonRpcMessage, ServerResult};
use serde_json::Value;
use tokio::io::AsyncRead;

pub use super::cli::fuzzing::*;
use super::{mcp::upstream_result, mcp_lines::messages, stray::StrayLines};
use crate::{Failure, lines::Lines, reply::UpstreamResult};

/// The messages that a server's stdout holds.
pub async fn server_messages(stream: impl AsyncRead + Unpin, limit: usize) -> Vec<Value> {
    let mut lines = Lines::new(stream, limit);
    let mut stray = StrayLines::new("fuzzed".into());
    let mut read = Vec::new();
    while let Ok(Some(line)) = lines.next().await {
        let messages = messages(&line, &mut stray).into_iter();
        read.extend(messages.map(|message| serde_json::to_value(message).unwrap_or_default()));
    }
    read
}

/// What a tool's result is read as, from a line of its server.
pub fn mcp_result(line: &[u8]) -> Option<Result<UpstreamResult, Failure>> {
    let line = crate::lines::Line::Whole(line.to_vec());
    match messages(&line, &mut StrayLines::new("fuzzed".into())).pop()? {
        JsonRpcMessage::Response(response) => {
            let result: ServerResult = response.result;
            Some(upstream_result(&result))
        }
        _ => None,
    }
}
