//! What a host opens the runtime with.

mod chosen_by;
pub(crate) mod import;
pub(crate) mod jsonc;
pub(crate) mod keys;
pub(crate) mod locate;
mod projects;

use std::{fmt, path::PathBuf, time::Duration};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    audit::{AuditSettings, TelemetrySettings},
    network::NetworkSettings,
    policy::PolicyKeys,
    redacted::Redacted,
    trust::TrustSettings,
    view::ViewKind,
};

pub use chosen_by::ChosenBy;
pub(crate) use locate::own_file;
pub(crate) use projects::ProjectKeys;

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
    /// Where services may lead to besides the public internet; added to what the user's file says.
    #[serde(default)]
    pub network: NetworkSettings,
    /// Which tools servers show whose caller does not say: the commands `mcp` and `http`.
    #[serde(default)]
    pub view: Option<ViewKind>,
    /// Tools and skills shown directly beside the verbs of the facade and unified views: globs of `<prefix>/<name>`.
    #[serde(default)]
    pub pin: Option<Vec<String>>,
    /// What may be called, what the user is asked about, and what is not to be had; beside what the files say.
    #[serde(default)]
    pub policy: Option<PolicyKeys>,
    /// Whether what plugins offer is kept on disk, so that the next run can show it before they start; yes when absent.
    #[serde(default)]
    pub cache: Option<bool>,
    /// Where it is kept; the user's cache folder when absent (`AGENT_TOOLS_CACHE_DIR`).
    #[serde(default)]
    pub cache_dir: Option<PathBuf>,
    /// Who embeds the runtime, for the call log.
    #[serde(default)]
    pub client: Option<ClientName>,
    /// The call log.
    #[serde(default)]
    pub audit: Option<AuditSettings>,
    /// Where spans of calls are sent.
    #[serde(default)]
    pub telemetry: Option<TelemetrySettings>,
    /// Where what must not get lost is kept, such as which definitions are trusted; the user's data folder when absent
    /// (`AGENT_TOOLS_DATA_DIR`).
    #[serde(default)]
    pub data_dir: Option<PathBuf>,
    /// How much is asked of what services say about their tools; what the user's own file says when absent. A project's file
    /// may ask for more.
    #[serde(default)]
    pub trust: Option<TrustSettings>,
    /// Whether plugins are looked for again when a file of theirs changes.
    #[serde(default)]
    pub watch: bool,
    /// The version that servers and clients are told; the crate's own when absent.
    #[serde(default)]
    pub version: Option<String>,
}

/// A program, as it calls itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientName {
    /// Its name.
    pub name: String,
    /// Its version.
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
            .field("network", &self.network)
            .field("view", &self.view)
            .field("pin", &self.pin)
            .finish_non_exhaustive()
    }
}

impl Options {
    /// Takes what the configuration file says where the embedding program says nothing.
    pub(crate) fn take_defaults(&mut self, defaults: Defaults) {
        if self.deadlines == Deadlines::default() {
            self.deadlines = defaults.deadlines.unwrap_or_default();
        }
        if self.repeats == RepeatLimits::default() {
            self.repeats = defaults.repeats.unwrap_or_default();
        }
        let also = defaults.network.unwrap_or_default();
        self.network.allow.extend(also.allow);
        self.view = self.view.or(defaults.view);
        self.pin = self.pin.take().or(defaults.pin);
        let audit = self.audit.get_or_insert_default();
        audit.fill_from_environment();
        audit.fill(defaults.audit);
        let telemetry = self.telemetry.get_or_insert_default();
        telemetry.fill(defaults.telemetry);
        telemetry.fill_from_environment();
        let user = self.trust.take().or(defaults.trust).unwrap_or_default();
        let (trust, _) = user.tightened_by(defaults.project_trust.unwrap_or_default());
        self.trust = Some(trust);
    }
}

/// What configuration files say of the runtime as a whole.
#[derive(Debug, Default)]
pub(crate) struct Defaults {
    /// Time limits.
    pub deadlines: Option<Deadlines>,
    /// Limits of repeated failures.
    pub repeats: Option<RepeatLimits>,
    /// Where services may lead to.
    pub network: Option<NetworkSettings>,
    /// Which tools servers show.
    pub view: Option<ViewKind>,
    /// Tools that are shown directly.
    pub pin: Option<Vec<String>>,
    /// The call log.
    pub audit: AuditSettings,
    /// Where spans of calls are sent.
    pub telemetry: TelemetrySettings,
    /// How much the user's own file asks of definitions.
    pub trust: Option<TrustSettings>,
    /// How much a project's file asks of them.
    pub project_trust: Option<TrustSettings>,
}

impl Defaults {
    /// Takes what a less important file says where nothing is said yet.
    pub(crate) fn fill(&mut self, other: Self) {
        self.deadlines = self.deadlines.or(other.deadlines);
        self.repeats = self.repeats.or(other.repeats);
        self.network = self.network.take().or(other.network);
        self.view = self.view.or(other.view);
        self.pin = self.pin.take().or(other.pin);
        self.audit.fill(other.audit);
        self.telemetry.fill(other.telemetry);
        if let Some(trust) = other.trust {
            self.trust.get_or_insert_default().fill(trust);
        }
        if let Some(asked) = other.project_trust {
            let other_project = self.project_trust.take().unwrap_or_default();
            self.project_trust = Some(other_project.strictest(asked));
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
