//! Ending a process with everything below it.

use napi_derive::napi;

/// Sends SIGKILL to the process group that `pid` leads, and to the process. Nothing happens when it is gone.
#[napi]
pub fn kill_tree(pid: u32) {
    agent_tools_runtime::adapter::kill_group(pid);
}
