//! `POST /page/data/call`: a call that the person makes, by the same way as every other one. The answer is a stream: questions, progress, and
//! how it ended. A page that stops reading takes the call back.

use std::{sync::Arc, time::Instant};

use axum::{
    extract::{Request, State},
    response::Response,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::{Page, data, events, events::Events, questions::ByDialog, refusal::Refusal};
use crate::{
    Call, Failure, Reply, View, ViewKind,
    adapter::Progress,
    approval::Subject,
    audit::{Client, Door},
};

/// What the call log has for the client, and for its session.
pub(super) const NAME: &str = "page";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    plugin: String,
    kind: Subject,
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

pub(super) async fn call(State(page): State<Page>, request: Request) -> Result<Response, Refusal> {
    let wanted: Wanted = data::read(&page, request).await?;
    let made = page.clone();
    events::stream(&page, |events| run(made, wanted, events))
}

async fn run(page: Page, wanted: Wanted, events: Events) {
    let began = Instant::now();
    let cancel = CancellationToken::new();
    let call = to_call(&page, wanted, &events).cancelled_by(cancel.clone());
    let calling = page.runtime().call(call);
    tokio::pin!(calling);
    let outcome = tokio::select! {
        outcome = &mut calling => outcome,
        () = events.unread() => {
            cancel.cancel();
            let _ = calling.await;
            return;
        }
    };
    let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    events.send("result", &result(outcome, ms)).await;
}

/// `confirm` is what a model says so that a person is asked. Here the person calls, and is asked all the same.
fn to_call(page: &Page, wanted: Wanted, events: &Events) -> Call {
    let Wanted {
        plugin,
        kind,
        name,
        arguments,
    } = wanted;
    let (verb, key) = match kind {
        Subject::Tool => ("agent_tools_call", "toolName"),
        Subject::Skill => ("agent_tools_run_skill", "skill"),
    };
    let envelope = json!({ "plugin": plugin, key: name, "arguments": arguments, "confirm": true });
    let progress = {
        let events = events.clone();
        move |progress: Progress| events.try_send("progress", &json!(progress))
    };
    let asking = ByDialog {
        page: page.clone(),
        events: events.clone(),
    };
    Call::to(verb)
        .arguments(envelope)
        .view(View {
            kind: ViewKind::Unified,
            plugin: None,
        })
        .client(Client {
            door: Door::Http,
            name: Some(NAME.to_owned()),
            version: Some(page.runtime().version().to_owned()),
        })
        // Two tabs are two clients that look alike: none is silenced by what was refused in the other.
        .shared_session(NAME)
        .progress(Arc::new(progress))
        .approver(Arc::new(asking))
}

fn result(outcome: Result<Reply, Failure>, ms: u64) -> Value {
    let reply = outcome.unwrap_or_else(Reply::from);
    json!({ "content": reply.content, "isError": reply.is_error, "ms": ms })
}
