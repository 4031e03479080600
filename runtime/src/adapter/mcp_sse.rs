//! The older HTTP+SSE transport (MCP specification 2024-11-05): the server's messages come on one stream, which first names
//! the endpoint that takes the client's.

use std::{collections::VecDeque, time::Duration};

use reqwest::{
    Method,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use rmcp::{
    RoleClient,
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};

use super::{
    event_stream::{Event, EventStream},
    mcp_http::{Endpoint, HttpError, Request},
    mcp_lines::messages_of,
};
use crate::reply::{Code, Failure};

/// How long the server may take to name its endpoint.
const ENDPOINT_LIMIT: Duration = Duration::from_secs(15);

/// A connection to a server of that transport.
pub(super) struct SseTransport {
    endpoint: Endpoint,
    events: EventStream,
    waiting: VecDeque<RxJsonRpcMessage<RoleClient>>,
}

impl SseTransport {
    /// Opens the stream and waits for the endpoint, which must be of the stream's origin.
    pub(super) async fn connect(stream: &Endpoint) -> Result<Self, HttpError> {
        let request = Request {
            method: Method::GET,
            headers: HeaderMap::from_iter([(
                ACCEPT,
                HeaderValue::from_static("text/event-stream"),
            )]),
            body: None,
        };
        let answer = stream.send(&request).await?;
        if !answer.response.status().is_success() {
            return Err(stream.refusal(answer).await.0);
        }
        let mut events = EventStream::new(answer.response);
        let named = tokio::time::timeout(ENDPOINT_LIMIT, endpoint_event(&mut events));
        let Ok(Some(event)) = named.await else {
            let text = "the server's stream named no endpoint for messages";
            return Err(Failure::new(Code::UpstreamProtocol, text)
                .with_hint("Check that the URL is that of an MCP server's event stream.")
                .into());
        };
        let url = stream.url().join(event.data.trim());
        let url = url.map_err(|_| {
            let text = "the server named an endpoint that is no URL";
            Failure::new(Code::UpstreamProtocol, text)
        })?;
        Ok(Self {
            endpoint: stream.at(url)?,
            events,
            waiting: VecDeque::new(),
        })
    }
}

async fn endpoint_event(events: &mut EventStream) -> Option<Event> {
    while let Ok(Some(event)) = events.next().await {
        if event.name.as_deref() == Some("endpoint") {
            return Some(event);
        }
    }
    None
}

impl Transport<RoleClient> for SseTransport {
    type Error = HttpError;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), HttpError>> + Send + 'static {
        let endpoint = self.endpoint.clone();
        async move {
            let body = serde_json::to_vec(&message)
                .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
            let request = Request {
                method: Method::POST,
                headers: HeaderMap::from_iter([
                    (
                        ACCEPT,
                        HeaderValue::from_static("application/json, text/event-stream"),
                    ),
                    (CONTENT_TYPE, HeaderValue::from_static("application/json")),
                ]),
                body: Some(body),
            };
            let answer = endpoint.send(&request).await?;
            match answer.response.status().is_success() {
                true => Ok(()),
                false => Err(endpoint.refusal(answer).await.0),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Some(message);
            }
            match self.events.next().await {
                Ok(Some(event)) if event.is_message() => {
                    self.waiting.extend(messages_of(event.data.into_bytes()));
                }
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(broken) => {
                    tracing::debug!(%broken, "an MCP server's stream ended");
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), HttpError> {
        Ok(())
    }
}
