//! A record of each call, as a `tracing` event. Arguments and results are not recorded: they may hold secrets.

use std::time::Instant;

use crate::{
    facade::View,
    reply::{Failure, Reply},
};

/// The record of one call, from its arrival to its reply.
pub(crate) struct Record {
    tool: String,
    plugin: Option<String>,
    started: Instant,
}

impl Record {
    pub(crate) fn begin(view: &View, tool: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            plugin: view.plugin.clone(),
            started: Instant::now(),
        }
    }

    pub(crate) fn end(self, outcome: &Result<Reply, Failure>) {
        let outcome = match outcome {
            Ok(reply) if reply.is_error => "refused or failed",
            Ok(_) => "ok",
            Err(failure) => failure.code.as_str(),
        };
        tracing::info!(
            tool = self.tool,
            plugin = self.plugin,
            outcome,
            ms = self.started.elapsed().as_millis(),
            "call"
        );
    }
}
