//! Lines of bounded length from a stream, for the protocol's messages on stdio.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Of a line that is too long this much of its beginning is kept, in bytes.
const KEPT_OF_TOO_LONG: usize = 4096;

/// Reads a stream line by line.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    limit: usize,
    /// What of a line has arrived; `next` may be dropped between two parts of it.
    line: Vec<u8>,
    /// The rest of a line that was too long is still to be dropped.
    skipping: bool,
}

/// One line, without its line break.
#[derive(Debug, PartialEq)]
pub(crate) enum Line {
    /// The whole line.
    Whole(Vec<u8>),
    /// The beginning of a line that is longer than the limit.
    TooLong(Vec<u8>),
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(crate) fn new(stream: R, limit: usize) -> Self {
        Self {
            reader: BufReader::new(stream),
            limit,
            line: Vec::new(),
            skipping: false,
        }
    }

    /// The next line; `None` at the end. Nothing is lost when the future is dropped.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                // A last line without its line break is a line.
                let rest = std::mem::take(&mut self.line);
                return Ok((!rest.is_empty()).then_some(Line::Whole(rest)));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            let too_long = !self.skipping && self.line.len() + part.len() > self.limit;
            if !self.skipping {
                let room = self.limit - self.line.len();
                self.line.extend_from_slice(&part[..part.len().min(room)]);
            }
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if too_long {
                self.skipping = end.is_none();
                let mut beginning = std::mem::take(&mut self.line);
                beginning.truncate(KEPT_OF_TOO_LONG);
                beginning.shrink_to_fit();
                return Ok(Some(Line::TooLong(beginning)));
            }
            if end.is_some() && !std::mem::take(&mut self.skipping) {
                return Ok(Some(Line::Whole(std::mem::take(&mut self.line))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    async fn read(input: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(input, limit);
        let mut read = Vec::new();
        while let Some(line) = lines.next().await.unwrap() {
            read.push(line);
        }
        read
    }

    #[tokio::test]
    async fn lines_end_at_line_breaks_and_at_the_end() {
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(
            read(b"a\n\nbc\r\nlast", 10).await,
            [whole("a"), whole(""), whole("bc\r"), whole("last")]
        );
        assert_eq!(read(b"", 10).await, []);
    }

    #[tokio::test]
    async fn of_a_line_that_is_too_long_the_beginning_is_kept_and_the_next_is_whole() {
        let mut input = vec![b'x'; 20_000];
        input.extend_from_slice(b"\nnext\n");
        let lines = read(&input, 10_000).await;
        assert_eq!(lines[0], Line::TooLong(vec![b'x'; KEPT_OF_TOO_LONG]));
        assert_eq!(lines[1..], [Line::Whole(b"next".to_vec())]);
        assert_eq!(
            read(b"12345\n123456\n1\n", 5).await,
            [
                Line::Whole(b"12345".to_vec()),
                Line::TooLong(b"12345".to_vec()),
                Line::Whole(b"1".to_vec())
            ]
        );
    }

    #[tokio::test]
    async fn a_dropped_read_loses_nothing() {
        let (mut theirs, ours) = tokio::io::duplex(64);
        let mut lines = Lines::new(ours, 100);
        theirs.write_all(b"first half, ").await.unwrap();
        let short = std::time::Duration::from_millis(5);
        assert!(tokio::time::timeout(short, lines.next()).await.is_err());
        theirs.write_all(b"second half\n").await.unwrap();
        let line = lines.next().await.unwrap();
        assert_eq!(line, Some(Line::Whole(b"first half, second half".to_vec())));
    }
}
