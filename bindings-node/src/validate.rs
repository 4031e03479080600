//! Looking at plugins and configuration files without starting anything.

use std::path::Path;

use napi::{Env, bindgen_prelude::PromiseRaw};
use napi_derive::napi;

use crate::runtime::{settle, to_text};

/// What is wrong with a plugin's folder or a configuration file: a JSON array of `{error, message}`.
#[napi(ts_return_type = "Promise<string>")]
#[cfg_attr(test, allow(dead_code, reason = "only JavaScript calls it"))]
pub fn validate(env: &Env, path: String) -> napi::Result<PromiseRaw<'_, String>> {
    settle(env, async move {
        let text = to_text(&agent_tools_runtime::validate(Path::new(&path)).await)?;
        Ok(agent_tools_runtime::secrets::scrub(&text).into_owned())
    })
}
