//! What servers log (`notifications/message`), in this program's own log: bounded, as a server may be noisy.

#![expect(deprecated, reason = "older protocol versions have it")]

use std::time::{Duration, Instant};

use rmcp::model::LoggingLevel;
use serde_json::Value;

use crate::secrets::scrub_json;

/// So many messages of a server are taken in [`PERIOD`]; of more only the number is told.
const MAX_MESSAGES: u32 = 50;
const PERIOD: Duration = Duration::from_secs(10);
/// The longest text of a message, in characters.
const MAX_TEXT: usize = 1000;

/// The log of one server.
#[derive(Debug)]
pub(super) struct ServerLog {
    plugin: String,
    since: Instant,
    taken: u32,
    dropped: u32,
}

impl ServerLog {
    pub(super) fn new(plugin: &str) -> Self {
        Self {
            plugin: plugin.to_owned(),
            since: Instant::now(),
            taken: 0,
            dropped: 0,
        }
    }

    pub(super) fn write(&mut self, level: LoggingLevel, logger: Option<&str>, data: &Value) {
        if !self.take(Instant::now()) {
            return;
        }
        let (plugin, logger) = (&self.plugin, logger.unwrap_or_default());
        let text = text(data);
        match level {
            LoggingLevel::Debug => tracing::debug!(plugin, logger, "{text}"),
            LoggingLevel::Info | LoggingLevel::Notice => tracing::info!(plugin, logger, "{text}"),
            LoggingLevel::Warning => tracing::warn!(plugin, logger, "{text}"),
            _ => tracing::error!(plugin, logger, "{text}"),
        }
    }

    /// Whether there is room for a message.
    fn take(&mut self, now: Instant) -> bool {
        if now.duration_since(self.since) >= PERIOD {
            if self.dropped > 0 {
                tracing::warn!(
                    plugin = self.plugin,
                    "{} more messages of the server are left out",
                    self.dropped
                );
            }
            (self.since, self.taken, self.dropped) = (now, 0, 0);
        }
        if self.taken >= MAX_MESSAGES {
            self.dropped += 1;
            return false;
        }
        self.taken += 1;
        true
    }
}

/// On one line, so that nothing looks like a line of this program's own.
fn text(data: &Value) -> String {
    // Before it is cut, as half a secret would not be known.
    let mut text = match scrub_json(data.clone()) {
        Value::String(text) => text.replace(|c: char| c.is_control(), " "),
        data => data.to_string(),
    };
    if let Some((end, _)) = text.char_indices().nth(MAX_TEXT) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_noisy_server_is_cut_off_until_the_next_period() {
        let mut log = ServerLog::new("x");
        let start = Instant::now();
        let taken = (0..1000).filter(|_| log.take(start)).count();
        assert_eq!((taken, log.dropped), (50, 950));
        assert!(log.take(start + PERIOD));
        assert_eq!(log.dropped, 0);
    }

    #[test]
    fn a_message_is_one_line_of_bounded_length() {
        assert_eq!(text(&json!("a\nb\u{1b}[31m")), "a b [31m");
        assert_eq!(text(&json!({"a": "b\n"})), r#"{"a":"b\n"}"#);
        assert_eq!(text(&json!("é".repeat(2000))).chars().count(), 1001);
    }

    #[test]
    fn a_secret_is_not_cut_in_two() {
        crate::secrets::remember("server-log-Canary");
        let said = text(&json!("x".repeat(MAX_TEXT - 10) + "server-log-Canary"));
        assert!(said.ends_with("x<redacted>"), "{said}");
    }
}
