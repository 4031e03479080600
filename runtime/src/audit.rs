//! The record: a line for every call that reaches a plugin or is refused, in a log that shows whether it was changed.
//!
//! A [`Recording`] follows one call from its arrival to its reply; [`Log`] appends it, for several processes at once, as
//! a chain of hashes. [`inspect`] reads and checks what is there. docs/audit.md says what that proves, and what not.

mod chain;
mod entry;
mod facts;
mod files;
mod head;
pub mod inspect;
mod log;
mod metrics;
mod recorder;
mod recording;
mod recover;
mod redact;
mod settings;
#[cfg_attr(not(feature = "otlp"), path = "audit/no_spans.rs")]
mod spans;
mod tail;
mod telemetry;
#[cfg(test)]
mod tests;

pub(crate) use entry::Ending;
pub use entry::{Client, Door};
pub(crate) use recorder::Recorder;
pub(crate) use recording::{Recording, Target};
pub use settings::AuditSettings;
pub use telemetry::{OtlpSettings, TelemetrySettings};
