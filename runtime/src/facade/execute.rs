//! One tool call, from the name to the service's answer: the same way for facade, flat view and skills.

use serde_json::{Map, Value, json};

use super::{
    Facade,
    literal::{self, Caller},
    sending::send,
};
use crate::{
    adapter::CallContext,
    catalog::{Catalogue, Tool},
    guard::{
        Consent, Seen, add_key, checked_arguments, closest, fingerprint, nested_in, refusal,
        require_consent,
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
        // What a skill calls is bounded by the skill; its failures are not the model's.
        let counts = !matches!(request.caller, Caller::Skill { .. });
        let name = request.tool;
        if counts {
            let (session, shared) = (&context.session, context.shared_session);
            self.repeats
                .check(session, shared, plugin.prefix(), name, request.consent)?;
        }
        let found = find(plugin, name).await;
        let tool = found.as_ref().ok().cloned();
        let checked = match found.and_then(|tool| check(plugin, tool, request, notes)) {
            Ok(checked) => checked,
            Err(failure) if counts => {
                return Err(self.counted(plugin, name, failure, 0, tool.as_ref(), context));
            }
            Err(failure) => return Err(failure),
        };
        let print = fingerprint(&checked.arguments);
        if counts {
            self.repeats
                .check_arguments(&context.session, plugin.prefix(), name, print)?;
        }
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
            Err(failure) => Err(self.counted(plugin, name, failure, print, Some(&tool), context)),
        }
    }

    /// Counts a failure. One that is seen often explains everything, and one that is seen too often only says stop.
    pub(super) fn counted(
        &self,
        plugin: &Plugin,
        target: &str,
        failure: Failure,
        print: u64,
        tool: Option<&Tool>,
        context: &CallContext,
    ) -> Failure {
        let (seen, failures) = self.repeats.failed(
            &context.session,
            plugin.prefix(),
            target,
            failure.code,
            print,
        );
        match seen {
            Seen::Few => failure,
            Seen::Often => explained(plugin, failure, failures, tool),
            Seen::TooOften => refusal(target, failure.code, failures),
        }
    }
}

/// The full schema and an example, for a caller that has not understood the shorter answers.
fn explained(plugin: &Plugin, failure: Failure, failures: u32, tool: Option<&Tool>) -> Failure {
    let prefix = plugin.prefix();
    let mut failure = failure.with("failures", failures);
    let example = match tool {
        Some(tool) => {
            let schema = tool.input_schema.clone();
            let whole = Value::Object(Map::clone(&schema));
            if whole.to_string().len() <= MAX_SCHEMA {
                failure.fields.insert("schema".into(), whole);
            }
            literal::call(
                prefix,
                &tool.name,
                &literal::placeholders(&schema),
                !plugin.trusts(tool) && plugin.manifest.require_confirm,
            )
        }
        None => literal::call(prefix, "<name>", &json!({}), false),
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

fn check(
    plugin: &Plugin,
    tool: Tool,
    request: Request<'_>,
    notes: &mut Vec<String>,
) -> Result<Checked, Failure> {
    let Request {
        tool: name,
        arguments,
        consent,
        idempotency_key,
        caller,
    } = request;
    let mut arguments = nested_in(arguments, tool.declares("arguments"), notes);
    if let Some(key) = idempotency_key {
        add_key(&tool, &mut arguments, key, notes);
    }
    let arguments = checked_arguments(&tool.input_schema, arguments, notes, |example| {
        caller.literal(name, example, consent == Consent::Given)
    })?;
    let retry = caller.literal(name, &Value::Object(arguments.clone()), true);
    require_consent(
        &plugin.manifest,
        name,
        plugin.trusts(&tool),
        consent,
        &retry,
    )
    .map_err(|failure| match tool.hints.read_only {
        false => failure,
        true => Failure {
            error: format!(
                "{name} only read, but its definition has changed since it was first listed, and `confirm: true` was not given; nothing was sent"
            ),
            ..failure
        },
    })?;
    if consent == Consent::Given {
        plugin.agreed(name);
    }
    Ok(Checked { tool, arguments })
}

async fn find(plugin: &Plugin, name: &str) -> Result<Tool, Failure> {
    let catalogue = plugin.catalogue().await?;
    if let Some(tool) = catalogue.tools.get(name) {
        return vouched_for(plugin, tool.clone());
    }
    // It may be new, or one that the service knows but does not list.
    let catalogue = plugin.fresh_catalogue().await?;
    if let Some(tool) = catalogue.tools.get(name) {
        return vouched_for(plugin, tool.clone());
    }
    if let Some(tool) = plugin.describe(name).await {
        return Ok(tool);
    }
    Err(unknown(plugin, &catalogue, name))
}

/// What a service said that may say something else now frees nothing from consent, and nothing is repeated for it.
fn vouched_for(plugin: &Plugin, mut tool: Tool) -> Result<Tool, Failure> {
    if let Some(failure) = plugin.why_stopped() {
        return Err(failure);
    }
    if plugin.is_outdated() {
        tool.hints.read_only = plugin.manifest.readonly_tools.contains(&tool.name);
        tool.hints.idempotent = None;
    }
    Ok(tool)
}

fn unknown(plugin: &Plugin, catalogue: &Catalogue, name: &str) -> Failure {
    if let Some(problem) = &catalogue.problem {
        return problem.clone();
    }
    let prefix = plugin.prefix();
    let failure = Failure::new(
        Code::UnknownTool,
        format!("{prefix} has no tool {name:?}; nothing was sent"),
    );
    if catalogue.skills.contains_key(name) {
        let retry = literal::run_skill(prefix, name, &Value::Object(Map::new()), false);
        return failure.with_hint(format!("{name} is a skill. Run it: {retry}"));
    }
    let search = format!(
        "agent_tools_{prefix}_discover {{\"query\":{}}}",
        Value::from(name)
    );
    failure.with_hint(
        match closest(name, catalogue.tools.keys().map(String::as_str)) {
            Some(near) => format!("Did you mean {near}? Otherwise search: {search}"),
            None => format!("Do not guess names; search: {search}"),
        },
    )
}
