//! One service of the file: its keys, and the manifest they make.

use std::path::Path;

use schemars::JsonSchema;
use serde_json::{Map, Value};

use crate::{
    adapter::{CliSettings, OpenApiSettings},
    config::keys::{keys_of, unknown_key},
    plugin::{
        Manifest,
        manifest::{McpServer, PluginSettings},
    },
    reply::{Code, Failure},
};

/// What every service may have beside what its way needs.
#[derive(JsonSchema)]
#[allow(dead_code)]
struct ServiceKeys {
    /// Part of every tool's name, instead of the entry's own name.
    prefix: Option<String>,
    /// Whether the service is used; true when absent.
    enabled: Option<bool>,
    /// The opposite of `enabled`, as other clients have it.
    disabled: Option<bool>,
    #[serde(flatten)]
    settings: PluginSettings,
}

/// An entry of `mcpServers`.
#[derive(JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[allow(dead_code)]
pub(crate) struct McpEntry {
    #[serde(flatten)]
    service: ServiceKeys,
    #[serde(flatten)]
    server: McpServer,
}

/// An entry of `openapi`.
#[derive(JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[allow(dead_code)]
pub(crate) struct OpenApiEntry {
    #[serde(flatten)]
    service: ServiceKeys,
    #[serde(flatten)]
    api: OpenApiSettings,
}

/// An entry of `cli`.
#[derive(JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
#[allow(dead_code)]
pub(crate) struct CliEntry {
    #[serde(flatten)]
    service: ServiceKeys,
    #[serde(flatten)]
    program: CliSettings,
}

/// A section of the file, which says how its services are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Section {
    McpServers,
    OpenApi,
    Cli,
}

impl Section {
    /// The section's name in the file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::McpServers => "mcpServers",
            Self::OpenApi => "openapi",
            Self::Cli => "cli",
        }
    }

    /// The key of a manifest that means the same.
    fn way(self) -> &'static str {
        match self {
            Self::McpServers => "mcp",
            Self::OpenApi => "openapi",
            Self::Cli => "cli",
        }
    }

    fn known_keys(self) -> std::sync::Arc<[String]> {
        match self {
            Self::McpServers => keys_of::<McpEntry>(),
            Self::OpenApi => keys_of::<OpenApiEntry>(),
            Self::Cli => keys_of::<CliEntry>(),
        }
    }

    /// Whether a key of an entry is the manifest's, and not the way's.
    fn is_of_manifest(self, key: &str, common: &[String]) -> bool {
        // A document's operations are chosen by its own reader, which knows their tags too.
        let chosen_by_reader = self == Self::OpenApi && (key == "include" || key == "exclude");
        !chosen_by_reader && (key == "prefix" || common.iter().any(|known| known == key))
    }

    /// The manifest of an entry. `place` begins what is said about mistakes.
    pub(super) fn manifest(
        self,
        name: &str,
        entry: Map<String, Value>,
        dir: &Path,
        place: &str,
    ) -> Result<Manifest, Failure> {
        let misplaced = |what: String| format!("{place}: {what}");
        if let Some(wrong) = unknown_key(&entry, &self.known_keys()) {
            return Err(Failure::new(Code::ConfigInvalid, misplaced(wrong)));
        }
        let invalid = |what: &str| Failure::new(Code::ConfigInvalid, misplaced(what.to_owned()));
        for key in ["enabled", "disabled"] {
            if entry.get(key).is_some_and(|value| !value.is_boolean()) {
                return Err(invalid(&format!("`{key}` is neither true nor false")));
            }
        }
        if entry
            .get("include")
            .and_then(Value::as_array)
            .is_some_and(Vec::is_empty)
        {
            return Err(invalid(
                "`include` is empty, which would leave out every tool; leave the key out to offer all of them",
            ));
        }
        let common = keys_of::<PluginSettings>();
        let mut settings = Map::from_iter([
            ("prefix".to_owned(), Value::from(name)),
            ("name".to_owned(), Value::from(name)),
        ]);
        let mut rest = Map::new();
        // A program that is one tool is described as its tool is.
        if self == Self::Cli
            && !entry.contains_key("tools")
            && let Some(description) = entry.get("description")
        {
            rest.insert("description".into(), description.clone());
        }
        for (key, value) in entry {
            if self.is_of_manifest(&key, &common) {
                settings.insert(key, value);
            } else if key != "enabled" && key != "disabled" {
                rest.insert(key, value);
            }
        }
        settings.insert(self.way().into(), rest.into());
        Manifest::from_settings(&settings.into(), dir).map_err(|failure| Failure {
            error: misplaced(failure.error),
            ..failure
        })
    }
}

/// Whether an entry is to be used.
pub(super) fn is_on(entry: &Map<String, Value>) -> bool {
    let flag = |key: &str| entry.get(key).and_then(Value::as_bool);
    flag("enabled") != Some(false) && flag("disabled") != Some(true)
}
