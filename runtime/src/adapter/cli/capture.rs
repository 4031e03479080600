//! What a program writes, in bounded memory: the beginning and the end of each stream.

use std::collections::VecDeque;

use tokio::io::{AsyncRead, AsyncReadExt};

const CHUNK: usize = 64 * 1024;

/// One stream as far as it is kept.
#[derive(Debug, Default)]
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    head_limit: usize,
    tail_limit: usize,
}

impl Capture {
    /// Keeps `limit` bytes: the first half of that and the last.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            tail_limit: limit / 2,
            head_limit: limit - limit / 2,
            ..Self::default()
        }
    }

    /// Reads to the end, so that the program never waits for a reader. Dropping the future keeps what was read.
    pub(super) async fn fill(&mut self, mut stream: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; CHUNK];
        // An error is the end as well: nothing more will come.
        while let Ok(length @ 1..) = stream.read(&mut chunk).await {
            self.push(&chunk[..length]);
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(self.head_limit - self.head.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len() - rest.len().min(self.tail_limit)..];
        let over = (self.tail.len() + rest.len()).saturating_sub(self.tail_limit);
        self.tail.drain(..over);
        self.tail.extend(rest);
    }

    /// How many bytes were written.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    fn missing(&self) -> u64 {
        self.total - (self.head.len() + self.tail.len()) as u64
    }

    /// The kept bytes: all of them as one piece, else beginning and end, at the ends of lines where those are near.
    pub(super) fn pieces(mut self) -> (Vec<u8>, Option<Vec<u8>>) {
        let missing = self.missing();
        let tail: Vec<u8> = self.tail.into();
        if missing == 0 {
            self.head.extend(tail);
            return (self.head, None);
        }
        let is_line_end = |byte: &u8| *byte == b'\n';
        if let Some(end) = self.head.iter().rposition(is_line_end)
            && end >= self.head.len() / 2
        {
            self.head.truncate(end + 1);
        }
        let start = match tail.iter().position(is_line_end) {
            Some(end) if end < tail.len() / 2 => end + 1,
            _ => 0,
        };
        (self.head, Some(tail[start..].to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn captured(limit: usize, chunks: &[&str]) -> Capture {
        let mut capture = Capture::new(limit);
        for chunk in chunks {
            capture.fill(chunk.as_bytes()).await;
        }
        capture
    }

    #[tokio::test]
    async fn what_fits_is_one_piece_and_else_the_ends_are_kept() {
        let whole = captured(8, &["abc", "de", "fgh"]).await;
        assert_eq!((whole.total(), whole.missing()), (8, 0));
        assert_eq!(whole.pieces(), (b"abcdefgh".to_vec(), None));

        let cut = captured(8, &["abcdefghij", "klm", "n"]).await;
        assert_eq!((cut.total(), cut.missing()), (14, 6));
        assert_eq!(cut.pieces(), (b"abcd".to_vec(), Some(b"klmn".to_vec())));

        let lines = captured(12, &["abcd\nef", "0123456789", "g\nhijk"]).await;
        assert_eq!(lines.pieces(), (b"abcd\n".to_vec(), Some(b"hijk".to_vec())));

        let nothing = captured(0, &["abc"]).await;
        assert_eq!(nothing.pieces(), (Vec::new(), Some(Vec::new())));
    }

    #[tokio::test]
    async fn memory_stays_bounded() {
        let mut capture = Capture::new(1 << 20);
        capture.fill(tokio::io::repeat(b'x').take(64 << 20)).await;
        assert_eq!(capture.total(), 64 << 20);
        assert!(capture.head.capacity() + capture.tail.capacity() < 4 << 20);
    }
}
