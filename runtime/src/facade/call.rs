//! `_call`: one tool of a plugin, by name.

use serde_json::{Map, Value};

use super::{
    Facade,
    answer::{READ_MORE, read_on_by_call},
    execute::{Attempt, Request},
    literal::Caller,
    verbs::{Reach, Spelling, Verb},
};
use crate::{
    adapter::CallContext,
    audit::Target,
    guard::CallEnvelope,
    plugin::Plugin,
    reply::{Failure, Reply},
};

impl Facade {
    pub(super) async fn call(
        &self,
        plugin: &Plugin,
        reach: Reach,
        sent: Map<String, Value>,
        context: &CallContext,
    ) -> Reply {
        let spelling = reach.to(plugin.prefix());
        match CallEnvelope::read(sent, &spelling.addressee(Verb::Call)) {
            Ok(envelope) => self.call_read(plugin, spelling, envelope, context).await,
            Err(failure) => self.misshapen(plugin, spelling, failure, context).into(),
        }
    }

    /// As [`Facade::call`], once the call has been read.
    pub(super) async fn call_read(
        &self,
        plugin: &Plugin,
        spelling: Spelling<'_>,
        envelope: CallEnvelope,
        context: &CallContext,
    ) -> Reply {
        if envelope.tool == READ_MORE && !plugin.has_tool(READ_MORE).await {
            return self.read_more(&envelope.arguments, &read_on_by_call(spelling));
        }
        context.recording.aims_at(Target {
            plugin: plugin.prefix().to_owned(),
            kind: "tool",
            name: envelope.tool.clone(),
            arguments: envelope.arguments.clone(),
        });
        let receipt = self.receipt(plugin.prefix(), &envelope.tool, context);
        let mut notes = envelope.notes;
        let request = Request {
            tool: &envelope.tool,
            arguments: envelope.arguments,
            consent: envelope.confirm.into(),
            idempotency_key: envelope.idempotency_key,
            caller: Caller::Facade(spelling),
            within: None,
        };
        match self.execute(plugin, request, &mut notes, context).await {
            Ok(answered) => self.answer(
                spelling,
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
        spelling: Spelling<'_>,
        failure: Failure,
        context: &CallContext,
    ) -> Failure {
        context.recording.aims_at(Target {
            plugin: plugin.prefix().to_owned(),
            kind: "tool",
            name: String::new(),
            arguments: Map::new(),
        });
        let attempt = Attempt {
            plugin,
            spelling,
            target: "",
            print: 0,
            tool: None,
        };
        self.counted(&attempt, failure, context)
    }
}
