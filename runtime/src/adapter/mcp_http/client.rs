//! Streamable HTTP (MCP specification, "Transports"): what a POST, the GET stream and the end of a session are. The order of
//! messages, sessions that expired and versions are the protocol crate's.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::stream::BoxStream;
use reqwest::{
    Method, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
};
use rmcp::{
    model::{
        ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, RequestId,
        ServerJsonRpcMessage,
    },
    transport::streamable_http_client::{
        SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    },
};
use sse_stream::Sse;

use super::{
    endpoint::{Answer, Endpoint, Request},
    error::HttpError,
    reply_stream::{ReplyStream, answers},
    server_stream::{Useless, server_events},
};
use crate::{
    adapter::{event_stream::EventStream, mcp_lines::messages_of},
    reply::{Code, Failure},
};

const EVENTS: &str = "text/event-stream";
const EITHER: &str = "application/json, text/event-stream";
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// The longest answer that is no stream, in bytes.
const MAX_BODY: usize = 64 * 1024 * 1024;

/// Servers that are silent when they do not know the newest protocol's first request are asked in the older way after this.
/// The protocol crate would wait with it until the first request has been answered.
const DISCOVER_LIMIT: Duration = Duration::from_secs(8);

type Error = StreamableHttpError<HttpError>;
/// Told when a session follows another: its server may have other tools.
pub(in crate::adapter) type NewSession = Arc<dyn Fn() + Send + Sync>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// A client of one server.
#[derive(Clone)]
pub(in crate::adapter) struct HttpClient {
    endpoint: Endpoint,
    useless_streams: Useless,
    sessions: Arc<Sessions>,
}

/// Whether there was a session before, and who wants to know when another follows.
struct Sessions {
    opened: AtomicBool,
    renewed: NewSession,
}

impl HttpClient {
    pub(super) fn new(endpoint: Endpoint, renewed: NewSession) -> Self {
        Self {
            endpoint,
            sessions: Arc::new(Sessions {
                opened: AtomicBool::new(false),
                renewed,
            }),
            useless_streams: Useless::default(),
        }
    }

    /// The stream of a session, or what is left of one after an event.
    pub(super) async fn events(
        &self,
        session: Option<&str>,
        last_event: Option<&str>,
        headers: &Headers,
    ) -> Result<EventStream, Error> {
        let mut headers = protocol_headers(headers, session, EVENTS)?;
        if let Some(id) = last_event {
            headers.insert(LAST_EVENT_ID, header_value(id)?);
        }
        let request = Request {
            method: Method::GET,
            headers,
            body: None,
        };
        let answer = self.send(&request).await?;
        let status = answer.response.status();
        if status.is_success() && media_type(&answer) == EVENTS {
            return Ok(EventStream::new(answer.response));
        }
        // Whatever the status, the server has no such stream, and need not have one.
        tracing::debug!(%status, "an MCP server offers no stream of its own messages");
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }

    async fn send(&self, request: &Request) -> Result<Answer, Error> {
        self.endpoint
            .send(request)
            .await
            .map_err(StreamableHttpError::Client)
    }

    /// What an answer with an error status means for the message that was sent.
    async fn refused(
        &self,
        answer: Answer,
        message: &ClientJsonRpcMessage,
        in_session: bool,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let status = answer.response.status();
        if in_session && status == StatusCode::NOT_FOUND {
            return Err(StreamableHttpError::SessionExpired);
        }
        let (error, body) = self.endpoint.refusal(answer).await;
        // Older servers say so with a 400.
        let names_session = || body.to_ascii_lowercase().contains("session");
        if in_session && status == StatusCode::BAD_REQUEST && names_session() {
            return Err(StreamableHttpError::SessionExpired);
        }
        let JsonRpcMessage::Request(request) = message else {
            return Err(StreamableHttpError::Client(error));
        };
        let said = match serde_json::from_str::<ServerJsonRpcMessage>(&body) {
            Ok(JsonRpcMessage::Error(said)) => Some(said),
            _ => None,
        };
        let discover = discover_id(message).is_some();
        let forbidden = matches!(status.as_u16(), 401 | 403 | 429) || status.is_redirection();
        match said {
            // A server that does not know the newest protocol's first request is asked in the older way.
            said if discover && !forbidden => {
                let said = said.map_or_else(
                    || ErrorData::invalid_request(error.failure.error.clone(), None),
                    |said| said.error,
                );
                Ok(json_answer(ServerJsonRpcMessage::error(
                    said,
                    Some(request.id.clone()),
                )))
            }
            Some(said) if !forbidden && said.id.as_ref() == Some(&request.id) => {
                Ok(json_answer(JsonRpcMessage::Error(said)))
            }
            _ => Err(StreamableHttpError::Client(error)),
        }
    }

    async fn body(&self, mut answer: Answer) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        loop {
            let chunk = answer.response.chunk().await;
            let chunk =
                chunk.map_err(|error| StreamableHttpError::Client(self.endpoint.broken(error)))?;
            let Some(chunk) = chunk else {
                return Ok(body);
            };
            if body.len() + chunk.len() > MAX_BODY {
                let text = format!("the server's answer is longer than {MAX_BODY} bytes");
                return Err(failure(Code::OutcomeUnknown, &text));
            }
            body.extend_from_slice(&chunk);
        }
    }

    async fn post(
        &self,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Error> {
        let mut all = protocol_headers(&headers, session.as_deref(), EITHER)?;
        all.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let request = Request {
            method: Method::POST,
            headers: all,
            body: Some(serde_json::to_vec(&message)?),
        };
        let answer = self.send(&request).await?;
        let status = answer.response.status();
        if !status.is_success() {
            return self.refused(answer, &message, session.is_some()).await;
        }
        let JsonRpcMessage::Request(request) = &message else {
            // Nothing is waited for, whatever stands in the body.
            return Ok(StreamableHttpPostResponse::Accepted);
        };
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        let new_session = answer.response.headers().get(SESSION_ID);
        let new_session = new_session.and_then(|id| Some(id.to_str().ok()?.to_owned()));
        if media_type(&answer) == EVENTS {
            let session = session.map(|id| id.to_string());
            let events = EventStream::new(answer.response);
            let stream =
                ReplyStream::new(events, self.clone(), session, headers, request.id.clone());
            return match request.request {
                ClientRequest::InitializeRequest(_) | ClientRequest::DiscoverRequest(_) => {
                    let first = stream
                        .answer()
                        .await
                        .ok_or_else(|| no_answer("its stream ended"))?;
                    Ok(StreamableHttpPostResponse::Json(first, new_session))
                }
                _ => Ok(StreamableHttpPostResponse::Sse(
                    stream.into_events(),
                    new_session,
                )),
            };
        }
        let kind = media_type(&answer);
        let shown = match kind.is_empty() {
            true => "a body without a type".to_owned(),
            false => format!("a body of the type {kind}"),
        };
        let body = self.body(answer).await?;
        let answer = answer_in(&body, &request.id).ok_or_else(|| no_answer(&shown))?;
        Ok(StreamableHttpPostResponse::Json(answer, new_session))
    }
}

impl StreamableHttpClient for HttpClient {
    type Error = HttpError;

    async fn post_message(
        &self,
        _uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _auth_header: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Error> {
        if is_initialize(&message) && self.sessions.opened.swap(true, Ordering::Relaxed) {
            (self.sessions.renewed)();
        }
        let Some(id) = discover_id(&message) else {
            return self.post(message, session, headers).await;
        };
        match tokio::time::timeout(DISCOVER_LIMIT, self.post(message, session, headers)).await {
            Ok(answered) => answered,
            Err(_) => {
                let error = ErrorData::invalid_request("no answer to server/discover", None);
                Ok(json_answer(ServerJsonRpcMessage::error(error, Some(id))))
            }
        }
    }

    async fn delete_session(
        &self,
        _uri: Arc<str>,
        session: Arc<str>,
        _auth_header: Option<String>,
        headers: Headers,
    ) -> Result<(), Error> {
        let request = Request {
            method: Method::DELETE,
            headers: protocol_headers(&headers, Some(&session), EITHER)?,
            body: None,
        };
        // Servers need not let a client end a session.
        self.send(&request).await.map(|_| ())
    }

    async fn get_stream(
        &self,
        _uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _auth_header: Option<String>,
        headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Error> {
        if self.useless_streams.too_many() {
            tracing::debug!(
                "an MCP server ends every stream of its own messages; no more is opened"
            );
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        let events = self
            .events(session.as_deref(), last_event.as_deref(), &headers)
            .await?;
        Ok(server_events(events, self.useless_streams.clone()))
    }
}

fn is_initialize(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::InitializeRequest(_)))
}

/// The id of the newest protocol's first request.
fn discover_id(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        JsonRpcMessage::Request(request) => {
            matches!(request.request, ClientRequest::DiscoverRequest(_)).then(|| request.id.clone())
        }
        _ => None,
    }
}

/// The headers of the protocol. The accepted types are always both that the specification wants.
fn protocol_headers(
    given: &Headers,
    session: Option<&str>,
    accept: &'static str,
) -> Result<HeaderMap, Error> {
    let mut headers: HeaderMap = given
        .iter()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    if let Some(session) = session {
        headers.insert(SESSION_ID, header_value(session)?);
    }
    Ok(headers)
}

fn header_value(text: &str) -> Result<HeaderValue, Error> {
    HeaderValue::from_str(text).map_err(|_| {
        failure(
            Code::UpstreamProtocol,
            "the server gave an id that no header can hold",
        )
    })
}

fn media_type(answer: &Answer) -> String {
    let value = answer.response.headers().get(CONTENT_TYPE);
    let value = value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let kind = value.split(';').next().unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}

/// The answer in a body that may hold more than it.
fn answer_in(body: &[u8], id: &RequestId) -> Option<ServerJsonRpcMessage> {
    let mut all = messages_of(body.to_vec());
    let position = all.iter().position(|message| answers(message, id));
    // An error whose id the server could not read belongs to the only request of the body.
    let position = position.or_else(|| {
        all.iter().position(
            |message| matches!(message, JsonRpcMessage::Error(error) if error.id.is_none()),
        )
    });
    let mut answer = all.swap_remove(position?);
    match &mut answer {
        JsonRpcMessage::Response(response) => response.id = id.clone(),
        JsonRpcMessage::Error(error) => error.id = Some(id.clone()),
        _ => {}
    }
    Some(answer)
}

fn json_answer(message: ServerJsonRpcMessage) -> StreamableHttpPostResponse {
    StreamableHttpPostResponse::Json(message, None)
}

fn no_answer(instead: &str) -> Error {
    // The request was received, and what it did is not known.
    failure(
        Code::OutcomeUnknown,
        &format!("the server answered with something that is no answer of MCP: {instead}"),
    )
}

fn failure(code: Code, text: &str) -> Error {
    let failure =
        Failure::new(code, text).with_hint("Check that the URL is that of an MCP endpoint.");
    StreamableHttpError::Client(failure.into())
}
