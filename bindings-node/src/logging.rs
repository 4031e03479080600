//! Log lines go to stderr, when asked for with `AGENT_TOOLS_LOG` (for example `debug`, or `agent_tools_runtime=trace`).

use std::{io::IsTerminal, sync::Once};

use tracing_subscriber::EnvFilter;

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
            .with_writer(std::io::stderr)
            .with_ansi(std::io::stderr().is_terminal())
            .try_init();
    });
}
