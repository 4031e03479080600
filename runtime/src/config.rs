//! What a host opens the runtime with.

pub(crate) mod import;
pub(crate) mod jsonc;
pub(crate) mod keys;
pub(crate) mod locate;

use std::{fmt, path::PathBuf, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::redacted::Redacted;

/// Options of [`Runtime::open`](crate::Runtime::open). Every field may be absent.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Options {
    /// Folders that hold `agent-tools-plugin-*` folders, or are one.
    #[serde(default)]
    pub plugin_dirs: Vec<PathBuf>,
    /// The folder of the package that embeds the runtime; plugins are found in it and in `node_modules` upwards.
    #[serde(default)]
    pub package_root: Option<PathBuf>,
    /// Plugins without a folder, in the shape of a manifest's extension.
    #[serde(default)]
    pub plugins: Vec<Value>,
    /// Whether `agent-tools.json` is read, and which.
    #[serde(default)]
    pub config: ConfigChoice,
    /// Time limits.
    #[serde(default)]
    pub deadlines: Deadlines,
    /// When repeated failures are explained, and when they are refused.
    #[serde(default)]
    pub repeats: RepeatLimits,
    /// Whether what plugins offer is kept on disk, so that the next run can show it before they start; yes when absent.
    #[serde(default)]
    pub cache: Option<bool>,
    /// Where it is kept; the user's cache folder when absent (`AGENT_TOOLS_CACHE_DIR`).
    #[serde(default)]
    pub cache_dir: Option<PathBuf>,
    /// Whether plugins are looked for again when a file of theirs changes.
    #[serde(default)]
    pub watch: bool,
    /// The version that servers and clients are told; the crate's own when absent.
    #[serde(default)]
    pub version: Option<String>,
}

/// Plugins hold whatever their services need, secrets included.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plugins: Vec<Redacted> = self.plugins.iter().map(|_| Redacted).collect();
        f.debug_struct("Options")
            .field("plugin_dirs", &self.plugin_dirs)
            .field("package_root", &self.package_root)
            .field("plugins", &plugins)
            .field("config", &self.config)
            .field("deadlines", &self.deadlines)
            .field("repeats", &self.repeats)
            .finish_non_exhaustive()
    }
}

impl Options {
    /// Takes what the configuration file says where the embedding program says nothing.
    pub(crate) fn take_defaults(
        &mut self,
        deadlines: Option<Deadlines>,
        repeats: Option<RepeatLimits>,
    ) {
        if self.deadlines == Deadlines::default() {
            self.deadlines = deadlines.unwrap_or_default();
        }
        if self.repeats == RepeatLimits::default() {
            self.repeats = repeats.unwrap_or_default();
        }
    }
}

/// Which `agent-tools.json` is read.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum ConfigChoice {
    /// Those that are found: the one that the variable `AGENT_TOOLS_CONFIG` names, or that of the working folder or the
    /// nearest folder above it and then that of the user. `false`: none.
    Searched(bool),
    /// This one alone.
    File(PathBuf),
}

impl Default for ConfigChoice {
    fn default() -> Self {
        Self::Searched(false)
    }
}

/// Time limits, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Deadlines {
    /// Starting an MCP server and listing what it offers. A first `npx` start downloads packages.
    pub load_ms: u64,
    /// Loading a plugin's modules and listing what they offer.
    pub module_ms: u64,
    /// One call without an answer or progress.
    pub call_ms: u64,
    /// One call with all its progress.
    pub total_ms: u64,
    /// One run of a skill, which may make many calls.
    pub skill_ms: u64,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            load_ms: 60_000,
            module_ms: 15_000,
            call_ms: 60_000,
            total_ms: 900_000,
            skill_ms: 300_000,
        }
    }
}

impl Deadlines {
    /// The limit for starting an MCP server and listing it.
    pub fn load(&self) -> Duration {
        Duration::from_millis(self.load_ms)
    }

    /// The limit for loading modules.
    pub fn module(&self) -> Duration {
        Duration::from_millis(self.module_ms)
    }

    /// The limit for one call without an answer or progress.
    pub fn call(&self) -> Duration {
        Duration::from_millis(self.call_ms)
    }

    /// The limit for one call with all its progress.
    pub fn total(&self) -> Duration {
        Duration::from_millis(self.total_ms)
    }

    /// The limit for one run of a skill.
    pub fn skill(&self) -> Duration {
        Duration::from_millis(self.skill_ms)
    }
}

/// When repeated failures of one tool are explained in full, and when they are refused unsent.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct RepeatLimits {
    /// From this answer on the full schema and an example are added.
    pub explain_from: u32,
    /// From this call on it is refused; 0 never refuses.
    pub refuse_from: u32,
    /// How long the first refusal lasts, in milliseconds; each further one lasts twice as long.
    pub pause_ms: u64,
}

impl Default for RepeatLimits {
    fn default() -> Self {
        Self {
            explain_from: 3,
            refuse_from: 5,
            pause_ms: 60_000,
        }
    }
}

impl RepeatLimits {
    pub(crate) fn pause(&self) -> Duration {
        Duration::from_millis(self.pause_ms)
    }
}
