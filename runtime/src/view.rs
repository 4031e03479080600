//! Which tools a client is shown.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;

/// Which tools a client sees.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct View {
    /// How the catalogue is shown.
    pub kind: ViewKind,
    /// Only this plugin.
    pub plugin: Option<String>,
}

/// How the catalogue is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ViewKind {
    /// Three tools per plugin: `_discover`, `_call`, `_run_skill`.
    #[default]
    Facade,
    /// The same three once, over all plugins.
    Unified,
    /// One typed tool per tool and skill.
    Flat,
    /// `flat` where that costs no more than finding a tool in `unified`, else `unified`.
    Auto,
}

impl fmt::Display for ViewKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Facade => "facade",
            Self::Unified => "unified",
            Self::Flat => "flat",
            Self::Auto => "auto",
        })
    }
}
