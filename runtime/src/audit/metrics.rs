//! Counts for Prometheus. What its labels may be is bounded: plugins that are loaded, and words of this program. Names of
//! tools are none of them, as there may be thousands; the call log has them.

use std::time::Duration;

use prometheus::{
    HistogramOpts, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder,
};

use super::entry::Ending;

/// In seconds: from what a local tool takes to what a model waits for.
const BUCKETS: [f64; 10] = [0.005, 0.02, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0, 300.0];

/// What was counted since the runtime was opened.
pub(crate) struct Metrics {
    registry: Registry,
    calls: IntCounterVec,
    refusals: IntCounterVec,
    seconds: HistogramVec,
    plugins: IntGaugeVec,
    children: IntGauge,
}

impl Metrics {
    pub(super) fn new() -> prometheus::Result<Self> {
        let metrics = Self {
            registry: Registry::new(),
            calls: IntCounterVec::new(
                Opts::new(
                    "agent_tools_calls_total",
                    "Calls that were sent or refused.",
                ),
                &["plugin", "kind", "outcome"],
            )?,
            refusals: IntCounterVec::new(
                Opts::new(
                    "agent_tools_refusals_total",
                    "Calls that were not sent, by error code.",
                ),
                &["plugin", "code"],
            )?,
            seconds: HistogramVec::new(
                HistogramOpts::new(
                    "agent_tools_call_duration_seconds",
                    "How long calls took that were sent.",
                )
                .buckets(BUCKETS.to_vec()),
                &["plugin", "kind"],
            )?,
            plugins: IntGaugeVec::new(
                Opts::new("agent_tools_plugins", "Plugins, by their state."),
                &["state"],
            )?,
            children: IntGauge::new(
                "agent_tools_children",
                "Child processes that run at the moment.",
            )?,
        };
        metrics.registry.register(Box::new(metrics.calls.clone()))?;
        metrics
            .registry
            .register(Box::new(metrics.refusals.clone()))?;
        metrics
            .registry
            .register(Box::new(metrics.seconds.clone()))?;
        metrics
            .registry
            .register(Box::new(metrics.plugins.clone()))?;
        metrics
            .registry
            .register(Box::new(metrics.children.clone()))?;
        Ok(metrics)
    }

    /// `plugin` and `kind` are empty for a call that named no plugin.
    pub(super) fn count(
        &self,
        (plugin, kind): (&str, &str),
        ending: Ending,
        sent: bool,
        took: Duration,
    ) {
        let outcome = ending.outcome(sent);
        self.calls.with_label_values(&[plugin, kind, outcome]).inc();
        match ending.code() {
            Some(code) if !sent => self
                .refusals
                .with_label_values(&[plugin, code.as_str()])
                .inc(),
            _ => self
                .seconds
                .with_label_values(&[plugin, kind])
                .observe(took.as_secs_f64()),
        }
    }

    /// All of it in the text format, version 0.0.4. `states` are those of the plugins now.
    pub(super) fn text<'a>(
        &self,
        states: impl Iterator<Item = &'a str>,
        children: usize,
    ) -> prometheus::Result<String> {
        self.plugins.reset();
        for state in states {
            self.plugins.with_label_values(&[state]).inc();
        }
        self.children
            .set(i64::try_from(children).unwrap_or(i64::MAX));
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    #[test]
    fn calls_are_counted_by_plugin_and_outcome() {
        let metrics = Metrics::new().unwrap();
        let took = Duration::from_millis(50);
        metrics.count(("p", "tool"), Ending::Ok, true, took);
        metrics.count(("p", "tool"), Ending::Ok, true, took);
        metrics.count(
            ("p", "tool"),
            Ending::Failed(Code::ConfirmRequired),
            false,
            took,
        );
        metrics.count(("", ""), Ending::Failed(Code::BadCallShape), false, took);
        let text = metrics
            .text(["ready", "idle", "ready"].into_iter(), 3)
            .unwrap();
        for line in [
            "# TYPE agent_tools_calls_total counter",
            r#"agent_tools_calls_total{kind="tool",outcome="ok",plugin="p"} 2"#,
            r#"agent_tools_calls_total{kind="tool",outcome="refused",plugin="p"} 1"#,
            r#"agent_tools_refusals_total{code="CONFIRM_REQUIRED",plugin="p"} 1"#,
            r#"agent_tools_refusals_total{code="BAD_CALL_SHAPE",plugin=""} 1"#,
            r#"agent_tools_call_duration_seconds_bucket{kind="tool",plugin="p",le="0.02"} 0"#,
            r#"agent_tools_call_duration_seconds_bucket{kind="tool",plugin="p",le="0.1"} 2"#,
            r#"agent_tools_call_duration_seconds_count{kind="tool",plugin="p"} 2"#,
            r#"agent_tools_plugins{state="ready"} 2"#,
            "agent_tools_children 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
