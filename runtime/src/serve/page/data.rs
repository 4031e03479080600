//! What the page shows, as JSON.

use axum::{
    extract::{Query, Request, State, rejection::QueryRejection},
    http::header,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{Page, calls, refusal::Refusal};
use crate::{
    Call, Code, Failure, Runtime, SearchOptions, View, ViewKind,
    approval::Subject,
    audit::{
        Client, Door,
        inspect::{Filter, statistics, verify},
    },
    serve::body,
};

/// Hits of a search at most.
const MOST: usize = 100;

type Answer = Result<Response, Refusal>;
type Asked<T> = Result<Query<T>, QueryRejection>;

pub(super) fn json(value: &Value) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, value.to_string()).into_response()
}

/// The body, which is JSON.
pub(super) async fn read<T: DeserializeOwned>(page: &Page, request: Request) -> Result<T, Refusal> {
    let limit = page.0.body;
    let read = body::take(request.into_body(), limit).await;
    let bytes = read.map_err(|unread| Refusal::of_body(unread, limit))?;
    serde_json::from_slice(&bytes).map_err(|error| Refusal::Unreadable(error.to_string()))
}

/// Runs what reads files where that holds nobody up.
pub(super) async fn blocking(
    work: impl FnOnce() -> Result<Value, Failure> + Send + 'static,
) -> Result<Value, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    let failed = |error: tokio::task::JoinError| Failure::new(Code::Internal, error.to_string());
    Ok(done.map_err(failed)??)
}

fn asked<T>(query: Asked<T>) -> Result<T, Refusal> {
    let Query(query) = query.map_err(|error| Refusal::Unreadable(error.body_text()))?;
    Ok(query)
}

/// The plugins with their state, warnings, children, and how long the server has listened.
pub(super) async fn overview(State(page): State<Page>) -> Answer {
    let mut status = page.runtime().status();
    let up = page.0.since.elapsed().as_millis();
    status["upMs"] = json!(u64::try_from(up).unwrap_or(u64::MAX));
    Ok(json(&status))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfPlugin {
    plugin: String,
}

pub(super) async fn offers(State(page): State<Page>, query: Asked<OfPlugin>) -> Answer {
    let OfPlugin { plugin } = asked(query)?;
    Ok(json(&page.runtime().offers(&plugin).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfEntry {
    plugin: String,
    kind: Subject,
    name: String,
}

pub(super) async fn entry(State(page): State<Page>, query: Asked<OfEntry>) -> Answer {
    let OfEntry { plugin, kind, name } = asked(query)?;
    Ok(json(&page.runtime().describe(&plugin, kind, &name).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Searched {
    query: String,
    limit: usize,
}

/// The ranking with its reasons, what each hit is, and what a model would read of it.
pub(super) async fn search(State(page): State<Page>, query: Asked<Searched>) -> Answer {
    let Searched { query, limit } = asked(query)?;
    let runtime = page.runtime();
    let options = SearchOptions {
        limit: Some(limit.clamp(1, MOST)),
        explain: true,
        ..SearchOptions::default()
    };
    let mut found = runtime.search(&query, &options).await?;
    if let Some(hits) = found.get_mut("hits").and_then(Value::as_array_mut) {
        for hit in hits {
            describe(runtime, hit).await;
        }
    }
    if let Some(text) = shown_to_models(runtime, &query).await {
        found["reply"] = json!({ "text": text, "tokens": Runtime::tokens_of(&text) });
    }
    Ok(json(&found))
}

/// Adds what a hit is; a plugin that was taken away since then leaves it as it is.
async fn describe(runtime: &Runtime, hit: &mut Value) {
    let subject = match hit["kind"].as_str() {
        Some("skill") => Subject::Skill,
        _ => Subject::Tool,
    };
    let (plugin, name) = (hit["plugin"].as_str(), hit["name"].as_str());
    let (plugin, name) = (plugin.unwrap_or_default(), name.unwrap_or_default());
    if let Ok(known) = runtime.describe(plugin, subject, name).await {
        for key in ["title", "description", "effect", "decision"] {
            hit[key] = known[key].clone();
        }
    }
}

/// The reply of `discover` in the unified view. It reaches no plugin, and so is not recorded.
async fn shown_to_models(runtime: &Runtime, query: &str) -> Option<String> {
    let call = Call::to("agent_tools_discover")
        .arguments(json!({ "query": query }))
        .view(View {
            kind: ViewKind::Unified,
            plugin: None,
        })
        .client(Client {
            door: Door::Http,
            name: Some(calls::NAME.to_owned()),
            version: None,
        })
        .shared_session(calls::NAME);
    let reply = runtime.call(call).await.ok()?;
    let texts = reply
        .content
        .iter()
        .filter_map(|part| part["text"].as_str());
    Some(texts.collect::<Vec<_>>().join("\n"))
}

pub(super) async fn tokens(State(page): State<Page>) -> Answer {
    let mut costs = page.runtime().costs().await?;
    let status = page.runtime().status();
    costs["view"] = status["view"].clone();
    costs["auto"] = status["auto"].clone();
    Ok(json(&costs))
}

/// `{verdict, counts}` of the call log; `{off: true}` where calls are not recorded. The whole log is read.
pub(super) async fn record(State(page): State<Page>) -> Answer {
    let Some(log) = page.runtime().call_log() else {
        return Ok(json(&json!({ "off": true })));
    };
    let read = move || {
        let verdict = verify(&log, None)?;
        let counts = statistics(&log, &Filter::default())?;
        Ok(json!({ "verdict": verdict, "counts": counts }))
    };
    Ok(json(&blocking(read).await?))
}
