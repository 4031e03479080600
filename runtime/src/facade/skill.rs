//! `_run_skill`, and the calls that a running skill makes.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::{
    Facade,
    execute::{Attempt, Request},
    literal::Caller,
    sending::cancelled,
    skill_runs::{Calls, SkillRun},
    verbs::{Reach, Spelling, Verb},
};
use crate::{
    adapter::CallContext,
    approval::{DecisionSlot, Subject},
    audit::{Ending, Target},
    catalog::Skill,
    guard::{SkillEnvelope, Wanted, checked_arguments, closest, denied, fingerprint, nested_in},
    plugin::Plugin,
    reply::{Code, Failure, Reply, UpstreamResult},
    skill::ToolCaller,
};

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

impl Facade {
    pub(super) async fn run_skill(
        &self,
        plugin: &Arc<Plugin>,
        reach: Reach,
        sent: Map<String, Value>,
        context: &CallContext,
    ) -> Reply {
        let spelling = reach.to(plugin.prefix());
        match SkillEnvelope::read(sent, &spelling.addressee(Verb::RunSkill)) {
            Ok(envelope) => self
                .run(plugin, spelling, envelope, context)
                .await
                .unwrap_or_else(Reply::from),
            Err(failure) => self.misshapen(plugin, spelling, failure, context).into(),
        }
    }

    /// Runs a skill whose call has been read, unless it has failed too often.
    pub(super) async fn run(
        &self,
        plugin: &Arc<Plugin>,
        spelling: Spelling<'_>,
        envelope: SkillEnvelope,
        context: &CallContext,
    ) -> Result<Reply, Failure> {
        let (session, prefix) = (&context.session, plugin.prefix());
        context.recording.aims_at(Target {
            plugin: prefix.to_owned(),
            kind: "skill",
            name: envelope.skill.clone(),
            arguments: envelope.arguments.clone(),
        });
        let target = format!("skill {}", envelope.skill);
        let print = fingerprint(&envelope.arguments);
        let consent = envelope.confirm.into();
        self.repeats
            .check(session, context.shared_session, prefix, &target, consent)?;
        self.repeats
            .check_arguments(session, prefix, &target, print)?;
        let outcome = self
            .run_unless_refused(plugin, spelling, envelope, context)
            .await;
        let is_error = outcome.as_ref().map(|reply| reply.is_error);
        context.recording.ended(Ending::of(is_error));
        match outcome {
            Ok(reply) if reply.is_error => {
                self.repeats
                    .failed(session, prefix, &target, Code::SkillFailed, print);
                Ok(reply)
            }
            Ok(reply) => {
                self.repeats.succeeded(session, prefix);
                self.usage.count(prefix, &target);
                Ok(reply)
            }
            Err(failure) => {
                let attempt = Attempt {
                    plugin,
                    spelling,
                    target: &target,
                    print,
                    tool: None,
                };
                Err(self.counted(&attempt, failure, context))
            }
        }
    }

    async fn run_unless_refused(
        &self,
        plugin: &Arc<Plugin>,
        spelling: Spelling<'_>,
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
        let skill = find(plugin, spelling, &name).await?;
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
                spelling.run_skill(&name, example, confirm)
            })?,
            None => arguments,
        };
        let retry = spelling.run_skill(&name, &Value::Object(arguments.clone()), true);
        let (kind, ruling) = plugin.ruling_on_skill(&skill);
        let wanted = Wanted {
            plugin: prefix,
            name: &name,
            subject: Subject::Skill,
            kind,
            kind_by: plugin.judged_skill(&skill).by,
            changed: false,
            definition: &|| skill.definition(),
            origin: &|| plugin.origin(),
            ruling,
            asking: plugin.asking(),
            arguments: &arguments,
            consent: confirm.into(),
            retry: &retry,
            within: None,
        };
        let decided = self.consents.require(&wanted, context).await?;
        let receipt = self.receipt(prefix, &name, context);
        context.recording.sending(&arguments)?;
        // Whatever ends the run ends the calls that it has under way. What goes on in the background is not the client's to cancel
        // any more, nor is anybody told of its progress.
        let cancelled_by_client = &context.cancel;
        let context = &match skill.background {
            true => CallContext {
                cancel: CancellationToken::new(),
                progress: None,
                ..context.clone()
            },
            false => CallContext {
                cancel: context.cancel.child_token(),
                ..context.clone()
            },
        };
        let ends_its_calls = context.cancel.clone().drop_guard();
        let registration = self.runs.register(SkillRun {
            plugin: plugin.clone(),
            reach: spelling.reach(),
            skill: name.clone(),
            arguments: arguments.clone(),
            consent: confirm.into(),
            decided,
            context: context.clone(),
            calls: Calls::default(),
        });
        let deadline = self.deadlines.skill();
        let caller = RunCaller {
            facade: self,
            id: &registration.id,
        };
        let run = plugin.run_skill(&registration.id, &name, arguments, &caller, context);
        let outcome = tokio::select! {
            biased;
            () = cancelled_by_client.cancelled() => return Err(cancelled(&name)),
            value = tokio::time::timeout(deadline, run) => value.unwrap_or_else(|_| Err(late(&skill, deadline.as_secs_f32()))),
        };
        let outcome = outcome.map_err(|failure| {
            let failure = crashed(failure, &skill).with("calls", registration.calls());
            failure.with("receipt", receipt.to_json())
        })?;
        notes.extend(outcome.notes);
        let calls = registration.calls();
        if skill.background {
            registration.goes_on(ends_its_calls);
        }
        Ok(self.skill_answer(spelling, outcome.value, calls, notes, &receipt))
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
        let number = run.calls.begin(tool)?;
        let begun = run.context.recording.inner();
        begun.recording().aims_at(Target {
            plugin: run.plugin.prefix().to_owned(),
            kind: "tool",
            name: tool.to_owned(),
            arguments: arguments.clone(),
        });
        // The decision about the run stays the one that is recorded for it.
        let context = CallContext {
            recording: begun.recording(),
            decided: DecisionSlot::default(),
            ..run.context.clone()
        };
        self.receipt(run.plugin.prefix(), tool, &context);
        let caller = Caller::Skill {
            spelling: run.reach.to(run.plugin.prefix()),
            skill: &run.skill,
            arguments: &run.arguments,
        };
        let request = Request {
            tool,
            arguments,
            consent: run.consent,
            idempotency_key: None,
            caller,
            within: Some(&run.decided),
        };
        let mut notes = Vec::new();
        let answer = self
            .execute(&run.plugin, request, &mut notes, &context)
            .await;
        begun.end_inner(answer.as_ref().map(|answered| &answered.result));
        let ok = answer
            .as_ref()
            .is_ok_and(|answered| !answered.result.is_error);
        run.calls.end(number, ok);
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

async fn find(plugin: &Plugin, spelling: Spelling<'_>, name: &str) -> Result<Skill, Failure> {
    let catalogue = plugin.catalogue().await?;
    if let Some(skill) = catalogue.skills.get(name) {
        return Ok(skill.clone());
    }
    if let Some(problem) = &catalogue.problem
        && catalogue.skills.is_empty()
    {
        return Err(problem.clone());
    }
    if let Some(ruling) = plugin.denies(Subject::Skill, name) {
        return Err(denied(name, &ruling.rule));
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
        let retry = spelling.call(name, &Value::Object(Map::new()), false);
        return Err(failure.with_hint(format!("{name} is a tool. Call it: {retry}")));
    }
    Err(failure.with_hint(match closest(name, names.into_iter()) {
        Some(near) => format!(
            "Did you mean {near}? {}",
            spelling.run_skill(near, &Value::Object(Map::new()), false)
        ),
        None => format!(
            "Choose one of the listed skills, or search: {}",
            spelling.discover("…")
        ),
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
