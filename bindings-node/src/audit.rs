//! Reading the call log, without a runtime.

use std::path::PathBuf;

use agent_tools_runtime::{
    Code, Failure,
    audit::inspect::{CallLog, Filter, statistics, verify},
    config::ConfigChoice,
};
use napi::{Env, bindgen_prelude::PromiseRaw};
use napi_derive::napi;
use serde::Deserialize;
use serde_json::Value;

use crate::runtime::{parse, settle};

/// What is asked of a log, and of which.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Question {
    /// The log's folder, instead of where the environment and the configuration have it.
    dir: Option<PathBuf>,
    #[serde(default)]
    config: ConfigChoice,
    ask: Ask,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Ask {
    List { filter: Filter, limit: usize },
    Statistics { filter: Filter },
    Receipt { id: String },
    Verify { head: Option<String> },
}

/// Answers one question about the call log: `{dir?, config?, ask: {list | statistics | receipt | verify: {…}}}`.
#[napi(ts_return_type = "Promise<string>")]
#[cfg_attr(test, allow(dead_code, reason = "only JavaScript calls it"))]
pub fn read_audit(env: &Env, question: String) -> napi::Result<PromiseRaw<'_, String>> {
    settle(env, async move {
        let question: Question = parse(&question)?;
        let answered = tokio::task::spawn_blocking(move || answer(question)).await;
        let failed =
            |error: tokio::task::JoinError| Failure::new(Code::Internal, error.to_string());
        Ok(answered.map_err(failed)??.to_string())
    })
}

fn answer(question: Question) -> Result<Value, Failure> {
    let log = CallLog::find(question.dir, &question.config)?;
    match question.ask {
        Ask::List { filter, limit } => log.list(&filter, limit),
        Ask::Statistics { filter } => statistics(&log, &filter),
        Ask::Receipt { id } => log.receipt(&id),
        Ask::Verify { head } => verify(&log, head.as_deref()),
    }
}
