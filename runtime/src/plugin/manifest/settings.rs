//! What may be said of a plugin whatever the way to its service.

use std::time::Duration;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::adapter::Confinement;

/// The keys that every plugin may have, in its manifest and in the configuration file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PluginSettings {
    /// The plugin's name for people.
    pub name: Option<String>,
    /// What the service is, in one sentence.
    pub description: Option<String>,
    /// Globs of the tools and skills to offer; all when absent.
    pub include: Vec<String>,
    /// Globs of the tools and skills to leave out.
    pub exclude: Vec<String>,
    /// Names of tools that never change anything, whatever the service says.
    pub readonly_tools: Vec<String>,
    /// Names of skills that never change anything.
    pub readonly_skills: Vec<String>,
    /// Names of tools and skills that may destroy something.
    pub destructive_tools: Vec<String>,
    /// What the plugin is filed under, for rules of the policy.
    pub tags: Vec<String>,
    /// Whether what is not read-only needs consent; true when absent.
    pub require_confirm: Option<bool>,
    /// Files of skills: JSON for declarative ones, else JavaScript modules.
    pub skills: Vec<String>,
    /// One more sentence for the discover tool.
    pub discover_hint: Option<String>,
    /// Whether a child process is kept though it is not used.
    pub keep_alive: bool,
    /// How long a child process may stay unused before it is stopped, in milliseconds; ten minutes when absent.
    pub idle_ms: Option<u64>,
    /// How long its calls may take.
    #[serde(flatten)]
    pub timeouts: Timeouts,
    /// What its child process may use and reach.
    #[serde(flatten)]
    pub confinement: Confinement,
}

/// How long a plugin's calls may take, where it differs from the runtime's limits.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Timeouts {
    /// How long a call may take without an answer or progress, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// How long a call may take with all its progress, in milliseconds.
    pub max_total_ms: Option<u64>,
    /// `timeoutMs` of single tools, by name.
    pub tool_timeouts_ms: IndexMap<String, u64>,
    /// How long starting the service and listing what it offers may take, in milliseconds.
    pub start_timeout_ms: Option<u64>,
}

impl Timeouts {
    /// The limit without an answer or progress.
    pub fn of_tool(&self, tool: &str) -> Option<Duration> {
        let limit = self.tool_timeouts_ms.get(tool).copied().or(self.timeout_ms);
        limit.map(Duration::from_millis)
    }

    /// Adds limits of single tools that the plugin does not name here.
    pub(super) fn fill(&mut self, limits_ms: impl IntoIterator<Item = (String, u64)>) {
        for (tool, limit) in limits_ms {
            self.tool_timeouts_ms.entry(tool).or_insert(limit);
        }
    }

    /// The limit for starting and listing.
    pub fn start(&self) -> Option<Duration> {
        self.start_timeout_ms.map(Duration::from_millis)
    }

    /// The limit with all progress.
    pub fn total(&self) -> Option<Duration> {
        self.max_total_ms.map(Duration::from_millis)
    }
}
