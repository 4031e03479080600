//! One call, from its arrival to its reply.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Instant, SystemTime},
};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    entry::{self, Client, Door, Ending, cut},
    facts::Facts,
    recorder::Recorder,
    redact,
    spans::Span,
};
use crate::{
    approval::Decided,
    checksum,
    reply::{Code, Failure, Reply, UpstreamResult},
    request::Call,
};

/// What is known of a call so far. Travels with the call, and is filled where each thing becomes known.
pub(crate) struct Recording {
    recorder: Arc<Recorder>,
    caller: Caller,
    /// The receipt of the skill's run that makes the call, and its span.
    parent: Option<String>,
    above: Option<Span>,
    arrived: SystemTime,
    began: Instant,
    known: Mutex<Known>,
}

/// Who calls, and what as the client sees it.
#[derive(Clone)]
struct Caller {
    client: Client,
    session: String,
    view: String,
    asked: String,
}

#[derive(Default)]
struct Known {
    target: Option<Target>,
    receipt: Option<String>,
    decision: Option<Decided>,
    sent: bool,
    ending: Option<Ending>,
    span: Option<Span>,
}

/// What a call is for.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub plugin: String,
    /// `tool` or `skill`.
    pub kind: &'static str,
    /// Empty when the call could not be read so far.
    pub name: String,
    pub arguments: Map<String, Value>,
}

impl Recording {
    pub(super) fn of(recorder: Arc<Recorder>, call: &Call) -> Self {
        let session = match call.client.door {
            // Who knows the id of a session can speak in it.
            Door::Http if !call.session.is_empty() => {
                format!("#{}", checksum::short(&call.session))
            }
            _ => cut(&call.session),
        };
        let view = match &call.view.plugin {
            Some(plugin) => format!("{}/{}", call.view.kind, cut(plugin)),
            None => call.view.kind.to_string(),
        };
        let caller = Caller {
            client: call.client.clone(),
            session,
            view,
            asked: cut(&call.tool),
        };
        Self::new(recorder, caller, None, None)
    }

    fn new(
        recorder: Arc<Recorder>,
        caller: Caller,
        parent: Option<String>,
        above: Option<Span>,
    ) -> Self {
        Self {
            recorder,
            caller,
            parent,
            above,
            arrived: SystemTime::now(),
            began: Instant::now(),
            known: Mutex::default(),
        }
    }

    /// A call that the skill makes whose run this is.
    pub(crate) fn inner(&self) -> Begun {
        let (parent, above) = {
            let known = self.known();
            (known.receipt.clone(), known.span.clone())
        };
        let inner = Self::new(self.recorder.clone(), self.caller.clone(), parent, above);
        Begun::new(Arc::new(inner))
    }

    /// The call is for this.
    pub(crate) fn aims_at(&self, target: Target) {
        let mut known = self.known();
        known.target = Some(target);
        if known.span.is_none() {
            known.span = self.recorder.spans.start(self.above.as_ref(), self.arrived);
        }
    }

    /// The reply will carry this receipt.
    pub(crate) fn has_receipt(&self, id: &str) {
        self.known().receipt = Some(id.to_owned());
    }

    /// Whether it may be made was decided.
    pub(crate) fn decided(&self, decision: Decided) {
        self.known().decision = Some(decision);
    }

    /// It is about to be sent with these arguments, which may have been mended. Where calls must be recorded and this one
    /// cannot be, it may not be sent.
    pub(crate) fn sending(&self, arguments: &Map<String, Value>) -> Result<(), Failure> {
        let mut known = self.known();
        let target = known.target.as_mut();
        if let Some(target) = target.filter(|target| target.arguments != *arguments) {
            target.arguments.clone_from(arguments);
        }
        self.recorder
            .before_sending(|| self.fields(entry::begin("sent"), &known))?;
        known.sent = true;
        Ok(())
    }

    /// The plugin has answered, or the call has failed on the way.
    pub(crate) fn ended(&self, ending: Ending) {
        self.known().ending = Some(ending);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `otherwise`: how it has ended where no plugin has had a part in it.
    fn close(&self, otherwise: Ending, bytes: impl FnOnce() -> Option<u64>) {
        let mut known = self.known();
        let ending = known.ending.unwrap_or(otherwise);
        tracing::info!(
            tool = self.caller.asked,
            outcome = ending.outcome(known.sent),
            code = ending.code().map(Code::as_str),
            receipt = known.receipt,
            ms = self.began.elapsed().as_millis(),
            "call"
        );
        // Looking around reaches no plugin.
        if known.target.is_none() && ending == Ending::Ok {
            return;
        }
        let span = known.span.take();
        let target = known.target.as_ref();
        if let (Some(span), Some(target)) = (span, target) {
            span.end(&Facts {
                door: self.caller.client.door.as_str(),
                plugin: &target.plugin,
                kind: target.kind,
                name: &cut(&target.name),
                receipt: known.receipt.as_deref(),
                decision: known.decision.as_ref().map(|decided| decided.rule.as_str()),
                ending,
                sent: known.sent,
            });
        }
        let target = target.map_or(("", ""), |target| (target.plugin.as_str(), target.kind));
        self.recorder
            .count(target, ending, known.sent, self.began.elapsed());
        self.recorder.ended(|| {
            let mut line = self.fields(entry::begin_at("call", self.arrived), &known);
            line.insert("outcome".into(), json!(ending.outcome(known.sent)));
            if let Some(code) = ending.code() {
                line.insert("code".into(), json!(code.as_str()));
            }
            line.insert("ms".into(), json!(millis(self.began)));
            if let Some(bytes) = bytes() {
                line.insert("bytes".into(), json!(bytes));
            }
            line
        });
    }

    fn fields(&self, mut line: Map<String, Value>, known: &Known) -> Map<String, Value> {
        let Caller {
            client,
            session,
            view,
            asked,
        } = &self.caller;
        line.insert("client".into(), client.to_json());
        if !session.is_empty() {
            line.insert("session".into(), json!(session));
        }
        line.insert("view".into(), json!(view));
        line.insert("asked".into(), json!(asked));
        if let Some(target) = &known.target {
            line.insert("plugin".into(), json!(target.plugin));
            if !target.name.is_empty() {
                line.insert(target.kind.into(), json!(cut(&target.name)));
            }
            line.insert("args".into(), redact::for_the_log(&target.arguments));
        }
        if let Some(decision) = &known.decision {
            line.insert("decision".into(), to_json(decision));
        }
        line.insert("sent".into(), json!(known.sent));
        for (key, value) in [("receipt", &known.receipt), ("parent", &self.parent)] {
            if let Some(value) = value {
                line.insert(key.into(), json!(value));
            }
        }
        line
    }
}

/// A call that is under way. Whoever gives it up has it recorded as cancelled.
pub(crate) struct Begun {
    recording: Arc<Recording>,
    ended: bool,
}

impl Begun {
    pub(super) fn new(recording: Arc<Recording>) -> Self {
        Self {
            recording,
            ended: false,
        }
    }

    /// What travels with the call.
    pub(crate) fn recording(&self) -> Arc<Recording> {
        self.recording.clone()
    }

    /// It has ended with this outcome.
    pub(crate) fn end(mut self, outcome: &Result<Reply, Failure>) {
        self.ended = true;
        match outcome {
            Ok(reply) => self
                .recording
                .close(Ending::of_reply(reply), || Some(length(reply))),
            Err(failure) => self.recording.close(Ending::Failed(failure.code), || None),
        }
    }

    /// As [`Begun::end`], for a call that a skill has made.
    pub(crate) fn end_inner(mut self, outcome: Result<&UpstreamResult, &Failure>) {
        self.ended = true;
        match outcome {
            Ok(result) => self.recording.close(Ending::Ok, || Some(length(result))),
            Err(failure) => self.recording.close(Ending::Failed(failure.code), || None),
        }
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if !self.ended {
            self.recording
                .close(Ending::Failed(Code::Cancelled), || None);
        }
    }
}

/// `{decision: "allow" or "deny", kind, rule, by}`.
fn to_json(decided: &Decided) -> Value {
    let decision = if decided.allowed { "allow" } else { "deny" };
    json!({ "decision": decision, "kind": decided.kind, "rule": decided.rule, "by": decided.by })
}

/// How many bytes of JSON it is.
fn length(value: &impl Serialize) -> u64 {
    struct Counter(u64);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
