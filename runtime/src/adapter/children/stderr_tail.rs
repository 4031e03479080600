//! The end of a child's stderr, to explain why it failed.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::ChildStderr,
};
use tokio_util::sync::CancellationToken;

use crate::secrets::scrub;

/// So many lines are kept.
const LINES: usize = 20;
/// A line is cut at this many bytes.
const LINE_BYTES: usize = 500;

/// What a child wrote last on stderr. Cloning gives another handle to the same lines.
#[derive(Debug, Clone, Default)]
pub(super) struct StderrTail {
    lines: Arc<Mutex<VecDeque<String>>>,
    /// Cancelled when stderr has been read to its end.
    ended: CancellationToken,
}

impl StderrTail {
    /// Reads stderr to its end, so that a chatty child never blocks on a full pipe.
    pub(super) async fn follow(self, stderr: ChildStderr, plugin: Arc<str>) {
        let _ended = self.ended.clone().drop_guard();
        let mut reader = BufReader::new(stderr);
        let mut line = Vec::new();
        loop {
            line.clear();
            // A line without an end is taken in pieces, so that memory stays bounded.
            let mut piece = tokio::io::AsyncReadExt::take(&mut reader, 64 * 1024);
            match piece.read_until(b'\n', &mut line).await {
                Ok(0) | Err(_) => return,
                Ok(_) => self.push(&line, &plugin),
            }
        }
    }

    fn push(&self, line: &[u8], plugin: &str) {
        // First, as half a secret would not be known.
        let line = String::from_utf8_lossy(line);
        let line = scrub(&line);
        let mut text = line.trim_end().to_owned();
        let mut ends = (0..=LINE_BYTES.min(text.len())).rev();
        let end = ends.find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
        tracing::debug!(plugin, "stderr: {text}");
        let mut lines = self.lines();
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(text);
    }

    /// The lines that are kept.
    pub(super) fn text(&self) -> String {
        self.lines()
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Waits until stderr has been read to its end.
    pub(super) async fn ended(&self) {
        self.ended.cancelled().await;
    }

    fn lines(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
