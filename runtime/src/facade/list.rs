//! The facade's tool list. It is made from manifests and from what is known already, so it is there at once.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    about::About,
    discover, help,
    verbs::{Reach, Verb},
};
use crate::{
    catalog::Hints,
    plugin::{Manifest, Plugin},
};

/// Names listed in a description, at most.
const MAX_NAMES: usize = 16;
/// Words of names in a description, at most.
const MAX_VERBS: usize = 6;
const MAX_NOUNS: usize = 8;

fn tool_name(manifest: &Manifest, verb: Verb) -> String {
    Reach::Own.to(&manifest.prefix).name(verb)
}

/// The plugin and verb behind a facade tool's name.
pub(super) fn resolve(plugins: &[Arc<Plugin>], name: &str) -> Option<(Arc<Plugin>, Verb)> {
    plugins.iter().find_map(|plugin| {
        let verb = Verb::ALL
            .into_iter()
            .find(|verb| tool_name(&plugin.manifest, *verb) == name)?;
        Some((plugin.clone(), verb))
    })
}

/// `agent_tools_help`, then each plugin's verbs.
pub(super) fn facade_tools(plugins: &[Arc<Plugin>], about: &[About]) -> Vec<Value> {
    let mut tools = vec![help::tool()];
    for (plugin, about) in plugins.iter().zip(about) {
        let manifest = &plugin.manifest;
        tools.push(discover_tool(manifest, about));
        tools.push(call_tool(manifest));
        if manifest.skill_names().next().is_some() {
            tools.push(run_skill_tool(manifest));
        }
    }
    tools
}

fn discover_tool(manifest: &Manifest, about: &About) -> Value {
    let mut text = format!("Search the tools and skills of {}", title(manifest));
    for (what, names) in [
        ("Skills", manifest.skill_names().collect::<Vec<_>>()),
        (
            "Tools include",
            manifest.readonly_tools.iter().map(String::as_str).collect(),
        ),
    ] {
        if !names.is_empty() {
            text.push_str(&format!(" {what}: {}.", listed(&names)));
        }
    }
    let vocabulary = &about.vocabulary;
    for (what, words, max) in [
        ("It can", &vocabulary.verbs, MAX_VERBS),
        ("It knows of", &vocabulary.nouns, MAX_NOUNS),
    ] {
        if !words.is_empty() {
            let words = &words[..words.len().min(max)];
            text.push_str(&format!(" {what}: {}.", words.join(", ")));
        }
    }
    if let Some(hint) = &manifest.discover_hint {
        text.push(' ');
        text.push_str(hint);
    }
    text.push_str(" Answers with names, arguments and the literal call, not with data.");
    tool(
        manifest,
        Verb::Discover,
        "Find tools of",
        &text,
        discover::properties(),
        &[],
        Hints {
            read_only: true,
            destructive: Some(false),
            idempotent: Some(true),
            open_world: Some(false),
        },
    )
}

fn call_tool(manifest: &Manifest) -> Value {
    let text = format!(
        "Call one tool of {}. Get its name and arguments from {} first.",
        manifest.prefix,
        tool_name(manifest, Verb::Discover)
    );
    tool(
        manifest,
        Verb::Call,
        "Call a tool of",
        &text,
        json!({
            "toolName": { "type": "string", "description": "The tool's name, as discover gave it." },
            "arguments": { "type": "object", "description": "The tool's arguments.", "properties": {} },
            "confirm": { "type": "boolean", "description": "true when the user wants the change; only for tools that change something." },
        }),
        &["toolName"],
        Hints {
            read_only: false,
            destructive: Some(manifest.require_confirm),
            idempotent: Some(false),
            open_world: Some(true),
        },
    )
}

fn run_skill_tool(manifest: &Manifest) -> Value {
    let names: Vec<&str> = manifest.skill_names().collect();
    let text = format!(
        "Run a skill (a ready-made recipe) of {}: {}.",
        manifest.prefix,
        listed(&names)
    );
    tool(
        manifest,
        Verb::RunSkill,
        "Run a skill of",
        &text,
        json!({
            "skill": { "type": "string", "description": "The skill's name." },
            "arguments": { "type": "object", "description": "The skill's arguments; discover describes them.", "properties": {} },
            "confirm": { "type": "boolean", "description": "true when the user wants the change; only for skills that change something." },
        }),
        &["skill"],
        Hints {
            read_only: false,
            destructive: Some(manifest.require_confirm),
            idempotent: Some(false),
            open_world: Some(true),
        },
    )
}

fn tool(
    manifest: &Manifest,
    verb: Verb,
    title: &str,
    text: &str,
    properties: Value,
    required: &[&str],
    hints: Hints,
) -> Value {
    // Only keywords that every model provider takes.
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    json!({
        "name": tool_name(manifest, verb),
        "title": format!("{title} {}", manifest.prefix),
        "description": text,
        "inputSchema": schema,
        "annotations": hints.to_annotations(),
    })
}

/// `demo (Issues and notes of a demo project.)`
fn title(manifest: &Manifest) -> String {
    match &manifest.description {
        Some(description) => format!(
            "{}: {}.",
            manifest.prefix,
            description.trim_end_matches('.')
        ),
        None => format!("{}.", manifest.prefix),
    }
}

fn listed(names: &[&str]) -> String {
    let mut text = names
        .iter()
        .take(MAX_NAMES)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > MAX_NAMES {
        text.push_str(&format!(" and {} more", names.len() - MAX_NAMES));
    }
    text
}
