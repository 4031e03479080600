//! A tool that waits for a person.

use serde_json::{Value, json};

use super::{
    definition::Definition,
    diff,
    scan::{Finding, checksum_of},
    visible::visible,
};
use crate::reply::{Code, Failure};

/// Why a tool is held back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    /// The plugin did not have it when it was first seen.
    New,
    /// These parts of it are not what they were.
    Changed(Vec<&'static str>),
    /// The scan found something, and is told to hold such tools back.
    Suspicious,
}

/// A tool that is not listed, not found and not called until its definition is accepted.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub why: Why,
    /// The definition that is trusted, where it was kept.
    pub before: Option<Definition>,
    pub now: Definition,
    pub findings: Vec<Finding>,
}

impl Held {
    fn kind(&self) -> &'static str {
        match self.why {
            Why::New => "new",
            Why::Changed(_) => "changed",
            Why::Suspicious => "suspicious",
        }
    }

    /// Why it is held back, as a sentence without its end.
    fn reason(&self, plugin: &str, tool: &str) -> String {
        let tool = visible(tool);
        match &self.why {
            Why::New => format!("{tool} is new in {plugin}, whose tools were pinned before"),
            Why::Changed(parts) => {
                let verb = if parts.len() == 1 { "has" } else { "have" };
                let parts = parts.join(" and ");
                format!("the {parts} of {tool} {verb} changed since {plugin} was first used")
            }
            Why::Suspicious => {
                let mut kinds: Vec<&str> = Vec::new();
                for finding in &self.findings {
                    if !kinds.contains(&finding.kind.words()) {
                        kinds.push(finding.kind.words());
                    }
                }
                format!("{tool} of {plugin} has {}", kinds.join(" and "))
            }
        }
    }

    /// What a call of it is answered.
    pub(crate) fn failure(&self, plugin: &str, tool: &str) -> Failure {
        Failure::new(
            Code::DefinitionChanged,
            format!(
                "{}; it is held back, and nothing was sent",
                self.reason(plugin, tool)
            ),
        )
        .with_hint(format!(
            "Tell the user, who can look at it and accept it with: agent-tools trust {plugin}. Until then do without it."
        ))
    }

    /// `{tool, why, reason, findings, diff: [{part, lines}]}`; a line begins with `-`, `+` or a space.
    pub(crate) fn to_json(&self, plugin: &str, tool: &str) -> Value {
        let diff: Vec<Value> = diff::parts(self.before.as_ref(), &self.now, &self.why)
            .into_iter()
            .map(|(part, lines)| json!({ "part": part, "lines": lines }))
            .collect();
        json!({
            "tool": visible(tool),
            "why": self.kind(),
            "reason": self.reason(plugin, tool),
            "findings": self.findings,
            "diff": diff,
        })
    }

    /// What is accepted where it is accepted: of another one the text is another.
    pub(crate) fn digest(&self) -> String {
        let now = serde_json::to_string(&self.now).unwrap_or_default();
        format!("{now} {}", checksum_of(&self.findings))
    }
}
