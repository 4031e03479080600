//! The definitions of one plugin that are trusted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::definition::{Checksums, Definition};

/// A longer definition is known by its checksums alone; a difference is told then, and not shown. In bytes.
const MAX_KEPT: usize = 16 * 1024;

/// Trusted definitions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Pins {
    /// By tool.
    pub tools: BTreeMap<String, Pin>,
    /// They are what was accepted before everything that there was had been seen: a tool that is not among them is none
    /// that has come since.
    pub partial: bool,
}

impl Pins {
    pub(crate) fn get(&self, tool: &str) -> Option<&Pin> {
        self.tools.get(tool)
    }

    /// With what is listed now, where that had not been seen.
    pub(crate) fn completed(mut self, listed: Self) -> Self {
        if self.partial {
            for (tool, pin) in listed.tools {
                self.tools.entry(tool).or_insert(pin);
            }
            self.partial = false;
        }
        self
    }
}

/// One trusted definition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pin {
    /// SHA-256 of the parts.
    sha256: Checksums,
    /// The text, to show what has changed in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<Definition>,
    /// The checksum of what the scan found in it when a person accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_findings: Option<String>,
    /// It lists what the service holds at the moment, so that any description is the right one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lists_data: bool,
}

impl Pin {
    pub(crate) fn of(definition: &Definition, lists_data: bool) -> Self {
        let size: usize = definition.parts().iter().map(|(_, text)| text.len()).sum();
        Self {
            sha256: definition.checksums(),
            definition: (size <= MAX_KEPT && !lists_data).then(|| definition.clone()),
            accepted_findings: None,
            lists_data,
        }
    }

    /// The names of the parts in which a definition is not the one that is trusted.
    pub(crate) fn differences(&self, now: &Checksums) -> Vec<&'static str> {
        self.sha256.differences(now)
    }
}
