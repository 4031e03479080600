//! One tool call, from the name to the service's answer: the same way for facade, flat view and skills.

use serde_json::{Map, Value, json};

use super::{
    Facade,
    literal::{self, Caller},
    sending::send,
    verbs::Spelling,
};
use crate::{
    adapter::CallContext,
    approval::{Decided, Subject},
    audit::Ending,
    catalog::{Catalogue, Tool},
    guard::{
        Consent, Seen, Wanted, add_key, checked_arguments, closest, denied, fingerprint, nested_in,
        refusal,
    },
    plugin::Plugin,
    reply::{Code, Failure, UpstreamResult},
};

/// A longer schema is never shown whole; the fields that are wrong are.
const MAX_SCHEMA: usize = 20_000;

/// A call as the client asked for it.
pub(super) struct Request<'a> {
    pub tool: &'a str,
    pub arguments: Map<String, Value>,
    pub consent: Consent,
    pub idempotency_key: Option<String>,
    pub caller: Caller<'a>,
    /// The decision about the run of the skill that makes the call.
    pub within: Option<&'a Decided>,
}

/// Who asks, and what they agreed to.
struct Asked<'a> {
    consent: Consent,
    caller: Caller<'a>,
    within: Option<&'a Decided>,
}

impl<'a> Request<'a> {
    fn asked(&self) -> Asked<'a> {
        Asked {
            consent: self.consent,
            caller: self.caller,
            within: self.within,
        }
    }
}

/// What failed, for the count of failures and for what is said about it.
pub(super) struct Attempt<'a> {
    pub plugin: &'a Plugin,
    pub spelling: Spelling<'a>,
    /// The tool's name, `skill <name>`, or nothing when the call had neither.
    pub target: &'a str,
    /// The fingerprint of the arguments; 0 for a call that was never sent.
    pub print: u64,
    pub tool: Option<&'a Tool>,
}

/// A call that was sent and answered.
pub(super) struct Answered {
    pub tool: Option<Tool>,
    pub result: UpstreamResult,
}

/// A call that may be sent.
struct Checked {
    tool: Tool,
    arguments: Map<String, Value>,
}

impl Facade {
    /// Checks and sends a call. Repairs are added to `notes`.
    pub(super) async fn execute(
        &self,
        plugin: &Plugin,
        request: Request<'_>,
        notes: &mut Vec<String>,
        context: &CallContext,
    ) -> Result<Answered, Failure> {
        let outcome = self.check_and_send(plugin, request, notes, context).await;
        let is_error = outcome.as_ref().map(|answered| answered.result.is_error);
        context.recording.ended(Ending::of(is_error));
        outcome
    }

    async fn check_and_send(
        &self,
        plugin: &Plugin,
        request: Request<'_>,
        notes: &mut Vec<String>,
        context: &CallContext,
    ) -> Result<Answered, Failure> {
        // What a skill calls is bounded by the skill; its failures are not the model's.
        let counts = !matches!(request.caller, Caller::Skill { .. });
        let name = request.tool;
        let spelling = request.caller.spelling();
        let attempt = |print, tool| Attempt {
            plugin,
            spelling,
            target: name,
            print,
            tool,
        };
        if counts {
            let (session, shared) = (&context.session, context.shared_session);
            self.repeats
                .check(session, shared, plugin.prefix(), name, request.consent)?;
        }
        let found = find(plugin, spelling, name).await;
        let tool = found.as_ref().ok().cloned();
        let refused = |failure: Failure| match counts {
            true => self.counted(&attempt(0, tool.as_ref()), failure, context),
            false => failure,
        };
        let asked = request.asked();
        let checked = found
            .and_then(|tool| check(tool, request, notes))
            .map_err(refused)?;
        let print = fingerprint(&checked.arguments);
        if counts {
            self.repeats
                .check_arguments(&context.session, plugin.prefix(), name, print)?;
        }
        self.agree(plugin, &checked, asked, context)
            .await
            .map_err(refused)?;
        context.recording.sending(&checked.arguments)?;
        let limits = self.limits(plugin, name);
        let answer = send(
            plugin,
            &checked.tool,
            checked.arguments,
            limits,
            notes,
            context,
        )
        .await;
        let tool = checked.tool;
        match answer {
            _ if !counts => answer.map(|result| Answered { tool: None, result }),
            Ok(result) if !result.is_error => {
                self.repeats.succeeded(&context.session, plugin.prefix());
                self.usage.count(plugin.prefix(), name);
                Ok(Answered {
                    tool: Some(tool),
                    result,
                })
            }
            Ok(result) => {
                self.repeats.failed(
                    &context.session,
                    plugin.prefix(),
                    name,
                    Code::ToolFailed,
                    print,
                );
                Ok(Answered {
                    tool: Some(tool),
                    result,
                })
            }
            Err(failure) => Err(self.counted(&attempt(print, Some(&tool)), failure, context)),
        }
    }

    /// Makes sure that the call is agreed to.
    async fn agree(
        &self,
        plugin: &Plugin,
        checked: &Checked,
        asked: Asked<'_>,
        context: &CallContext,
    ) -> Result<(), Failure> {
        let Checked { tool, arguments } = checked;
        let Asked {
            consent,
            caller,
            within,
        } = asked;
        let retry = caller.literal(&tool.name, &Value::Object(arguments.clone()), true);
        let mut judged = plugin.judged_tool(tool);
        let (_, mut ruling) = plugin.ruling_on_tool(tool);
        let mut asking = plugin.asking();
        if within.is_some() {
            // The rules may have changed since the run began.
            let now = self.plugin(plugin.prefix());
            let now = now.ok_or_else(|| gone(plugin.prefix(), &tool.name))?;
            ruling = ruling.stricter(now.ruling_on_tool(tool).1);
            judged = judged.graver(now.judged_tool(tool));
            asking = now.asking();
        }
        let wanted = Wanted {
            plugin: plugin.prefix(),
            name: &tool.name,
            subject: Subject::Tool,
            kind: judged.kind,
            kind_by: judged.by,
            changed: plugin.has_changed(tool),
            definition: &|| plugin.definition_of(tool),
            origin: &|| plugin.origin(),
            ruling,
            asking,
            arguments,
            consent,
            retry: &retry,
            within,
        };
        self.consents.require(&wanted, context).await?;
        if consent == Consent::Given {
            plugin.agreed(&tool.name);
        }
        Ok(())
    }

    /// Counts a failure. One that is seen often explains everything, and one that is seen too often only says stop.
    pub(super) fn counted(
        &self,
        attempt: &Attempt<'_>,
        failure: Failure,
        context: &CallContext,
    ) -> Failure {
        let (seen, failures) = self.repeats.failed(
            &context.session,
            attempt.plugin.prefix(),
            attempt.target,
            failure.code,
            attempt.print,
        );
        match seen {
            Seen::Few => failure,
            // An example would invite what the user does not want.
            Seen::Often if failure.code == Code::PolicyDenied => failure,
            Seen::Often => explained(attempt, failure, failures),
            Seen::TooOften => refusal(attempt.target, failure.code, failures),
        }
    }
}

/// What a skill that goes on is told where its plugin has been taken away.
fn gone(prefix: &str, tool: &str) -> Failure {
    let what = format!("{tool} was not called: the plugin {prefix} is no longer there");
    Failure::new(Code::Cancelled, what)
}

/// The full schema and an example, for a caller that has not understood the shorter answers.
fn explained(attempt: &Attempt<'_>, failure: Failure, failures: u32) -> Failure {
    let Attempt {
        plugin,
        spelling,
        tool,
        ..
    } = attempt;
    let mut failure = failure.with("failures", failures);
    let example = match tool {
        Some(tool) => {
            let schema = tool.input_schema.clone();
            let whole = Value::Object(Map::clone(&schema));
            if whole.to_string().len() <= MAX_SCHEMA {
                failure.fields.insert("schema".into(), whole);
            }
            spelling.call(
                &tool.name,
                &literal::placeholders(&schema),
                plugin.needs_confirm(tool),
            )
        }
        None => spelling.call("<name>", &json!({}), false),
    };
    failure.fields.insert("example".into(), json!(example));
    let stop = format!(
        "This has failed {failures} times. If the example does not help, stop and tell the user."
    );
    failure.hint = Some(match failure.hint {
        Some(hint) => format!("{hint} {stop}"),
        None => stop,
    });
    failure
}

fn check(tool: Tool, request: Request<'_>, notes: &mut Vec<String>) -> Result<Checked, Failure> {
    let Request {
        tool: name,
        arguments,
        consent,
        idempotency_key,
        caller,
        ..
    } = request;
    let mut arguments = nested_in(arguments, tool.declares("arguments"), notes);
    if let Some(key) = idempotency_key {
        add_key(&tool, &mut arguments, key, notes);
    }
    let arguments = checked_arguments(&tool.input_schema, arguments, notes, |example| {
        caller.literal(name, example, consent == Consent::Given)
    })?;
    Ok(Checked { tool, arguments })
}

async fn find(plugin: &Plugin, spelling: Spelling<'_>, name: &str) -> Result<Tool, Failure> {
    let catalogue = plugin.catalogue().await?;
    if let Some(tool) = catalogue.tools.get(name) {
        return vouched_for(plugin, tool.clone());
    }
    // It may be new, or one that the service knows but does not list.
    let catalogue = plugin.fresh_catalogue().await?;
    if let Some(tool) = catalogue.tools.get(name) {
        return vouched_for(plugin, tool.clone());
    }
    if let Some(refusal) = plugin.gate().refusal(name) {
        return Err(refusal);
    }
    if let Some(tool) = plugin.describe(name).await {
        return Ok(tool);
    }
    Err(unknown(plugin, spelling, &catalogue, name))
}

/// What a service said that may say something else now frees nothing from consent, and nothing is repeated for it.
fn vouched_for(plugin: &Plugin, mut tool: Tool) -> Result<Tool, Failure> {
    if let Some(failure) = plugin.why_stopped() {
        return Err(failure);
    }
    if plugin.is_outdated() {
        tool.hints.read_only = plugin.vouches_read_only(&tool.name);
        tool.hints.idempotent = None;
    }
    Ok(tool)
}

fn unknown(plugin: &Plugin, spelling: Spelling<'_>, catalogue: &Catalogue, name: &str) -> Failure {
    if let Some(ruling) = plugin.denies(Subject::Tool, name) {
        return denied(name, &ruling.rule);
    }
    if let Some(problem) = &catalogue.problem {
        return problem.clone();
    }
    let prefix = plugin.prefix();
    let failure = Failure::new(
        Code::UnknownTool,
        format!("{prefix} has no tool {name:?}; nothing was sent"),
    );
    if catalogue.skills.contains_key(name) {
        let retry = spelling.run_skill(name, &Value::Object(Map::new()), false);
        return failure.with_hint(format!("{name} is a skill. Run it: {retry}"));
    }
    let search = spelling.discover(name);
    failure.with_hint(
        match closest(name, catalogue.tools.keys().map(String::as_str)) {
            Some(near) => format!("Did you mean {near}? Otherwise search: {search}"),
            None => format!("Do not guess names; search: {search}"),
        },
    )
}
