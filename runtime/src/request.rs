//! A call as a door received it.

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{
    adapter::{InFlight, ProgressSink},
    approval::{Approver, DecisionSlot},
    audit::Client,
    view::View,
};

/// One call of a listed tool.
#[derive(Clone)]
pub struct Call {
    pub(crate) view: View,
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) session: Arc<str>,
    pub(crate) shared_session: bool,
    pub(crate) cancel: CancellationToken,
    pub(crate) progress: Option<ProgressSink>,
    pub(crate) sent: Arc<InFlight>,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) decided: DecisionSlot,
    pub(crate) client: Client,
}

impl Call {
    /// A call of `tool` in the facade view, without arguments.
    pub fn to(tool: impl Into<String>) -> Self {
        Self {
            view: View::default(),
            tool: tool.into(),
            arguments: Value::Null,
            session: Arc::from(""),
            shared_session: false,
            cancel: CancellationToken::new(),
            progress: None,
            sent: Arc::default(),
            approver: None,
            decided: DecisionSlot::default(),
            client: Client::default(),
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

    /// As [`Call::session`], where several clients may be taken for one: what one of them did wrong never keeps a valid
    /// call of another from being looked at.
    #[must_use]
    pub fn shared_session(mut self, session: &str) -> Self {
        self.shared_session = true;
        self.session(session)
    }

    /// The session, where it has a name and is one client's.
    pub(crate) fn own_session(&self) -> Option<Arc<str>> {
        let own = !self.shared_session && !self.session.is_empty();
        own.then(|| self.session.clone())
    }

    /// Who calls, for the call log.
    #[must_use]
    pub fn client(mut self, client: Client) -> Self {
        self.client = client;
        self
    }

    /// Cancelling this token ends the call, upstream too.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Asks the person who uses the client where the policy wants that. Without one nobody can be asked.
    #[must_use]
    pub fn approver(mut self, approver: Arc<dyn Approver>) -> Self {
        self.approver = Some(approver);
        self
    }

    /// Where it is written down what was decided about the call.
    pub fn decision(&self) -> DecisionSlot {
        self.decided.clone()
    }

    /// Receives the tool's progress.
    #[must_use]
    pub fn progress(mut self, sink: ProgressSink) -> Self {
        self.progress = Some(sink);
        self
    }
}
