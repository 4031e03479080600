//! `GET /page/data/live`: each call as it is recorded, whichever client made it, also by another process that writes to the same log.

use std::time::Duration;

use axum::{extract::State, response::Response};
use serde_json::{Value, json};

use super::{Page, data::blocking, events, events::Events, refusal::Refusal};
use crate::audit::inspect::{CallLog, Filter};

/// Calls that are shown at first, and at most at once.
const BEFORE: usize = 100;
const AT_ONCE: usize = 1000;
/// How often it is looked whether another process has written.
const LOOK: Duration = Duration::from_secs(1);

pub(super) async fn follow(State(page): State<Page>) -> Result<Response, Refusal> {
    let followed = page.clone();
    events::stream(&page, |events| async move {
        let shutdown = followed.runtime().shutdown_token();
        tokio::select! {
            biased;
            () = shutdown.cancelled() => {}
            () = events.unread() => {}
            () = tell(followed, &events) => {}
        }
    })
}

/// `calls` with what is new in the log, `changed` when plugins are, `problem` while the log cannot be read, `off` where there is none.
async fn tell(page: Page, events: &Events) {
    let runtime = page.runtime();
    let mut recorded = runtime.recorded();
    let mut changes = runtime.changes().subscribe();
    let log = runtime.call_log();
    if log.is_none() {
        events.send("off", &json!({})).await;
    }
    let mut end = None;
    loop {
        if let Some(log) = &log {
            recorded.mark_unchanged();
            let limit = if end.is_some() { AT_ONCE } else { BEFORE };
            match since(log.clone(), end, limit).await {
                Ok(lines) => {
                    let newest = lines.iter().filter_map(|line| line["seq"].as_u64()).max();
                    let calls: Vec<Value> = lines
                        .into_iter()
                        .filter(|line| line["kind"] == "call")
                        .collect();
                    if (end.is_none() || !calls.is_empty())
                        && !events.send("calls", &json!({ "calls": calls })).await
                    {
                        return;
                    }
                    end = newest.or(end).or(Some(0));
                }
                Err(Refusal::Failed(failure)) => {
                    events.try_send("problem", &failure.to_payload());
                }
                Err(_) => return,
            }
        }
        tokio::select! {
            _ = recorded.changed(), if log.is_some() => {}
            _ = changes.changed() => {
                if !events.send("changed", &json!({})).await {
                    return;
                }
            }
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

async fn since(log: CallLog, after: Option<u64>, limit: usize) -> Result<Vec<Value>, Refusal> {
    let filter = Filter {
        after,
        ..Filter::default()
    };
    let listed = blocking(move || log.list(&filter, limit)).await?;
    Ok(match listed {
        Value::Object(mut listed) => match listed.remove("lines") {
            Some(Value::Array(lines)) => lines,
            _ => Vec::new(),
        },
        _ => Vec::new(),
    })
}
