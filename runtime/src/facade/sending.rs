//! Sending a checked call: deadlines, progress, cancellation, one retry where that is safe, and an honest outcome.

use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::{Map, Value};
use tokio::{sync::watch, time::Instant};

use super::Facade;
use crate::{
    adapter::{CallContext, Progress},
    catalog::Tool,
    guard::has_key,
    plugin::Plugin,
    reply::{Code, Failure, UpstreamResult},
};

/// How long a call may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Without an answer or progress.
    pub quiet: Duration,
    /// With all progress.
    pub total: Duration,
}

impl Facade {
    /// The limits of a tool: its own, its plugin's, else the runtime's.
    pub(super) fn limits(&self, plugin: &Plugin, tool: &str) -> Limits {
        let own = &plugin.manifest.timeouts;
        Limits {
            quiet: own.of_tool(tool).unwrap_or(self.deadlines.call()),
            total: own.total().unwrap_or(self.deadlines.total()),
        }
    }
}

/// Sends a call, once more where the first try was lost on the way and repeating it cannot change anything.
pub(super) async fn send(
    plugin: &Plugin,
    tool: &Tool,
    arguments: Map<String, Value>,
    limits: Limits,
    notes: &mut Vec<String>,
    context: &CallContext,
) -> Result<UpstreamResult, Failure> {
    let began = Instant::now();
    let harmless = harmless(tool, &arguments);
    let first = send_once(plugin, tool, arguments.clone(), limits, context).await;
    let lost = match &first {
        Err(failure) if lost_on_the_way(failure.code) => failure,
        _ => return first.map_err(|failure| honest_outcome(failure, tool, harmless)),
    };
    if !harmless || began.elapsed() >= limits.quiet {
        return first.map_err(|failure| honest_outcome(failure, tool, harmless));
    }
    notes.push(format!(
        "the first try was lost ({}); as repeating {} changes nothing more, it was repeated",
        lost.code, tool.name
    ));
    tokio::time::sleep(jitter()).await;
    let second = send_once(plugin, tool, arguments, limits, context).await;
    second.map_err(|failure| honest_outcome(failure, tool, harmless))
}

async fn send_once(
    plugin: &Plugin,
    tool: &Tool,
    arguments: Map<String, Value>,
    limits: Limits,
    context: &CallContext,
) -> Result<UpstreamResult, Failure> {
    let adapter = plugin.adapter()?;
    let _under_way = (!tool.hints.read_only).then(|| context.sent.begin());
    let (context, mut progressed) = followed(context);
    let call = adapter.call(&tool.name, arguments, &context);
    tokio::pin!(call);
    let total = tokio::time::sleep(limits.total + adapter.winding_up());
    tokio::pin!(total);
    let quiet_limit = limits.quiet + adapter.winding_up();
    let quiet = tokio::time::sleep(quiet_limit);
    tokio::pin!(quiet);
    loop {
        tokio::select! {
            biased;
            () = context.cancel.cancelled() => return Err(cancelled(&tool.name)),
            answer = &mut call => return answer,
            () = &mut total => return Err(timed_out(plugin, tool, limits.total, "maxTotalMs")),
            () = &mut quiet => {
                let own = &plugin.manifest.timeouts.tool_timeouts_ms;
                let setting = if own.contains_key(&tool.name) { "toolTimeoutsMs" } else { "timeoutMs" };
                return Err(timed_out(plugin, tool, limits.quiet, setting));
            }
            Ok(()) = progressed.changed() => quiet.as_mut().reset(Instant::now() + quiet_limit),
        }
    }
}

/// A context that also says when progress was made. A report that does not grow is no progress.
fn followed(context: &CallContext) -> (CallContext, watch::Receiver<f64>) {
    let (sender, receiver) = watch::channel(f64::NEG_INFINITY);
    let client = context.progress.clone();
    let sink = move |progress: Progress| {
        let grew = sender.send_if_modified(|furthest| {
            let grew = progress.progress > *furthest;
            if grew {
                *furthest = progress.progress;
            }
            grew
        });
        if grew && let Some(client) = &client {
            client(progress);
        }
    };
    let context = CallContext {
        progress: Some(Arc::new(sink)),
        ..context.clone()
    };
    (context, receiver)
}

pub(crate) fn cancelled(what: &str) -> Failure {
    Failure::new(
        Code::Cancelled,
        format!("{what} was cancelled by the client before it answered"),
    )
}

fn timed_out(plugin: &Plugin, tool: &Tool, limit: Duration, setting: &str) -> Failure {
    Failure::new(
        Code::Timeout,
        format!(
            "{} did not answer within {} s (setting {setting} of the plugin {}); the call was cancelled",
            tool.name,
            limit.as_secs_f32(),
            plugin.prefix()
        ),
    )
    .with_hint("Ask for less at once, or try again later.")
}

fn lost_on_the_way(code: Code) -> bool {
    matches!(
        code,
        Code::PluginCrashed | Code::OutcomeUnknown | Code::UpstreamUnreachable
    )
}

/// Whether calling the tool twice is as good as calling it once.
fn harmless(tool: &Tool, arguments: &Map<String, Value>) -> bool {
    tool.hints.read_only || tool.hints.idempotent == Some(true) || has_key(tool, arguments)
}

/// When a change was sent and no answer came, nobody knows whether it happened, and the reply says so.
fn honest_outcome(failure: Failure, tool: &Tool, harmless: bool) -> Failure {
    let may_have_run = matches!(
        failure.code,
        Code::Timeout | Code::PluginCrashed | Code::OutcomeUnknown
    );
    match may_have_run {
        true if !tool.hints.read_only => Failure {
            fields: failure.fields,
            ..unknown_outcome(&failure.error, &tool.name)
        }
        .with_hint(if harmless {
            "It may be repeated: doing it twice is the same as doing it once."
        } else {
            "Do not repeat it. Look first whether the change is there, with a tool that only reads."
        }),
        true if failure.code == Code::OutcomeUnknown => Failure {
            code: Code::UpstreamUnreachable,
            ..failure
        },
        _ => failure,
    }
}

/// `what` was sent and not answered, because of `why`.
pub(crate) fn unknown_outcome(why: &str, what: &str) -> Failure {
    Failure::new(
        Code::OutcomeUnknown,
        format!("{why}; {what} may or may not have taken effect"),
    )
}

/// 50 to 250 ms: enough to spread clients that failed together. The clock's last digits are random enough for that.
fn jitter() -> Duration {
    let nanos = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.subsec_nanos());
    Duration::from_millis(50 + u64::from(nanos / 1000 % 200))
}
