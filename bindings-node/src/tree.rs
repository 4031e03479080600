//! Ending a process with everything below it.

use napi_derive::napi;

/// Sends SIGKILL to the process group that `pid` leads, and to the process. Nothing happens when it is gone.
#[napi]
#[cfg_attr(test, allow(dead_code, reason = "only JavaScript calls it"))]
pub fn kill_tree(pid: u32) {
    agent_tools_runtime::adapter::kill_group(pid);
}
