//! The skills that run now, and the calls that each has made.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Map, Value, json};
use tokio::sync::Notify;
use tokio_util::sync::DropGuard;

use super::verbs::Reach;
use crate::{
    adapter::{CallContext, Progress},
    approval::Decided,
    guard::Consent,
    plugin::Plugin,
    reply::{Code, Failure},
};

/// The skills that run now. A call from inside one is checked with what its run was allowed.
#[derive(Default)]
pub(crate) struct SkillRuns {
    running: Arc<Running>,
    next: AtomicU64,
}

type Running = Mutex<HashMap<String, Arc<SkillRun>>>;

pub(super) struct SkillRun {
    pub(super) plugin: Arc<Plugin>,
    pub(super) reach: Reach,
    pub(super) skill: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) consent: Consent,
    pub(super) decided: Decided,
    pub(super) context: CallContext,
    pub(super) calls: Calls,
}

/// The calls of one run, in the order in which they began.
#[derive(Default)]
pub(super) struct Calls {
    made: Mutex<Vec<SkillCall>>,
    /// One of them has ended.
    ended: Notify,
}

/// One tool call that a skill made. One without an end was under way when the run ended.
struct SkillCall {
    tool: String,
    began: Instant,
    end: Option<(bool, u64)>,
}

impl SkillCall {
    fn to_json(&self) -> Value {
        match self.end {
            Some((ok, ms)) => json!({ "tool": self.tool, "ok": ok, "ms": ms }),
            None => json!({ "tool": self.tool, "ok": null, "ms": millis(self.began) }),
        }
    }
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// A run that makes more calls than this is refused further ones.
const MAX_CALLS: usize = 1000;
/// The reply names this many calls, and counts the others.
const SHOWN_CALLS: usize = 50;

/// In the background a skill makes its next call within this time, or its run is over.
const NEXT_CALL_WITHIN: Duration = Duration::from_secs(1);

impl Calls {
    /// Begins a call, and says which one it is.
    pub(super) fn begin(&self, tool: &str) -> Result<usize, Failure> {
        let mut calls = self.made();
        if calls.len() < MAX_CALLS {
            calls.push(SkillCall {
                tool: tool.to_owned(),
                began: Instant::now(),
                end: None,
            });
            return Ok(calls.len() - 1);
        }
        Err(Failure::new(
            Code::SkillFailed,
            format!(
                "{tool} was not called: the skill has made {MAX_CALLS} calls, which is the limit"
            ),
        )
        .with_hint("Ask the skill for less at once."))
    }

    pub(super) fn end(&self, number: usize, ok: bool) {
        if let Some(call) = self.made().get_mut(number) {
            call.end = Some((ok, millis(call.began)));
        }
        self.ended.notify_one();
    }

    /// Waits until none is under way and none follows.
    async fn over(&self) {
        loop {
            let made = self.made().len();
            while self.made().iter().any(|call| call.end.is_none()) {
                self.ended.notified().await;
            }
            tokio::time::sleep(NEXT_CALL_WITHIN).await;
            if self.made().len() == made {
                return;
            }
        }
    }

    fn made(&self) -> MutexGuard<'_, Vec<SkillCall>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes a run when it ends, however it ends.
pub(super) struct Registration {
    running: Arc<Running>,
    pub(super) id: String,
    run: Arc<SkillRun>,
}

impl Registration {
    /// The skill has answered and works on: its calls are let through until none follows, or the plugin is closed.
    pub(super) fn goes_on(self, ends_its_calls: DropGuard) {
        tokio::spawn(async move {
            self.run.calls.over().await;
            drop(ends_its_calls);
        });
    }

    /// The calls that were made, so that a reader can tell what happened from what was said.
    pub(super) fn calls(&self) -> Vec<Value> {
        let calls = self.run.calls.made();
        let mut shown: Vec<Value> = calls
            .iter()
            .take(SHOWN_CALLS)
            .map(SkillCall::to_json)
            .collect();
        if calls.len() > SHOWN_CALLS {
            shown.push(json!(format!("and {} more", calls.len() - SHOWN_CALLS)));
        }
        shown
    }
}

impl SkillRuns {
    pub(super) fn register(&self, run: SkillRun) -> Registration {
        let id = format!("skill-{}", self.next.fetch_add(1, Ordering::Relaxed));
        let run = Arc::new(run);
        lock(&self.running).insert(id.clone(), run.clone());
        Registration {
            running: self.running.clone(),
            id,
            run,
        }
    }

    /// Passes a run's progress on. False when there is no such run.
    pub(crate) fn report(&self, id: &str, progress: &Progress) -> bool {
        let run = self.get(id);
        if let Some(sink) = run.as_ref().and_then(|run| run.context.progress.as_ref()) {
            sink(progress.clone());
        }
        run.is_some()
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<SkillRun>> {
        lock(&self.running).get(id).cloned()
    }
}

fn lock(running: &Running) -> MutexGuard<'_, HashMap<String, Arc<SkillRun>>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Registration {
    fn drop(&mut self) {
        lock(&self.running).remove(&self.id);
    }
}
