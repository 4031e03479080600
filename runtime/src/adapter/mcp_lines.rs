//! An MCP server's messages as lines on its stdin and stdout.
//!
//! Servers write what no strict reader takes: greetings, batches, `NaN`, halves of characters. Whatever has one reading is
//! read. An answer that cannot be read becomes an error of its request, which would wait for ever otherwise.

use std::{collections::VecDeque, io, sync::Arc};

use rmcp::{
    ErrorData, RoleClient,
    model::{JsonRpcError, JsonRpcMessage, RequestId},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use serde::Deserialize;
use serde_json::Value;
use tokio::{
    io::AsyncWriteExt,
    process::{ChildStdin, ChildStdout},
    sync::Mutex,
};

use super::{mend::mended, pending::Pending, stray::StrayLines};
use crate::lines::{Line, Lines};

/// The longest line a server may write, in bytes.
const MAX_LINE: usize = 64 * 1024 * 1024;

pub(super) type Message = RxJsonRpcMessage<RoleClient>;

/// The pipes of a child.
pub(super) struct ChildTransport {
    lines: Lines<ChildStdout>,
    /// The rest of a batch.
    waiting: VecDeque<Message>,
    pending: Pending,
    stray: StrayLines,
    stdin: Arc<Mutex<Option<ChildStdin>>>,
}

impl ChildTransport {
    /// `plugin` is the one whose server it is, for the log.
    pub(super) fn new(stdout: ChildStdout, stdin: ChildStdin, plugin: Arc<str>) -> Self {
        Self {
            lines: Lines::new(stdout, MAX_LINE),
            waiting: VecDeque::new(),
            pending: Pending::new(plugin.clone()),
            stray: StrayLines::new(plugin),
            stdin: Arc::new(Mutex::new(Some(stdin))),
        }
    }
}

impl Transport<RoleClient> for ChildTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let stdin = self.stdin.clone();
        self.pending.sent(&message);
        async move {
            let mut text = serde_json::to_vec(&message)?;
            text.push(b'\n');
            let mut stdin = stdin.lock().await;
            let stdin = stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            stdin.write_all(&text).await?;
            stdin.flush().await
        }
    }

    async fn receive(&mut self) -> Option<Message> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                self.pending.received(&message);
                return Some(message);
            }
            match self.lines.next().await {
                Ok(Some(line)) => self.waiting.extend(messages(&line, &mut self.stray)),
                Ok(None) => return None,
                Err(error) => {
                    tracing::debug!(%error, "a server's stdout cannot be read");
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.stdin.lock().await.take();
        Ok(())
    }
}

/// The messages of a body or an event.
pub(super) fn messages_of(body: Vec<u8>) -> Vec<Message> {
    messages(&Line::Whole(body), &mut StrayLines::untold())
}

/// The messages of a line, and the error of one that is too long.
pub(super) fn messages(line: &Line, stray: &mut StrayLines) -> Vec<Message> {
    match line {
        Line::Whole(line) => read(line, stray),
        Line::TooLong(beginning) => {
            let why = format!("it is longer than {MAX_LINE} bytes");
            unreadable(beginning, &why, stray).into_iter().collect()
        }
    }
}

/// The messages of a line: none of one that holds no message, several of a batch.
fn read(line: &[u8], stray: &mut StrayLines) -> Vec<Message> {
    let line = line
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(line)
        .trim_ascii();
    if !matches!(line.first(), Some(b'{' | b'[')) {
        stray.log(line);
        return Vec::new();
    }
    let strict = match serde_json::from_slice::<Message>(line) {
        Ok(message) => return vec![message],
        Err(error) => error,
    };
    let value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(_) => match serde_json::from_str::<Value>(&mended(line)) {
            Ok(value) => value,
            Err(_) => {
                return unreadable(line, &strict.to_string(), stray)
                    .into_iter()
                    .collect();
            }
        },
    };
    match value {
        Value::Array(batch) => batch
            .iter()
            .filter_map(|value| message(value, stray))
            .collect(),
        one => message(&one, stray).into_iter().collect(),
    }
}

fn message(value: &Value, stray: &mut StrayLines) -> Option<Message> {
    match Message::deserialize(value) {
        Ok(message) => Some(message),
        Err(error) => unreadable(value.to_string().as_bytes(), &error.to_string(), stray),
    }
}

/// The error that an unreadable answer becomes; nothing where it is not known to be one.
fn unreadable(line: &[u8], why: &str, stray: &mut StrayLines) -> Option<Message> {
    let text = String::from_utf8_lossy(line);
    let Some(id) = id_of(&text).filter(|_| !text.contains("\"method\"")) else {
        stray.log(line);
        return None;
    };
    let error = ErrorData::parse_error(format!("its answer cannot be read: {why}"), None);
    Some(JsonRpcMessage::Error(JsonRpcError::new(Some(id), error)))
}

/// The id of a message that cannot be parsed, from its outermost object: requests of this client have numbers.
fn id_of(text: &str) -> Option<RequestId> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = end_of_text(bytes, at);
                if depth == 1
                    && text.get(at..end) == Some("\"id\"")
                    && let Some(id) = number_after_colon(text.get(end..)?)
                {
                    return Some(RequestId::Number(id));
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The position behind the text that begins at `start`.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn number_after_colon(rest: &str) -> Option<i64> {
    let value = rest.trim_start().strip_prefix(':')?.trim_start();
    let value = value.strip_prefix('"').unwrap_or(value);
    let digits = value
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(value.len());
    value[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(line: &[u8]) -> Vec<Message> {
        super::read(line, &mut StrayLines::new("x".into()))
    }

    fn read_json(line: &str) -> Vec<Value> {
        let messages = read(line.as_bytes()).into_iter();
        messages
            .map(|message| serde_json::to_value(message).unwrap())
            .collect()
    }

    #[test]
    fn what_has_one_reading_is_read() {
        let answer = |result: Value| json!({"jsonrpc": "2.0", "id": 1, "result": result});
        for (line, result) in [
            (
                "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1}}\r",
                json!({"a": 1}),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"x":NaN,"y":[-Infinity],"t":"NaN"}}"#,
                json!({"x": null, "y": [null], "t": "NaN"}),
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"t":"half \ud83c"}}"#,
                json!({"t": "half \u{fffd}"}),
            ),
        ] {
            assert_eq!(read_json(line), [answer(result)], "{line}");
        }
        let batch = format!("[{},{}]", answer(json!({})), answer(json!({"b": 2})));
        assert_eq!(read_json(&batch).len(), 2);
        let broken = [
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"t\":\"caf".as_slice(),
            b"\xe9\"}}",
        ]
        .concat();
        assert_eq!(
            serde_json::to_value(&read(&broken)[0]).unwrap(),
            answer(json!({"t": "caf\u{fffd}"}))
        );
    }

    #[test]
    fn an_unreadable_answer_is_its_requests_error() {
        for line in [
            r#"{"jsonrpc":"2.0","id":7,"result":{"a":tru}}"#,
            r#"{"jsonrpc":"2.0","id":"7","result":"#,
            r#"{"jsonrpc":"2.0","id":7}"#,
            r#"{"jsonrpc":"2.0","result":{"id":5,"text":"\"id\":6","a":tru},"id":7}"#,
        ] {
            let messages = read_json(line);
            assert_eq!(messages.len(), 1, "{line}");
            assert_eq!(messages[0]["id"], 7);
            assert_eq!(messages[0]["error"]["code"], -32700);
        }
        for line in [
            "Server ready on stdio",
            "",
            "[INFO] started",
            "{\"level\":\"info\"}",
        ] {
            assert_eq!(read_json(line), [] as [Value; 0], "{line}");
        }
    }
}
