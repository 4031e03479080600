//! `_call`: one tool of a plugin, by name.

use serde_json::{Map, Value};

use super::{
    Facade,
    answer::{READ_MORE, read_on_by_call},
    execute::Request,
    literal::Caller,
};
use crate::{
    adapter::CallContext,
    guard::CallEnvelope,
    plugin::Plugin,
    reply::{Failure, Reply},
};

impl Facade {
    pub(super) async fn call(
        &self,
        plugin: &Plugin,
        sent: Map<String, Value>,
        context: &CallContext,
    ) -> Reply {
        let prefix = plugin.prefix();
        let envelope = match CallEnvelope::read(sent, &format!("agent_tools_{prefix}_call")) {
            Ok(envelope) => envelope,
            Err(failure) => return self.misshapen(plugin, failure, context).into(),
        };
        if envelope.tool == READ_MORE && !plugin.has_tool(READ_MORE).await {
            return self.read_more(&envelope.arguments, &read_on_by_call(prefix));
        }
        let receipt = self.receipt(prefix, &envelope.tool);
        let mut notes = envelope.notes;
        let request = Request {
            tool: &envelope.tool,
            arguments: envelope.arguments,
            consent: envelope.confirm.into(),
            idempotency_key: envelope.idempotency_key,
            caller: Caller::Facade { prefix },
        };
        match self.execute(plugin, request, &mut notes, context).await {
            Ok(answered) => self.answer(
                prefix,
                answered.tool.as_ref(),
                answered.result,
                notes,
                &receipt,
            ),
            Err(failure) => failure.with("receipt", receipt.to_json()).into(),
        }
    }

    /// A call whose shape cannot be read has no tool to be counted by; it is counted by its plugin.
    pub(super) fn misshapen(
        &self,
        plugin: &Plugin,
        failure: Failure,
        context: &CallContext,
    ) -> Failure {
        self.counted(plugin, "", failure, 0, None, context)
    }
}
