//! What a user is told of definitions beside other warnings.

use std::sync::Arc;

use super::{imitation::imitations, visible::visible};
use crate::plugin::Plugin;

/// Tools and findings that are named of one plugin.
const MAX_NAMED: usize = 5;

/// What waits, what is suspicious and what can be mistaken, as far as the plugins have been listed.
pub(crate) fn trust_warnings(plugins: &[Arc<Plugin>]) -> Vec<String> {
    let mut warnings: Vec<String> = plugins
        .iter()
        .flat_map(|plugin| of_plugin(plugin))
        .collect();
    warnings.extend(imitations(plugins));
    warnings
}

fn of_plugin(plugin: &Plugin) -> Vec<String> {
    let prefix = plugin.prefix();
    let gate = plugin.gate();
    let mut warnings = Vec::new();
    if let Some(trouble) = gate.trouble() {
        warnings.push(format!(
            "{prefix}: {trouble}; changes of its tools are noticed within this run only. To write the file anew: agent-tools trust {prefix}"
        ));
    }
    let held = gate.held();
    if !held.is_empty() {
        let (count, verb) = match held.len() {
            1 => ("1 tool".to_owned(), "is"),
            many => (format!("{many} tools"), "are"),
        };
        let names: Vec<String> = held
            .iter()
            .take(MAX_NAMED)
            .map(|name| visible(name))
            .collect();
        let more = if held.len() > MAX_NAMED { ", …" } else { "" };
        warnings.push(format!(
            "{prefix}: {count} {verb} held back until you accept what has changed: {}{more}. To look at it: agent-tools trust {prefix}",
            names.join(", ")
        ));
    }
    let findings = gate.findings();
    for finding in findings.iter().take(MAX_NAMED) {
        warnings.push(format!(
            "{prefix}: {} has {} in its {}: \"{}\"",
            finding.tool,
            finding.kind.words(),
            finding.place,
            finding.text
        ));
    }
    if findings.len() > MAX_NAMED {
        warnings.push(format!(
            "{prefix}: and {} more findings: agent-tools trust {prefix}",
            findings.len() - MAX_NAMED
        ));
    }
    warnings
}
