//! What a server writes on stdout that is no message: greetings, logs. It is told to the log, and never counts as a fault.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// So many lines of one server are logged…
const LINES: u32 = 10;
/// …within this.
const WITHIN: Duration = Duration::from_secs(60);
/// A line is logged up to here, in bytes.
const MAX_LOGGED: usize = 200;

/// Logs the stray lines of one server, of many only some.
pub(super) struct StrayLines {
    /// None where nothing is logged.
    plugin: Option<Arc<str>>,
    since: Instant,
    logged: u32,
    left_out: u32,
}

impl StrayLines {
    pub(super) fn new(plugin: Arc<str>) -> Self {
        Self {
            plugin: Some(plugin),
            ..Self::untold()
        }
    }

    /// For what is no server's stdout.
    pub(super) fn untold() -> Self {
        Self {
            plugin: None,
            since: Instant::now(),
            logged: 0,
            left_out: 0,
        }
    }

    pub(super) fn log(&mut self, line: &[u8]) {
        if line.is_empty() || !self.takes(Instant::now()) {
            return;
        }
        let Some(plugin) = self.plugin.as_deref() else {
            return;
        };
        let text = String::from_utf8_lossy(&line[..line.len().min(MAX_LOGGED)]);
        let left_out = std::mem::take(&mut self.left_out);
        match left_out {
            0 => tracing::warn!(
                plugin,
                "the server wrote a line on stdout that is no message: {text}"
            ),
            _ => tracing::warn!(
                plugin,
                "the server wrote a line on stdout that is no message, after {left_out} more that are not shown: {text}"
            ),
        }
    }

    fn takes(&mut self, now: Instant) -> bool {
        if now.duration_since(self.since) >= WITHIN {
            self.since = now;
            self.logged = 0;
        }
        let takes = self.logged < LINES;
        match takes {
            true => self.logged += 1,
            false => self.left_out = self.left_out.saturating_add(1),
        }
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_lines_some_are_logged_and_the_others_counted() {
        let mut stray = StrayLines::new("x".into());
        let start = stray.since;
        let taken = (0..50).filter(|_| stray.takes(start)).count();
        assert_eq!((taken, stray.left_out), (10, 40));
        assert!(stray.takes(start + WITHIN));
    }
}
