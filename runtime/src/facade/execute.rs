//! One tool call, from the name to the service's answer: the same way for facade, flat view and skills.

use serde_json::{Map, Value};

use super::literal::{self, Caller};
use crate::{
    adapter::CallContext,
    catalog::{Catalogue, Tool},
    guard::{Consent, checked_arguments, closest, nested_in, require_consent},
    plugin::Plugin,
    reply::{Code, Failure, UpstreamResult},
};

/// A call as the client asked for it.
pub(super) struct Request<'a> {
    pub tool: &'a str,
    pub arguments: Map<String, Value>,
    pub consent: Consent,
    pub caller: Caller<'a>,
}

/// Checks and sends a call. Repairs are added to `notes`.
pub(super) async fn execute(
    plugin: &Plugin,
    request: Request<'_>,
    notes: &mut Vec<String>,
    context: &CallContext,
) -> Result<UpstreamResult, Failure> {
    let Request {
        tool: name,
        arguments,
        consent,
        caller,
    } = request;
    let tool = find(plugin, name).await?;
    let arguments = nested_in(arguments, tool.declares("arguments"), notes);
    let arguments = checked_arguments(&tool.input_schema, arguments, notes, |example| {
        caller.literal(name, example, consent == Consent::Given)
    })?;
    let retry = caller.literal(name, &Value::Object(arguments.clone()), true);
    require_consent(
        &plugin.manifest,
        name,
        tool.hints.read_only,
        consent,
        &retry,
    )?;
    send(plugin, &tool, arguments, context).await
}

async fn find(plugin: &Plugin, name: &str) -> Result<Tool, Failure> {
    let catalogue = plugin.catalogue().await?;
    if let Some(tool) = catalogue.tools.get(name) {
        return Ok(tool.clone());
    }
    // It may be new, or one that the service knows but does not list.
    let catalogue = plugin.fresh_catalogue().await?;
    if let Some(tool) = catalogue.tools.get(name) {
        return Ok(tool.clone());
    }
    if let Some(tool) = plugin.describe(name).await {
        return Ok(tool);
    }
    Err(unknown(plugin, &catalogue, name))
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

async fn send(
    plugin: &Plugin,
    tool: &Tool,
    arguments: Map<String, Value>,
    context: &CallContext,
) -> Result<UpstreamResult, Failure> {
    let adapter = plugin.adapter()?;
    let answer = tokio::select! {
        biased;
        () = context.cancel.cancelled() => Err(cancelled(&tool.name)),
        answer = tokio::time::timeout(context.deadline, adapter.call(&tool.name, arguments, context)) => {
            answer.unwrap_or_else(|_| Err(timed_out(&tool.name, context)))
        }
    };
    answer.map_err(|failure| honest_outcome(failure, tool))
}

pub(super) fn cancelled(what: &str) -> Failure {
    Failure::new(
        Code::Cancelled,
        format!("{what} was cancelled by the client before it answered"),
    )
}

fn timed_out(what: &str, context: &CallContext) -> Failure {
    Failure::new(
        Code::Timeout,
        format!(
            "{what} did not answer within {} s; the call was cancelled",
            context.deadline.as_secs_f32()
        ),
    )
    .with_hint("Ask for less at once, or try again later.")
}

/// When a change was sent and no answer came, nobody knows whether it happened, and the reply says so.
fn honest_outcome(failure: Failure, tool: &Tool) -> Failure {
    let may_have_run = matches!(
        failure.code,
        Code::Timeout | Code::PluginCrashed | Code::OutcomeUnknown
    );
    let safe = tool.hints.read_only || tool.hints.idempotent == Some(true);
    match (may_have_run, safe) {
        (true, false) => Failure::new(
            Code::OutcomeUnknown,
            format!("{}; {} may or may not have taken effect", failure.error, tool.name),
        )
        .with_hint("Do not repeat it. Look first whether the change is there, with a tool that only reads."),
        (true, true) if failure.code == Code::OutcomeUnknown => Failure { code: Code::UpstreamUnreachable, ..failure },
        _ => failure,
    }
}
