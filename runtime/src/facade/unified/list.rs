//! The unified view's tool list. All of it costs at most 200 tokens at rest, for any number of plugins.

use serde_json::{Value, json};

use crate::{
    catalog::Hints,
    facade::{about::About, domains::domains, verbs::Verb},
};

/// Tokens for naming what lies behind, with and without `agent_tools_run_skill`.
const DOMAINS_WITH_SKILLS: usize = 26;
const DOMAINS: usize = 60;

/// `agent_tools_discover`, `_call`, and `_run_skill` where any plugin has skills.
pub(in crate::facade) fn tools(plugins: &[About], with_skills: bool) -> Vec<Value> {
    let room = if with_skills {
        DOMAINS_WITH_SKILLS
    } else {
        DOMAINS
    };
    let mut tools = vec![discover_tool(&domains(plugins, room)), call_tool()];
    if with_skills {
        tools.push(run_skill_tool());
    }
    tools
}

fn discover_tool(domains: &str) -> Value {
    let text = match domains {
        "" => "No service is installed; says how to install one.".to_owned(),
        domains => {
            format!("Look here before a shell or giving up: tools and skills of {domains}.")
        }
    };
    tool(
        Verb::Discover,
        "Find tools of connected services",
        &text,
        json!({ "query": { "type": "string" }, "plugin": { "type": "string" } }),
        None,
        Hints {
            read_only: true,
            destructive: Some(false),
            idempotent: Some(true),
            open_world: Some(false),
        },
    )
}

fn call_tool() -> Value {
    running(
        Verb::Call,
        "Call a tool of a connected service",
        "Run a found tool.",
        "toolName",
    )
}

fn run_skill_tool() -> Value {
    running(
        Verb::RunSkill,
        "Run a skill of a connected service",
        "Run a found skill.",
        "skill",
    )
}

fn running(verb: Verb, title: &str, text: &str, key: &str) -> Value {
    let properties = json!({
        "plugin": { "type": "string" },
        key: { "type": "string" },
        "arguments": { "type": "object", "properties": {} },
        "confirm": { "type": "boolean" },
    });
    let hints = Hints {
        read_only: false,
        destructive: Some(true),
        idempotent: Some(false),
        open_world: Some(true),
    };
    tool(verb, title, text, properties, Some(key), hints)
}

/// `plugin` is not required: a call has one reading without it where one plugin alone has the tool.
fn tool(
    verb: Verb,
    title: &str,
    text: &str,
    properties: Value,
    required: Option<&str>,
    hints: Hints,
) -> Value {
    let mut schema = json!({ "type": "object", "properties": properties });
    if let Some(key) = required {
        schema["required"] = json!([key]);
    }
    json!({
        "name": verb.shared_name(),
        "title": title,
        "description": text,
        "inputSchema": schema,
        "annotations": hints.to_annotations(),
    })
}
