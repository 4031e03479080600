//! `agent_tools_help`: which plugins there are, and how to use them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::verbs::Reach;
use crate::{catalog::Hints, plugin::Plugin};

pub(super) const NAME: &str = "agent_tools_help";

/// How to come by plugins.
pub(super) const NONE_INSTALLED: &str = "No plugin is installed. Install one (npm install agent-tools-plugin-<name>), name services in agent-tools.json, or \
     set AGENT_TOOLS_PLUGINS_DIR to a folder that holds agent-tools-plugin-* folders.\n";

const OWN_VERBS: &str = "Each plugin has up to three tools. Use them in this order:\n\
     1. agent_tools_<prefix>_discover {\"query\":\"what you want\"} finds tools and skills. It answers with a catalogue, not with data.\n\
     2. agent_tools_<prefix>_call {\"toolName\":\"…\",\"arguments\":{…}} runs a tool.\n\
     3. agent_tools_<prefix>_run_skill {\"skill\":\"…\",\"arguments\":{…}} runs a ready-made recipe.\n\
     What changes something needs \"confirm\":true beside the arguments. Credentials stay with the host.\n\n";

const SHARED_VERBS: &str = "Up to three tools reach all plugins. Use them in this order:\n\
     1. agent_tools_discover {\"query\":\"what you want\"} finds tools and skills. It answers with a catalogue, not with data.\n\
     2. agent_tools_call {\"plugin\":\"<prefix>\",\"toolName\":\"…\",\"arguments\":{…}} runs a tool.\n\
     3. agent_tools_run_skill {\"plugin\":\"<prefix>\",\"skill\":\"…\",\"arguments\":{…}} runs a ready-made recipe.\n\
     What changes something needs \"confirm\":true beside the arguments. Credentials stay with the host.\n\n";

pub(super) fn tool() -> Value {
    json!({
        "name": NAME,
        "title": "List connected services",
        "description": "List the plugins behind agent_tools_* and how to use them. Call it when you do not know which plugin has what you need.",
        "inputSchema": { "type": "object", "properties": {} },
        "annotations": Hints {
            read_only: true,
            destructive: Some(false),
            idempotent: Some(true),
            open_world: Some(false),
        }.to_annotations(),
    })
}

/// `reach`: the verbs that the caller is shown.
pub(super) fn text(plugins: &[Arc<Plugin>], reach: Reach) -> String {
    let mut text = String::from(match reach {
        Reach::Own => OWN_VERBS,
        Reach::Shared => SHARED_VERBS,
    });
    if plugins.is_empty() {
        text.push_str(NONE_INSTALLED);
        return text;
    }
    text.push_str("Plugins (choose the prefix first; two may serve one domain):\n");
    for plugin in plugins {
        let manifest = &plugin.manifest;
        let about = manifest.description.as_deref().unwrap_or(&manifest.name);
        let tools = match reach {
            Reach::Own => format!(" (agent_tools_{}_*)", manifest.prefix),
            Reach::Shared => String::new(),
        };
        let about = match plugin.set_up() {
            Some(set_up) => set_up.told_after(about),
            None => about.to_owned(),
        };
        text.push_str(&format!("  {:<8}{tools}: {about}\n", manifest.prefix));
    }
    text
}
