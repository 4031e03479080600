//! What a person who watches the runtime is told besides its status.

use serde_json::Value;
use tokio::sync::watch;

use super::Runtime;
use crate::{
    approval::Subject, audit::inspect::CallLog, reply::Failure, secrets::scrub_known_in, tokens,
};

impl Runtime {
    /// What a plugin offers: `{plugin, entries: [{kind, name, title?, description, effect, decision, broken?}], problem?}`. One of which
    /// nothing is known is started.
    pub(crate) async fn offers(&self, prefix: &str) -> Result<Value, Failure> {
        let plugin = self.plugin(prefix)?;
        self.watched(self.inner.facade.offers(&plugin)).await
    }

    /// One tool or skill with its `inputSchema`, who says what it may do, and the rule.
    pub(crate) async fn describe(
        &self,
        prefix: &str,
        subject: Subject,
        name: &str,
    ) -> Result<Value, Failure> {
        let plugin = self.plugin(prefix)?;
        let described = self.inner.facade.describe(&plugin, subject, name);
        self.watched(described).await
    }

    /// What each view costs by estimate: `{views: [{view, tools, tokens}], offered, unlisted}`.
    pub(crate) async fn costs(&self) -> Result<Value, Failure> {
        self.check_open()?;
        self.watched(self.inner.facade.costs()).await
    }

    /// About how many tokens a text costs.
    pub(crate) fn tokens_of(text: &str) -> usize {
        tokens::estimate(text)
    }

    /// The call log, where calls are recorded.
    pub(crate) fn call_log(&self) -> Option<CallLog> {
        self.inner.recorder.call_log()
    }

    /// Sees how many calls of this runtime were recorded, and waits for the next.
    pub(crate) fn recorded(&self) -> watch::Receiver<u64> {
        self.inner.recorder.written()
    }

    /// Nobody waits for what a closed runtime would say.
    async fn watched(
        &self,
        looking: impl Future<Output = Result<Value, Failure>>,
    ) -> Result<Value, Failure> {
        let mut seen = tokio::select! {
            biased;
            () = self.inner.shutdown.cancelled() => return Err(super::closed()),
            seen = looking => seen.map_err(Failure::scrubbed)?,
        };
        scrub_known_in(&mut seen);
        Ok(seen)
    }
}
