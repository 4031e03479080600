//! What takes the records of one runtime.

use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::{
    entry::Ending,
    inspect::CallLog,
    log::Log,
    metrics::Metrics,
    recording::{Begun, Recording},
    spans::Spans,
};
use crate::{
    config::Options,
    reply::{Code, Failure},
    request::Call,
};

const NO_FOLDER: &str = "there is no folder for the call log: set AGENT_TOOLS_AUDIT_DIR";

/// The log of a runtime, if it keeps one.
pub(crate) struct Recorder {
    log: Option<Log>,
    metrics: Option<Metrics>,
    pub(super) spans: Spans,
    /// Counts the calls that have ended, behind their lines.
    written: watch::Sender<u64>,
    wanted: bool,
    required: bool,
    version: String,
}

impl Recorder {
    pub(crate) fn new(options: &Options, version: &str) -> Arc<Self> {
        let settings = options.audit.clone().unwrap_or_default();
        let telemetry = options.telemetry.clone().unwrap_or_default();
        let place = settings.is_on().then(|| settings.place()).flatten();
        Arc::new(Self {
            log: place.map(Log::at),
            metrics: Metrics::new()
                .inspect_err(|error| tracing::warn!(%error, "calls cannot be counted"))
                .ok(),
            spans: Spans::new(&telemetry, version),
            written: watch::Sender::new(0),
            wanted: settings.is_on(),
            required: settings.is_required(),
            version: version.to_owned(),
        })
    }

    /// A call has arrived.
    pub(crate) fn begin(self: &Arc<Self>, call: &Call) -> Begun {
        Begun::new(Arc::new(Recording::of(self.clone(), call)))
    }

    /// The log, to be read.
    pub(crate) fn call_log(&self) -> Option<CallLog> {
        self.log.as_ref().map(|log| CallLog::of(log.files()))
    }

    /// Sees how many calls have ended, and waits for the next: its line is in the log by then, where that can be written.
    pub(crate) fn written(&self) -> watch::Receiver<u64> {
        self.written.subscribe()
    }

    /// Why calls are not recorded, or not reported, although they should be.
    pub(crate) fn problems(&self) -> Vec<String> {
        let log = match &self.log {
            Some(log) => log.problem(),
            None => self.wanted.then(|| NO_FOLDER.to_owned()),
        };
        log.into_iter().chain(self.spans.problem()).collect()
    }

    /// Sends what is to be reported, for as long as the limit allows. Lines of the log are written already.
    pub(crate) fn close(&self, limit: Duration) {
        self.spans.close(limit);
    }

    /// The counts in the text format of Prometheus; `states` are those of the plugins now.
    pub(crate) fn metrics<'a>(
        &self,
        states: impl Iterator<Item = &'a str>,
        children: usize,
    ) -> Option<String> {
        let text = self.metrics.as_ref()?.text(states, children);
        text.inspect_err(|error| tracing::warn!(%error, "the counts cannot be written"))
            .ok()
    }

    pub(super) fn count(&self, target: (&str, &str), ending: Ending, sent: bool, took: Duration) {
        if let Some(metrics) = &self.metrics {
            metrics.count(target, ending, sent, took);
        }
    }

    /// Before a call is sent: where the log is required, that is written first.
    pub(super) fn before_sending(
        &self,
        line: impl FnOnce() -> Map<String, Value>,
    ) -> Result<(), Failure> {
        if !self.required {
            return Ok(());
        }
        match &self.log {
            Some(log) => log
                .append(&self.stamped(line()))
                .map_err(|error| unwritable(error.to_string())),
            None => Err(unwritable(NO_FOLDER.into())),
        }
    }

    /// A call has ended. That this could not be written is known by [`Recorder::problems`], and changes no reply.
    pub(super) fn ended(&self, line: impl FnOnce() -> Map<String, Value>) {
        if let Some(log) = &self.log {
            let _ = log.append(&self.stamped(line()));
            self.written.send_modify(|lines| *lines += 1);
        }
    }

    fn stamped(&self, mut line: Map<String, Value>) -> Map<String, Value> {
        line.insert("version".into(), json!(self.version));
        line.insert("pid".into(), json!(std::process::id()));
        line
    }
}

fn unwritable(why: String) -> Failure {
    Failure::new(
        Code::AuditUnwritable,
        format!("{why}; calls must be recorded here, so nothing was sent"),
    )
    .with_hint("Tell the user, who can make room, change `audit.dir`, or take `audit.required` out of the configuration.")
}
