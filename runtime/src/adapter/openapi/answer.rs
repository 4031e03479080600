//! An HTTP answer as the result of a tool.

use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::{
    Method, StatusCode,
    header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION},
};
use serde_json::{Map, Value, json};

use super::{
    decode::{charset, text},
    description::{essence, is_json, is_text},
    exchange::{Answer, Body},
    operation::Operation,
    pages::next_page,
    schema::cut,
    waiting::{asked_to_wait, is_limited},
};
use crate::{
    reply::{Code, Exact, Failure, UpstreamResult, exact},
    secrets::scrub_known,
};

/// What a service says about an error is cut here.
const MAX_ERROR_CHARS: usize = 8_000;
/// More binary data is not handed on: it would only fill the client's memory.
const MAX_ATTACHED: usize = 10 * 1024 * 1024;
/// What is said about a resource that has no body.
const HEAD_HEADERS: &[&str] = &[
    "content-type",
    "content-length",
    "last-modified",
    "etag",
    "allow",
    "cache-control",
    "link",
];

/// What the answer of an operation is made of.
pub(super) struct Reading<'a> {
    pub operation: &'a Operation,
    /// What to do about refused credentials.
    pub advice: &'a dyn Fn() -> String,
    pub max_response_bytes: usize,
}

impl Reading<'_> {
    pub(super) fn result(&self, answer: Answer) -> Result<UpstreamResult, Failure> {
        let status = answer.status;
        let limited = is_limited(status, &answer.headers);
        if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) && !limited {
            return Err(self.refused(&answer));
        }
        if answer.redirect.is_some() || status.is_redirection() {
            return Ok(self.redirected(&answer));
        }
        if status.is_client_error() || status.is_server_error() {
            return Ok(self.error(&answer));
        }
        match &answer.body {
            Body::Whole(bytes) => Ok(self.success(&answer, bytes)),
            Body::TooLarge => Ok(failed(json!({
                "status": status.as_u16(),
                "error": format!(
                    "the service carried the call out, but its answer is larger than {} (setting maxResponseBytes); none of it is here",
                    size(self.max_response_bytes)
                ),
            }))),
            Body::Unreadable(why) => Ok(failed(json!({
                "status": status.as_u16(),
                "error": format!("the service carried the call out, but its answer cannot be decompressed: {why}"),
            }))),
        }
    }

    /// 401 and 403: no argument of the call mends them.
    fn refused(&self, answer: &Answer) -> Failure {
        let failure = Failure::new(
            Code::UpstreamAuth,
            format!(
                "{} {} was refused with {}",
                self.operation.method, self.operation.path, answer.status
            ),
        )
        .with("status", answer.status.as_u16())
        .with_hint((self.advice)());
        match said(answer) {
            Value::Null => failure,
            body => failure.with("body", body),
        }
    }

    fn error(&self, answer: &Answer) -> UpstreamResult {
        let mut payload = status_line(answer.status);
        if let Some(wait) = asked_to_wait(answer.status, &answer.headers) {
            let seconds = wait.as_secs();
            payload.insert("retryAfterSeconds".into(), json!(seconds));
            payload.insert(
                "wait".into(),
                json!(format!(
                    "The service was asked too often. Wait {seconds} s before calling it again."
                )),
            );
        }
        payload.insert("body".into(), said(answer));
        failed(Value::Object(payload))
    }

    fn redirected(&self, answer: &Answer) -> UpstreamResult {
        let mut payload = status_line(answer.status);
        let location = answer
            .redirect
            .as_ref()
            .map(|url| url.to_string())
            .or_else(|| {
                let location = answer.headers.get(LOCATION)?.to_str().ok()?;
                Some(location.to_owned())
            });
        let Some(location) = location else {
            // 304 and its like: nothing to go to.
            payload.insert("body".into(), said(answer));
            return succeeded(Value::Object(payload));
        };
        payload.insert("location".into(), json!(clean(location)));
        payload.insert(
            "note".into(),
            json!("This points at another origin and was not followed; no credential was sent there. If it is what was asked for, open it by other means."),
        );
        // A link to the thing is an answer to whoever asked for it; a change that was sent elsewhere is none.
        match self.operation.method {
            Method::GET | Method::HEAD => succeeded(Value::Object(payload)),
            _ => failed(Value::Object(payload)),
        }
    }

    fn success(&self, answer: &Answer, bytes: &[u8]) -> UpstreamResult {
        if self.operation.method == Method::HEAD {
            return succeeded(head(answer));
        }
        if bytes.is_empty() {
            return succeeded(Value::Object(self.nothing(answer)));
        }
        let content_type = content_type(answer);
        let essence = essence(&content_type);
        let stated_json = is_json(&essence);
        let text_like = stated_json || is_text(&essence);
        if text_like || (essence.is_empty() && !bytes.contains(&0)) {
            return self.textual(
                answer,
                clean(text(bytes, charset(&content_type))),
                stated_json,
            );
        }
        attached(answer, bytes, &essence)
    }

    fn textual(&self, answer: &Answer, text: String, stated_json: bool) -> UpstreamResult {
        let mut notes = Vec::new();
        let sniffed = stated_json || content_type(answer).is_empty();
        let read = sniffed.then(|| exact(&text)).flatten();
        if stated_json && read.is_none() {
            notes.push(
                "the service calls its answer JSON, but it is not; it is given as text".into(),
            );
        }
        notes.extend(next_page(
            self.operation,
            &answer.headers,
            read.as_ref().map(|read| &read.value),
            &answer.url,
        ));
        let (text, value) = self.given(text, read, &mut notes);
        if answer.status == StatusCode::ACCEPTED
            && let Some(location) = answer
                .headers
                .get(LOCATION)
                .and_then(|value| value.to_str().ok())
        {
            notes.push(format!(
                "the service goes on working; its progress is at {}",
                clean(location.into())
            ));
        }
        UpstreamResult {
            content: vec![json!({ "type": "text", "text": text })],
            // Clients expect an object there; other JSON is in the text.
            structured_content: value.filter(Value::is_object),
            notes,
            ..UpstreamResult::default()
        }
    }

    /// What is given of an answer, as text and as a value.
    fn given(
        &self,
        text: String,
        read: Option<Exact>,
        notes: &mut Vec<String>,
    ) -> (String, Option<Value>) {
        let Some(read) = read else {
            return (text, None);
        };
        let part = match &self.operation.projection {
            None => None,
            Some(projection) => projection
                .of(&read.value)
                .map_err(|what| notes.push(what))
                .ok(),
        };
        let is_whole = part.is_none();
        let value = part.unwrap_or(read.value);
        if is_whole && (read.verbatim || read.repeats_keys) {
            return (text, Some(value));
        }
        if read.as_text > 0 {
            notes.push("numbers with more digits than a number can hold are given as text".into());
        }
        (value.to_string(), Some(value))
    }

    /// An answer without a body says its status, and where the new thing is.
    fn nothing(&self, answer: &Answer) -> Map<String, Value> {
        let mut map = status_line(answer.status);
        let location = answer.headers.get(LOCATION);
        if let Some(location) = location.and_then(|value| value.to_str().ok()) {
            map.insert("location".into(), json!(clean(location.into())));
        }
        map
    }
}

/// What a service says about an error, within limits and without secrets.
pub(super) fn said(answer: &Answer) -> Value {
    let Body::Whole(bytes) = &answer.body else {
        return Value::Null;
    };
    let content_type = content_type(answer);
    let essence = essence(&content_type);
    if bytes.is_empty() {
        return Value::Null;
    }
    let readable =
        essence.is_empty() || is_json(&essence) || is_text(&essence) || !bytes.contains(&0);
    if !readable {
        return json!(format!("{} of {essence}", size(bytes.len())));
    }
    let text = clean(text(bytes, charset(&content_type)));
    match serde_json::from_str::<Value>(&text) {
        Ok(value) if text.len() <= MAX_ERROR_CHARS => value,
        _ => json!(cut(&text, MAX_ERROR_CHARS)),
    }
}

/// A text without secrets, should the service repeat them: before it is cut, as half a secret would not be known.
fn clean(text: String) -> String {
    match scrub_known(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(clean) => clean,
    }
}

/// Empty where the service says none, or something that is no media type.
fn content_type(answer: &Answer) -> String {
    let value = answer.headers.get(CONTENT_TYPE);
    let text = value.and_then(|value| value.to_str().ok());
    text.filter(|text| text.contains('/'))
        .unwrap_or_default()
        .to_owned()
}

fn status_line(status: StatusCode) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("status".into(), json!(status.as_u16()));
    if let Some(reason) = status.canonical_reason() {
        map.insert("statusText".into(), json!(reason));
    }
    map
}

fn head(answer: &Answer) -> Value {
    let mut headers = Map::new();
    for name in HEAD_HEADERS {
        if let Some(value) = answer
            .headers
            .get(*name)
            .and_then(|value| value.to_str().ok())
        {
            headers.insert((*name).to_owned(), json!(value));
        }
    }
    let mut map = status_line(answer.status);
    map.insert("headers".into(), Value::Object(headers));
    Value::Object(map)
}

/// Binary data as parts of their own.
fn attached(answer: &Answer, bytes: &[u8], essence: &str) -> UpstreamResult {
    let kind = if essence.is_empty() {
        "application/octet-stream"
    } else {
        essence
    };
    let mut about = Map::new();
    about.insert("contentType".into(), json!(kind));
    about.insert("bytes".into(), json!(bytes.len()));
    if let Some(name) = filename(answer) {
        about.insert("filename".into(), json!(name));
    }
    if bytes.len() > MAX_ATTACHED {
        about.insert(
            "note".into(),
            json!(format!(
                "Binary data over {} is not handed on.",
                size(MAX_ATTACHED)
            )),
        );
        return succeeded(Value::Object(about));
    }
    let data = STANDARD.encode(bytes);
    let part = match kind.split('/').next() {
        Some(family @ ("image" | "audio")) => {
            json!({ "type": family, "data": data, "mimeType": kind })
        }
        _ => {
            let mut uri = answer.url.clone();
            uri.set_query(None);
            json!({ "type": "resource", "resource": { "uri": uri.as_str(), "mimeType": kind, "blob": data } })
        }
    };
    let mut result = succeeded(Value::Object(about));
    result.content.push(part);
    result
}

/// The name that the service gives a download, without any folder.
fn filename(answer: &Answer) -> Option<String> {
    let header = answer.headers.get(CONTENT_DISPOSITION)?.to_str().ok()?;
    let name = header.split(';').find_map(|part| {
        let (key, value) = part.trim().split_once('=')?;
        key.eq_ignore_ascii_case("filename").then_some(value)
    })?;
    let name = name.trim_matches('"').rsplit(['/', '\\']).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

fn succeeded(value: Value) -> UpstreamResult {
    UpstreamResult {
        content: vec![json!({ "type": "text", "text": value.to_string() })],
        ..UpstreamResult::default()
    }
}

fn failed(value: Value) -> UpstreamResult {
    UpstreamResult {
        is_error: true,
        ..succeeded(value)
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        0..=9_999 => format!("{bytes} bytes"),
        10_000..=1_048_575 => format!("{} KB", bytes / 1024),
        _ => format!("{} MB", bytes / 1024 / 1024),
    }
}
