//! Secrets, for what JavaScript does by itself: its own output, and the command that keeps them.

use agent_tools_runtime::{
    Failure,
    fault::contained,
    secrets::{self, store},
};
use napi::Env;
use napi_derive::napi;

use crate::error::to_js;

/// The text without known secrets and without what has the shape of a token.
#[napi]
#[cfg_attr(test, allow(dead_code, reason = "only JavaScript calls it"))]
pub fn scrub(env: Env, text: String) -> napi::Result<String> {
    let scrubbed = contained(|| secrets::scrub(&text).into_owned());
    scrubbed.map_err(|failure| to_js(&env, &failure))
}

/// Keeps a secret: `{name, keptIn, path?}`.
#[napi]
#[cfg_attr(test, allow(dead_code, reason = "only JavaScript calls it"))]
pub fn secret_set(env: Env, name: String, value: String) -> napi::Result<String> {
    answer(&env, || store::set(&name, &value))
}

/// The secrets for which a file is kept: `[{name, keptIn, path}]`.
#[napi]
#[cfg_attr(test, allow(dead_code, reason = "only JavaScript calls it"))]
pub fn secret_list(env: Env) -> napi::Result<String> {
    answer(&env, store::list)
}

/// Removes a secret that is kept.
#[napi]
#[cfg_attr(test, allow(dead_code, reason = "only JavaScript calls it"))]
pub fn secret_remove(env: Env, name: String) -> napi::Result<()> {
    let removed = contained(|| store::remove(&name)).flatten();
    removed.map_err(|failure| to_js(&env, &failure))
}

fn answer(
    env: &Env,
    work: impl FnOnce() -> Result<serde_json::Value, Failure>,
) -> napi::Result<String> {
    contained(work)
        .flatten()
        .map(|value| value.to_string())
        .map_err(|failure| to_js(env, &failure))
}
