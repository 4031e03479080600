//! A call as a door received it.

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{adapter::ProgressSink, facade::View};

/// One call of a listed tool.
#[derive(Clone)]
pub struct Call {
    pub(crate) view: View,
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) session: Arc<str>,
    pub(crate) cancel: CancellationToken,
    pub(crate) progress: Option<ProgressSink>,
}

impl Call {
    /// A call of `tool` in the facade view, without arguments.
    pub fn to(tool: impl Into<String>) -> Self {
        Self {
            view: View::default(),
            tool: tool.into(),
            arguments: Value::Null,
            session: Arc::from(""),
            cancel: CancellationToken::new(),
            progress: None,
        }
    }

    /// The arguments: an object, or nothing.
    #[must_use]
    pub fn arguments(mut self, arguments: Value) -> Self {
        self.arguments = arguments;
        self
    }

    /// The view that `tool` is a tool of.
    #[must_use]
    pub fn view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// Names the client's session: repeated failures are counted for each by itself.
    #[must_use]
    pub fn session(mut self, session: &str) -> Self {
        self.session = Arc::from(session);
        self
    }

    /// Cancelling this token ends the call, upstream too.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Receives the tool's progress.
    #[must_use]
    pub fn progress(mut self, sink: ProgressSink) -> Self {
        self.progress = Some(sink);
        self
    }
}
