//! Any bytes on stdin of our server, and on stdout of a server of theirs, in any pieces. However they are cut, the same
//! messages are read from them.
//!
//! The first byte says how many of the next ones are the lengths of the pieces, again and again.

#![no_main]

use std::{
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
};

use agent_tools_runtime::fuzzing::{client_messages, lines, server_messages};
use libfuzzer_sys::fuzz_target;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that comes in pieces, with a pause before each.
struct Pieces {
    bytes: Vec<u8>,
    at: usize,
    lengths: Vec<u8>,
    turn: usize,
    paused: bool,
}

impl Pieces {
    fn new(bytes: &[u8], lengths: &[u8]) -> Self {
        Self {
            bytes: bytes.to_vec(),
            at: 0,
            lengths: lengths.to_vec(),
            turn: 0,
            paused: false,
        }
    }
}

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        self.paused = !self.paused && !self.lengths.is_empty();
        if self.paused {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let length = match self.lengths.len() {
            0 => self.bytes.len(),
            count => 1 + usize::from(self.lengths[self.turn % count]),
        };
        self.turn += 1;
        let length = length.min(self.bytes.len() - self.at).min(into.remaining());
        into.put_slice(&self.bytes[self.at..self.at + length]);
        self.at += length;
        Poll::Ready(Ok(()))
    }
}

/// Keeps what is written to it.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl AsyncWrite for Written {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// What lines there are, told in the simplest way.
fn plain_lines(bytes: &[u8], limit: usize) -> Vec<(bool, Vec<u8>)> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
        .into_iter()
        .map(|line| (line.len() <= limit, line[..line.len().min(limit)].to_vec()))
        .collect()
}

/// Longer than every line of a fuzzer, and so short that lines are longer.
const LIMITS: [usize; 2] = [1 << 20, 16];

fuzz_target!(|bytes: &[u8]| {
    let Some((count, rest)) = bytes.split_first() else {
        return;
    };
    let (lengths, bytes) = rest.split_at(usize::from(count % 8).min(rest.len()));
    let executor = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    executor.block_on(async {
        for limit in LIMITS {
            assert_eq!(
                lines(Pieces::new(bytes, lengths), limit).await,
                plain_lines(bytes, limit)
            );
            let whole = server_messages(Pieces::new(bytes, &[]), limit).await;
            assert_eq!(
                server_messages(Pieces::new(bytes, lengths), limit).await,
                whole
            );
        }
        let mut seen = Vec::new();
        for lengths in [lengths, &[]] {
            let answers = Written::default();
            let messages = client_messages(Pieces::new(bytes, lengths), answers.clone()).await;
            // Refusals are written by tasks of their own.
            for _ in 0..4 {
                tokio::task::yield_now().await;
            }
            let answers = answers.0.lock().unwrap().clone();
            for answer in answers
                .split(|byte| *byte == b'\n')
                .filter(|answer| !answer.is_empty())
            {
                let answer: serde_json::Value =
                    serde_json::from_slice(answer).expect("an answer is JSON");
                assert!(answer["error"]["code"].is_i64());
            }
            seen.push((messages, answers));
        }
        assert_eq!(seen[0], seen[1]);
    });
});
