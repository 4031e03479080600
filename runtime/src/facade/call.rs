//! `_call`: one tool of a plugin, by name.

use serde_json::{Map, Value};

use super::{
    execute::{Request, execute},
    literal::Caller,
};
use crate::{adapter::CallContext, guard::CallEnvelope, plugin::Plugin, reply::Reply};

pub(super) async fn run(plugin: &Plugin, sent: Map<String, Value>, context: &CallContext) -> Reply {
    let prefix = plugin.prefix();
    let example =
        format!("agent_tools_{prefix}_call {{\"toolName\":\"<name>\",\"arguments\":{{…}}}}");
    let envelope = match CallEnvelope::read(sent, &example) {
        Ok(envelope) => envelope,
        Err(failure) => return failure.into(),
    };
    let mut notes = envelope.notes;
    let request = Request {
        tool: &envelope.tool,
        arguments: envelope.arguments,
        consent: envelope.confirm.into(),
        caller: Caller::Facade { prefix },
    };
    match execute(plugin, request, &mut notes, context).await {
        Ok(result) => Reply::of_upstream(result, notes, &envelope.tool),
        Err(failure) => failure.into(),
    }
}
