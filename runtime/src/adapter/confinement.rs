//! What a child process may use and reach: limits of what it takes from the system, and a sandbox.
//!
//! Both are said per plugin. A child gets them together with its start, before its program runs a single instruction:
//! limits by a shell that sets them and becomes the program, the sandbox by the best that the system has.

mod limits;
mod sandbox;
#[cfg(all(test, target_os = "linux"))]
mod tests;

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;

pub use limits::ChildLimits;
pub(super) use limits::Overrun;
pub(super) use sandbox::Jail;
pub use sandbox::SandboxSettings;

use super::program::ChildCommand;
use crate::reply::Failure;

/// What holds for the child processes of one plugin.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Confinement {
    /// How much a program may take of the system.
    pub limits: Option<ChildLimits>,
    /// What a program may reach: `true`, `"required"`, or more precisely. See docs/isolation.md.
    pub sandbox: Option<SandboxSettings>,
}

impl Confinement {
    /// Whether nothing is said.
    pub(crate) fn is_none(&self) -> bool {
        self.limits.is_none() && self.sandbox.as_ref().is_none_or(|sandbox| !sandbox.is_on())
    }

    /// What is asked for and cannot be had on this system, a sentence each.
    pub(crate) fn shortfalls(&self) -> Vec<String> {
        let of_limits = self.limits.iter().filter_map(ChildLimits::shortfall);
        let of_sandbox = self.sandbox.iter().filter_map(SandboxSettings::shortfall);
        of_limits.chain(of_sandbox).collect()
    }

    /// Has a command run within all of it. `home` is the plugin's folder.
    pub(super) fn apply(
        &self,
        mut command: ChildCommand,
        home: &Path,
    ) -> Result<ChildCommand, Failure> {
        if let Some(sandbox) = self.sandbox.as_ref().filter(|sandbox| sandbox.is_on()) {
            command = sandbox.apply(command, home)?;
        }
        if let Some(limits) = &self.limits {
            command = limits.apply(command);
        }
        Ok(command)
    }
}
