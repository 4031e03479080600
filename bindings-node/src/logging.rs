//! Log lines go to stderr, when asked for with `AGENT_TOOLS_LOG` (for example `debug`, or `agent_tools_runtime=trace`).

use std::{
    io::{self, IsTerminal, Write},
    sync::Once,
};

use agent_tools_runtime::secrets::scrub;
use tracing::{Level, Metadata};
use tracing_subscriber::{EnvFilter, fmt::writer::MakeWriterExt};

/// Warnings are reported in `status()`; without the variable nothing is logged, as the host owns the terminal.
pub(crate) fn init() {
    static INIT: Once = Once::new();
    INIT.call_once(|| {
        let Ok(filter) = EnvFilter::try_from_env("AGENT_TOOLS_LOG") else {
            return;
        };
        // Another subscriber in this process is kept.
        let _ = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(
                (|| WithoutSecrets(std::io::stderr())).with_filter(|event| !quotes_messages(event)),
            )
            .with_ansi(std::io::stderr().is_terminal())
            .try_init();
    });
}

/// Below `info` the protocol crate logs whole messages: the arguments of calls and their results, in which a secret may stand
/// that nobody has configured.
fn quotes_messages(event: &Metadata<'_>) -> bool {
    event.target().starts_with("rmcp") && *event.level() > Level::INFO
}

/// Log lines hold no secret, whoever writes them: the protocol crate and the HTTP client log what they send. An event comes
/// in one piece.
struct WithoutSecrets<W>(W);

impl<W: Write> Write for WithoutSecrets<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0
            .write_all(scrub(&String::from_utf8_lossy(line)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
