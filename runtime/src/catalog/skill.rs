//! One skill: a recipe that its plugin's author wrote, run as one call.

use super::Schema;
use crate::checksum;

/// A link from a skill to one that serves the same purpose elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Related {
    /// `prefix:skill`.
    pub target: String,
    /// When to prefer it.
    #[serde(default)]
    pub why: String,
}

/// One skill of a plugin.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skill {
    /// The module's base name.
    pub name: String,
    /// What it does.
    #[serde(default)]
    pub description: String,
    /// The arguments, in prose.
    #[serde(default)]
    pub args: Option<String>,
    /// JSON Schema of the arguments, where the skill declares one.
    #[serde(default)]
    pub input_schema: Option<Schema>,
    /// Links to other skills.
    #[serde(default)]
    pub related: Vec<Related>,
    /// Changes nothing.
    #[serde(default)]
    pub read_only: bool,
    /// Answers before its work is done: calls that it makes later are still let through.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// Why the skill's module could not be loaded; such a skill is listed, and refused when run.
    #[serde(default)]
    pub error: Option<String>,
}

impl Skill {
    /// Stands for the skill as it describes itself.
    pub(crate) fn definition(&self) -> String {
        checksum::hex(&serde_json::to_string(self).unwrap_or_default())
    }
}
