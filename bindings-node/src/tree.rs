//! Ending a process with everything below it.

use agent_tools_runtime::fault::contained;
use napi::Env;
use napi_derive::napi;

use crate::error::to_js;

/// Sends SIGKILL to the process group that `pid` leads, and to the process. Nothing happens when it is gone.
#[napi]
#[cfg_attr(test, allow(dead_code, reason = "only JavaScript calls it"))]
pub fn kill_tree(env: Env, pid: u32) -> napi::Result<()> {
    let killed = contained(|| agent_tools_runtime::adapter::kill_group(pid));
    killed.map_err(|failure| to_js(&env, &failure))
}
