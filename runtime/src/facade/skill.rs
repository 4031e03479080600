//! `_run_skill`, and the calls that a running skill makes.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::{
    Facade,
    execute::Request,
    literal::{self, Caller},
    sending::cancelled,
};
use crate::{
    adapter::{CallContext, Progress},
    catalog::Skill,
    guard::{
        Consent, SkillEnvelope, checked_arguments, closest, fingerprint, nested_in, require_consent,
    },
    plugin::Plugin,
    reply::{Code, Failure, Reply, UpstreamResult},
    skill::ToolCaller,
};

/// The skills that run now. A call from inside one is checked with what its run was allowed.
#[derive(Default)]
pub(crate) struct SkillRuns {
    running: Mutex<HashMap<String, Arc<SkillRun>>>,
    next: AtomicU64,
}

struct SkillRun {
    plugin: Arc<Plugin>,
    skill: String,
    arguments: Map<String, Value>,
    consent: Consent,
    context: CallContext,
    calls: Mutex<Vec<SkillCall>>,
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

impl SkillRun {
    /// Begins a call, and says which one it is.
    fn begin(&self, tool: &str) -> Result<usize, Failure> {
        let mut calls = self.calls();
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

    fn end(&self, number: usize, ok: bool) {
        if let Some(call) = self.calls().get_mut(number) {
            call.end = Some((ok, millis(call.began)));
        }
    }

    fn calls(&self) -> MutexGuard<'_, Vec<SkillCall>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes a run when it ends, however it ends.
struct Registration<'a> {
    runs: &'a SkillRuns,
    id: String,
    run: Arc<SkillRun>,
}

impl Registration<'_> {
    /// The calls that were made, so that a reader can tell what happened from what was said.
    fn calls(&self) -> Vec<Value> {
        let calls = self.run.calls();
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
    fn register(&self, run: SkillRun) -> Registration<'_> {
        let id = format!("skill-{}", self.next.fetch_add(1, Ordering::Relaxed));
        let run = Arc::new(run);
        self.lock().insert(id.clone(), run.clone());
        Registration {
            runs: self,
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

    fn get(&self, id: &str) -> Option<Arc<SkillRun>> {
        self.lock().get(id).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<SkillRun>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The calls of a declarative skill, made in the name of its run.
struct RunCaller<'a> {
    facade: &'a Facade,
    id: &'a str,
}

#[async_trait]
impl ToolCaller for RunCaller<'_> {
    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<UpstreamResult, Failure> {
        self.facade.skill_call(self.id, tool, arguments).await
    }
}

impl Drop for Registration<'_> {
    fn drop(&mut self) {
        self.runs.lock().remove(&self.id);
    }
}

impl Facade {
    pub(super) async fn run_skill(
        &self,
        plugin: &Arc<Plugin>,
        sent: Map<String, Value>,
        context: &CallContext,
    ) -> Reply {
        let facade_tool = format!("agent_tools_{}_run_skill", plugin.prefix());
        let envelope = match SkillEnvelope::read(sent, &facade_tool) {
            Ok(envelope) => envelope,
            Err(failure) => return self.misshapen(plugin, failure, context).into(),
        };
        self.run(plugin, envelope, context)
            .await
            .unwrap_or_else(Reply::from)
    }

    /// Runs a skill whose call has been read, unless it has failed too often.
    pub(super) async fn run(
        &self,
        plugin: &Arc<Plugin>,
        envelope: SkillEnvelope,
        context: &CallContext,
    ) -> Result<Reply, Failure> {
        let (session, prefix) = (&context.session, plugin.prefix());
        let target = format!("skill {}", envelope.skill);
        let print = fingerprint(&envelope.arguments);
        let consent = envelope.confirm.into();
        self.repeats
            .check(session, context.shared_session, prefix, &target, consent)?;
        self.repeats
            .check_arguments(session, prefix, &target, print)?;
        match self.run_unless_refused(plugin, envelope, context).await {
            Ok(reply) if reply.is_error => {
                self.repeats
                    .failed(session, prefix, &target, Code::SkillFailed, print);
                Ok(reply)
            }
            Ok(reply) => {
                self.repeats.succeeded(session, prefix);
                Ok(reply)
            }
            Err(failure) => Err(self.counted(plugin, &target, failure, print, None, context)),
        }
    }

    async fn run_unless_refused(
        &self,
        plugin: &Arc<Plugin>,
        envelope: SkillEnvelope,
        context: &CallContext,
    ) -> Result<Reply, Failure> {
        let SkillEnvelope {
            skill: name,
            arguments,
            confirm,
            mut notes,
        } = envelope;
        let prefix = plugin.prefix();
        let skill = find(plugin, &name).await?;
        if let Some(error) = &skill.error {
            return Err(Failure::new(
                Code::SkillFailed,
                format!("the skill {name} could not be loaded: {error}"),
            )
            .with_hint("Other skills and tools of this plugin work. Tell the user what failed."));
        }
        let arguments = nested_in(arguments, takes_arguments(&skill), &mut notes);
        let arguments = match &skill.input_schema {
            Some(schema) => checked_arguments(schema, arguments, &mut notes, |example| {
                literal::run_skill(prefix, &name, example, confirm)
            })?,
            None => arguments,
        };
        let retry = literal::run_skill(prefix, &name, &Value::Object(arguments.clone()), true);
        require_consent(
            &plugin.manifest,
            &name,
            skill.read_only,
            confirm.into(),
            &retry,
        )?;
        let receipt = self.receipt(prefix, &name);
        // Whatever ends the run ends the calls that it has under way.
        let context = &CallContext {
            cancel: context.cancel.child_token(),
            ..context.clone()
        };
        let _ends_with_the_run = context.cancel.clone().drop_guard();
        let registration = self.runs.register(SkillRun {
            plugin: plugin.clone(),
            skill: name.clone(),
            arguments: arguments.clone(),
            consent: confirm.into(),
            context: context.clone(),
            calls: Mutex::default(),
        });
        let deadline = self.deadlines.skill();
        let caller = RunCaller {
            facade: self,
            id: &registration.id,
        };
        let run = plugin.run_skill(&registration.id, &name, arguments, &caller, context);
        let outcome = tokio::select! {
            biased;
            () = context.cancel.cancelled() => return Err(cancelled(&name)),
            value = tokio::time::timeout(deadline, run) => value.unwrap_or_else(|_| Err(late(&skill, deadline.as_secs_f32()))),
        };
        let outcome = outcome.map_err(|failure| {
            let failure = crashed(failure, &skill).with("calls", registration.calls());
            failure.with("receipt", receipt.to_json())
        })?;
        notes.extend(outcome.notes);
        let calls = registration.calls();
        Ok(self.skill_answer(prefix, outcome.value, calls, notes, &receipt))
    }

    /// A tool call made by a running skill: the same checks, with the run's consent.
    pub(crate) async fn skill_call(
        &self,
        call_id: &str,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<UpstreamResult, Failure> {
        let run = self.runs.get(call_id).ok_or_else(|| {
            Failure::new(
                Code::Cancelled,
                format!("{tool} was not called: the skill's run has ended"),
            )
        })?;
        let number = run.begin(tool)?;
        let caller = Caller::Skill {
            prefix: run.plugin.prefix(),
            skill: &run.skill,
            arguments: &run.arguments,
        };
        let request = Request {
            tool,
            arguments,
            consent: run.consent,
            idempotency_key: None,
            caller,
        };
        let mut notes = Vec::new();
        let answer = self
            .execute(&run.plugin, request, &mut notes, &run.context)
            .await;
        let ok = answer
            .as_ref()
            .is_ok_and(|answered| !answered.result.is_error);
        run.end(number, ok);
        answer.map(|answered| answered.result)
    }
}

/// Whether `arguments` may be an argument of the skill's own.
fn takes_arguments(skill: &Skill) -> bool {
    match (&skill.input_schema, &skill.args) {
        (Some(schema), _) => {
            let properties = schema.get("properties");
            properties.is_some_and(|properties| properties.get("arguments").is_some())
        }
        (None, args) => args.as_ref().is_some_and(|args| args.contains("arguments")),
    }
}

async fn find(plugin: &Plugin, name: &str) -> Result<Skill, Failure> {
    let catalogue = plugin.catalogue().await?;
    if let Some(skill) = catalogue.skills.get(name) {
        return Ok(skill.clone());
    }
    if let Some(problem) = &catalogue.problem
        && catalogue.skills.is_empty()
    {
        return Err(problem.clone());
    }
    let prefix = plugin.prefix();
    let names: Vec<&str> = catalogue.skills.keys().map(String::as_str).collect();
    let failure = Failure::new(
        Code::UnknownSkill,
        format!(
            "{prefix} has no skill {name:?}; its skills are: {}",
            names.join(", ")
        ),
    );
    if catalogue.tools.contains_key(name) {
        let retry = literal::call(prefix, name, &Value::Object(Map::new()), false);
        return Err(failure.with_hint(format!("{name} is a tool. Call it: {retry}")));
    }
    Err(failure.with_hint(match closest(name, names.into_iter()) {
        Some(near) => format!("Did you mean {near}? {}", literal::run_skill(prefix, near, &Value::Object(Map::new()), false)),
        None => format!("Choose one of the listed skills, or search: agent_tools_{prefix}_discover {{\"query\":\"…\"}}"),
    }))
}

fn late(skill: &Skill, seconds: f32) -> Failure {
    let failure = Failure::new(
        if skill.read_only {
            Code::Timeout
        } else {
            Code::OutcomeUnknown
        },
        format!(
            "the skill {} did not finish within {seconds} s and was stopped",
            skill.name
        ),
    );
    if skill.read_only {
        failure
    } else {
        failure.with_hint("Some of its steps may have taken effect. Look before repeating it.")
    }
}

fn crashed(failure: Failure, skill: &Skill) -> Failure {
    if failure.code != Code::PluginCrashed || skill.read_only {
        return failure;
    }
    Failure::new(Code::OutcomeUnknown, failure.error)
        .with_hint("Some of its steps may have taken effect. Look before repeating it.")
}
