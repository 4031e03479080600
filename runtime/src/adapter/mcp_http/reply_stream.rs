//! The stream that answers one request. One that breaks off is resumed where the server said how, and never asked for again.

use std::{collections::HashMap, collections::VecDeque, time::Duration};

use futures_util::{StreamExt, stream::BoxStream};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::{
    model::{JsonRpcMessage, RequestId, ServerJsonRpcMessage},
    transport::streamable_http_client::SseError,
};
use sse_stream::Sse;

use super::client::HttpClient;
use crate::adapter::{
    event_stream::{Event, EventStream},
    mcp_lines::messages_of,
};

/// A server may ask to wait before its stream is resumed, but not for longer than this.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// What is needed to read an answer and to resume its stream.
pub(super) struct ReplyStream {
    events: EventStream,
    client: HttpClient,
    session: Option<String>,
    headers: HashMap<HeaderName, HeaderValue>,
    request: RequestId,
    waiting: VecDeque<ServerJsonRpcMessage>,
    last_event: Option<String>,
    wait: Duration,
    /// Resumed, and nothing with an id came since.
    resumed: bool,
    answered: bool,
}

impl ReplyStream {
    pub(super) fn new(
        events: EventStream,
        client: HttpClient,
        session: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
        request: RequestId,
    ) -> Self {
        Self {
            events,
            client,
            session,
            headers,
            request,
            waiting: VecDeque::new(),
            last_event: None,
            wait: Duration::ZERO,
            resumed: false,
            answered: false,
        }
    }

    /// The messages as the protocol crate wants them. It need not know of ids: what there is to resume has been.
    pub(super) fn into_events(self) -> BoxStream<'static, Result<Sse, SseError>> {
        let next = |mut stream: Self| async move {
            let message = stream.next().await?;
            let data = serde_json::to_string(&message).ok()?;
            Some((Ok(Sse::default().data(data)), stream))
        };
        futures_util::stream::unfold(self, next).boxed()
    }

    /// The answer alone.
    pub(super) async fn answer(mut self) -> Option<ServerJsonRpcMessage> {
        while let Some(message) = self.next().await {
            if answers(&message, &self.request) {
                return Some(message);
            }
        }
        None
    }

    async fn next(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                self.answered |= answers(&message, &self.request);
                return Some(message);
            }
            match self.events.next().await {
                Ok(Some(event)) => self.take(event),
                ended => {
                    if let Err(broken) = ended {
                        tracing::debug!(%broken, "an MCP server's answer broke off");
                    }
                    self.resume().await?;
                }
            }
        }
    }

    fn take(&mut self, event: Event) {
        if event.is_message() {
            self.waiting.extend(messages_of(event.data.into_bytes()));
        }
        if let Some(wait) = event.retry {
            self.wait = wait.min(MAX_WAIT);
        }
        // An empty id takes the last one back.
        if let Some(id) = event.id {
            self.last_event = Some(id).filter(|id| !id.is_empty());
            self.resumed = false;
        }
    }

    /// Goes on after the last event that had an id. `None` where the answer has come, or none will come.
    async fn resume(&mut self) -> Option<()> {
        let last_event = self
            .last_event
            .clone()
            .filter(|_| !self.answered && !self.resumed)?;
        self.resumed = true;
        tokio::time::sleep(self.wait).await;
        let events = self
            .client
            .events(self.session.as_deref(), Some(&last_event), &self.headers)
            .await;
        self.events = events
            .inspect_err(|error| tracing::debug!(%error, "an answer cannot be resumed"))
            .ok()?;
        Some(())
    }
}

/// Whether a message is the answer to that request. Some servers write a number back as a text.
pub(super) fn answers(message: &ServerJsonRpcMessage, request: &RequestId) -> bool {
    let id = match message {
        JsonRpcMessage::Response(response) => Some(&response.id),
        JsonRpcMessage::Error(error) => error.id.as_ref(),
        _ => None,
    };
    id.is_some_and(|id| id == request || id.to_string() == request.to_string())
}
