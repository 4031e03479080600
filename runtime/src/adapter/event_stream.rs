//! Server-sent events, as the HTML standard defines their lines: LF, CRLF or CR, cut anywhere.
//!
//! Fields that nobody defined, lines without a colon and broken numbers are skipped, as the standard says. An event that the
//! stream's end cuts off does not count, and neither does its id.

use std::{collections::VecDeque, time::Duration};

use reqwest::Response;

/// The longest event, in bytes.
const MAX_EVENT: usize = 64 * 1024 * 1024;

/// One event. Some only carry an id or a waiting time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// The type; `None` for a plain message.
    pub name: Option<String>,
    /// The lines of data, joined by line feeds.
    pub data: String,
    /// What to resume after.
    pub id: Option<String>,
    /// How long to wait before the next connection.
    pub retry: Option<Duration>,
}

impl Event {
    /// Whether its data is a message of the protocol.
    pub(super) fn is_message(&self) -> bool {
        matches!(self.name.as_deref(), None | Some("" | "message")) && !self.data.trim().is_empty()
    }
}

/// Why a stream of events broke off.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    /// The connection broke. The URL is not part of the error, as it may hold a key.
    #[error("the stream broke off: {0}")]
    Connection(reqwest::Error),
    /// No end of an event within the limit.
    #[error("an event is longer than {MAX_EVENT} bytes")]
    TooLong,
}

/// The events of an answer.
pub(super) struct EventStream {
    response: Response,
    parser: Parser,
}

impl EventStream {
    pub(super) fn new(response: Response) -> Self {
        Self {
            response,
            parser: Parser::default(),
        }
    }

    /// The next event; `None` at the end of the stream.
    pub(super) async fn next(&mut self) -> Result<Option<Event>, Broken> {
        loop {
            if let Some(event) = self.parser.ready.pop_front() {
                return Ok(Some(event));
            }
            let chunk = self.response.chunk().await;
            match chunk.map_err(|error| Broken::Connection(error.without_url()))? {
                Some(chunk) => self.parser.feed(&chunk, MAX_EVENT)?,
                None => return Ok(None),
            }
        }
    }
}

#[derive(Debug, Default)]
struct Parser {
    ready: VecDeque<Event>,
    line: Vec<u8>,
    /// The last line ended with CR: an LF that follows belongs to it.
    after_cr: bool,
    begun: bool,
    current: Partial,
}

/// An event of which the end has not come.
#[derive(Debug, Default)]
struct Partial {
    name: Option<String>,
    data: Option<Vec<u8>>,
    id: Option<String>,
    retry: Option<Duration>,
}

impl Parser {
    fn feed(&mut self, mut bytes: &[u8], limit: usize) -> Result<(), Broken> {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_cr) && bytes.first() == Some(&b'\n') {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.line
                .extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
            if self.line.len() + self.current.data.as_ref().map_or(0, Vec::len) > limit {
                return Err(Broken::TooLong);
            }
            let Some(end) = end else { return Ok(()) };
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut self.line);
            self.end_of_line(&line);
        }
        Ok(())
    }

    fn end_of_line(&mut self, line: &[u8]) {
        let line = match std::mem::replace(&mut self.begun, true) {
            false => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line),
            true => line,
        };
        if line.is_empty() {
            return self.dispatch();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = match colon {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = || String::from_utf8_lossy(value).into_owned();
        match field {
            b"data" => match &mut self.current.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                none => *none = Some(value.to_vec()),
            },
            b"event" => self.current.name = Some(text()),
            b"id" if !value.contains(&0) => self.current.id = Some(text()),
            b"retry" => {
                if let Ok(milliseconds) = text().parse() {
                    self.current.retry = Some(Duration::from_millis(milliseconds));
                }
            }
            _ => {}
        }
    }

    fn dispatch(&mut self) {
        let partial = std::mem::take(&mut self.current);
        if partial.data.is_none() && partial.id.is_none() && partial.retry.is_none() {
            return;
        }
        let data = partial.data.unwrap_or_default();
        self.ready.push_back(Event {
            name: partial.name,
            data: String::from_utf8(data)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            id: partial.id,
            retry: partial.retry,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of a text that comes in pieces of that many bytes.
    fn events(bytes: &[u8], piece: usize) -> Vec<Event> {
        let mut parser = Parser::default();
        for piece in bytes.chunks(piece) {
            parser.feed(piece, 1000).unwrap();
        }
        parser.ready.into_iter().collect()
    }

    fn data(text: &str) -> Event {
        Event {
            data: text.to_owned(),
            ..Event::default()
        }
    }

    #[test]
    fn line_ends_comments_and_cuts_do_not_matter() {
        let text = ": hello\ndata: a \u{1f389}\ndata:b\ndata:  c\n\n: ping\n\nid: 7\n\nevent: endpoint\ndata: /x\n\n\
            nonsense\nother: field\nretry: 250\ndata\n\nretry: soon\n\ndata: cut off";
        let expected = [
            data("a \u{1f389}\nb\n c"),
            Event {
                id: Some("7".into()),
                ..Event::default()
            },
            Event {
                name: Some("endpoint".into()),
                ..data("/x")
            },
            Event {
                retry: Some(Duration::from_millis(250)),
                ..Event::default()
            },
        ];
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("\u{feff}{}", text.replace('\n', end));
            for piece in 1..=text.len() {
                let got = events(text.as_bytes(), piece);
                assert_eq!(got, expected, "{end:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn what_is_no_unicode_and_an_id_with_a_null_are_survived() {
        assert_eq!(events(b"data: caf\xe9\n\n", 1), [data("caf\u{fffd}")]);
        assert_eq!(events(b"id: a\0b\ndata: x\n\n", 1), [data("x")]);
    }

    #[test]
    fn an_endless_event_is_cut_off() {
        let mut parser = Parser::default();
        let mut feed = || parser.feed(b"data: 0123456789\n", 1000);
        assert!((0..200).any(|_| feed().is_err()));
    }
}
