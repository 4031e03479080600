//! JSON-RPC messages as lines (MCP 2025-11-25, Transports, stdio). What is no message is answered, and never ends the
//! session.

use std::{io, sync::Arc};

use rmcp::{
    RoleServer,
    model::{JsonRpcMessage, ServerResult},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use serde::Deserialize;
use tokio::{io::AsyncWriteExt, sync::Mutex};
use tokio_util::sync::CancellationToken;

use super::{
    client::Client,
    message::{self, Refusal},
    standard_streams::{Reader, Writer},
};
use crate::lines::{Line, Lines};

/// Longer lines are refused, in bytes.
const MAX_LINE: usize = 64 * 1024 * 1024;

/// Reads and writes one message a line.
pub(super) struct LineTransport {
    lines: Lines<Reader>,
    writer: Arc<Mutex<Writer>>,
    client: Client,
    /// A request has been answered with more than an error or a pong.
    opened: bool,
    /// Cancelled when nothing more comes: what would be answered only by the client's own word need not be waited for.
    ended: CancellationToken,
}

impl LineTransport {
    /// `client` is told when it has left.
    pub(super) fn new(reader: Reader, writer: Writer, client: Client) -> Self {
        Self {
            lines: Lines::new(reader, MAX_LINE),
            writer: Arc::new(Mutex::new(writer)),
            client,
            opened: false,
            ended: CancellationToken::new(),
        }
    }

    /// Cancelled when the client says nothing more.
    pub(super) fn ended(&self) -> CancellationToken {
        self.ended.clone()
    }

    /// Answers what is no message, without waiting for the client to read the answer.
    fn refuse(&self, refusal: &Refusal) {
        let text = refusal.to_json().to_string();
        let writer = self.writer.clone();
        tokio::spawn(async move {
            if let Err(error) = write_line(&writer, text.into_bytes()).await {
                tracing::debug!(%error, "the client could not be told what is wrong");
            }
        });
    }
}

async fn write_line(writer: &Mutex<Writer>, mut text: Vec<u8>) -> io::Result<()> {
    text.push(b'\n');
    let mut writer = writer.lock().await;
    writer.write_all(&text).await?;
    writer.flush().await
}

fn decode(line: &[u8]) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Refusal> {
    let Some(message) = message::read(line)? else {
        return Ok(None);
    };
    match RxJsonRpcMessage::<RoleServer>::deserialize(&message) {
        Ok(message) => Ok(Some(message)),
        Err(error) => {
            let id = message.get("id").cloned().unwrap_or_default();
            Err(Refusal::invalid(format!("this message cannot be read: {error}")).with_id(id))
        }
    }
}

impl Transport<RoleServer> for LineTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let JsonRpcMessage::Response(response) = &message {
            self.opened |= !matches!(response.result, ServerResult::EmptyResult(_));
        }
        let (writer, client) = (self.writer.clone(), self.client.clone());
        async move {
            let written = write_line(&writer, serde_json::to_vec(&message)?).await;
            if written.is_err() {
                client.gone();
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = match self.lines.next().await {
                Ok(Some(Line::Whole(line))) => line,
                Ok(Some(Line::TooLong(_))) => {
                    let limit = format!("the message is longer than {MAX_LINE} bytes");
                    self.refuse(&Refusal::invalid(limit));
                    continue;
                }
                Ok(None) => {
                    self.client.finished();
                    self.ended.cancel();
                    return None;
                }
                Err(error) => {
                    tracing::error!(%error, "stdin cannot be read");
                    self.client.finished();
                    self.ended.cancel();
                    return None;
                }
            };
            let decoded = decode(&line);
            match decoded {
                // Before a session is open the protocol crate takes anything but a request for its end.
                Ok(Some(message))
                    if self.opened || matches!(message, JsonRpcMessage::Request(_)) =>
                {
                    return Some(message);
                }
                Ok(Some(_)) => tracing::debug!("a notification before the session is left out"),
                Ok(None) => {}
                Err(refusal) => self.refuse(&refusal),
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.lock().await.shutdown().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use tokio::io::AsyncReadExt;

    /// What the transport makes of `input`: the messages it passes on, and the answers to the others.
    async fn play(input: Vec<u8>) -> (Vec<Value>, Vec<Value>) {
        let (answers, theirs) = tokio::io::duplex(1 << 20);
        let reader: Reader = Box::new(io::Cursor::new(input));
        let mut transport = LineTransport::new(reader, Box::new(answers), Client::default());
        let mut passed = Vec::new();
        while let Some(message) = transport.receive().await {
            passed.push(serde_json::to_value(message).unwrap());
        }
        tokio::task::yield_now().await;
        transport.close().await.unwrap();
        drop(transport);
        let mut text = String::new();
        let mut theirs = theirs;
        theirs.read_to_string(&mut text).await.unwrap();
        let answers = text.lines().map(|line| serde_json::from_str(line).unwrap());
        (passed, answers.collect())
    }

    fn ping(id: Value) -> Value {
        json!({"jsonrpc": "2.0", "id": id, "method": "ping"})
    }

    #[tokio::test]
    async fn what_is_no_message_is_answered_and_the_session_goes_on() {
        let input = format!(
            "{}\r\n\n{{not json\n[]\n{}\n{}",
            ping(json!(0)),
            ping(json!(null)),
            ping(json!("last, without a line break"))
        );
        let (passed, answers) = play(input.into_bytes()).await;
        let ids: Vec<&Value> = passed.iter().map(|message| &message["id"]).collect();
        assert_eq!(ids, [&json!(0), &json!("last, without a line break")]);
        let codes: Vec<&Value> = answers
            .iter()
            .map(|answer| &answer["error"]["code"])
            .collect();
        assert_eq!(codes, [&json!(-32700), &json!(-32600), &json!(-32600)]);
        assert!(
            answers
                .iter()
                .all(|answer| answer.get("id") == Some(&Value::Null))
        );
    }

    #[tokio::test]
    async fn what_comes_before_the_first_request_does_not_end_the_session() {
        let input = format!(
            "{}\n{}\n{}\n",
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
            ping(json!(2))
        );
        let (passed, answers) = play(input.into_bytes()).await;
        assert_eq!((passed.len(), answers.len()), (1, 0));
        assert_eq!(passed[0]["id"], 2);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_refused_whole() {
        let mut input = vec![b'x'; MAX_LINE + 10];
        input.extend_from_slice(format!("\n{}\n", ping(json!(1))).as_bytes());
        let (passed, answers) = play(input).await;
        assert_eq!((passed.len(), answers.len()), (1, 1));
        assert!(
            answers[0]["error"]["message"]
                .as_str()
                .unwrap()
                .contains("longer than")
        );
    }
}
