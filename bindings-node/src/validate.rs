//! Looking at plugins and configuration files without starting anything.

use std::path::Path;

use napi_derive::napi;

/// What is wrong with a plugin's folder or a configuration file: a JSON array of `{error, message}`.
#[napi]
#[cfg_attr(test, allow(dead_code, reason = "only JavaScript calls it"))]
pub async fn validate(path: String) -> napi::Result<String> {
    let problems = agent_tools_runtime::validate(Path::new(&path)).await;
    serde_json::to_string(&problems).map_err(|error| napi::Error::from_reason(error.to_string()))
}
