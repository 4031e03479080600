//! The key `policy` of `agent-tools.json`, and the option of the same name.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Decision, Headless};

/// What may be called, what the user is asked about, and what is not to be had. The strictest of several rules that
/// match in one level counts; a rule by tool goes before one by group, and that before the default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PolicyKeys {
    /// By tool or skill: globs of `<prefix>/<name>`, such as `github/delete_*`.
    pub tools: IndexMap<String, Decision>,
    /// By group: `plugin:<glob of prefixes>`, `tag:<tag>`, `readOnly`, `mutating` and `destructive`.
    pub groups: IndexMap<String, Decision>,
    /// For whatever no other rule names and that does not only read; `ask` when absent. `deny` denies what reads, too.
    pub default: Option<Decision>,
    /// What becomes of a call that is to be asked about, where nobody can be asked; `confirm` when absent.
    pub headless: Option<Headless>,
    /// How long an answer is waited for, in milliseconds; no answer means no. Five minutes when absent.
    pub ask_timeout_ms: Option<u64>,
    /// Globs of the prefixes of plugins whose word counts on what is read-only and needs no consent.
    pub trust: Vec<String>,
    /// Globs of tools and skills (`<prefix>/<name>`) that never change anything, whatever their service says.
    pub readonly_tools: Vec<String>,
    /// Globs of tools and skills (`<prefix>/<name>`) that may destroy something.
    pub destructive_tools: Vec<String>,
}
