//! Calls written out, to be copied.

use serde_json::{Map, Value, json};

/// How the caller reaches a tool, and so how a call of it is spelled in a hint.
#[derive(Debug, Clone, Copy)]
pub(super) enum Caller<'a> {
    /// Through `agent_tools_<prefix>_call`.
    Facade { prefix: &'a str },
    /// As a tool of its own.
    Flat { name: &'a str },
    /// From inside a skill.
    Skill {
        prefix: &'a str,
        skill: &'a str,
        arguments: &'a Map<String, Value>,
    },
}

impl Caller<'_> {
    /// `tool` called with `arguments`.
    pub(super) fn literal(self, tool: &str, arguments: &Value, confirm: bool) -> String {
        match self {
            Self::Facade { prefix } => call(prefix, tool, arguments, confirm),
            Self::Flat { name } => {
                let mut arguments = arguments.clone();
                if confirm && let Some(map) = arguments.as_object_mut() {
                    map.insert("confirm".into(), json!(true));
                }
                format!("{name} {arguments}")
            }
            // What can be repeated is the skill, not the call inside it.
            Self::Skill {
                prefix,
                skill,
                arguments,
            } => run_skill(prefix, skill, &Value::Object(arguments.clone()), confirm),
        }
    }
}

/// `agent_tools_<prefix>_call {"toolName":…,"arguments":…}`.
pub(super) fn call(prefix: &str, tool: &str, arguments: &Value, confirm: bool) -> String {
    let mut body = json!({ "toolName": tool, "arguments": arguments });
    if confirm {
        body["confirm"] = json!(true);
    }
    format!("agent_tools_{prefix}_call {body}")
}

/// `agent_tools_<prefix>_run_skill {"skill":…,"arguments":…}`.
pub(super) fn run_skill(prefix: &str, skill: &str, arguments: &Value, confirm: bool) -> String {
    let mut body = json!({ "skill": skill, "arguments": arguments });
    if confirm {
        body["confirm"] = json!(true);
    }
    format!("agent_tools_{prefix}_run_skill {body}")
}

/// An argument object with a placeholder for each required field.
pub(super) fn placeholders(schema: &Map<String, Value>) -> Value {
    let mut arguments = Map::new();
    let branches = schema.get("anyOf").or_else(|| schema.get("oneOf"));
    let first = branches
        .and_then(|branches| branches.get(0))
        .and_then(Value::as_object)
        .filter(|_| !schema.contains_key("properties"));
    let schema = first.unwrap_or(schema);
    for name in schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        let property = schema
            .get("properties")
            .and_then(|properties| properties.get(name));
        let kind = property
            .and_then(|property| property.get("type"))
            .and_then(Value::as_str);
        arguments.insert(
            name.to_owned(),
            json!(format!("<{}>", kind.unwrap_or("value"))),
        );
    }
    Value::Object(arguments)
}
