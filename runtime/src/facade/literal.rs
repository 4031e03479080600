//! Calls written out, to be copied.

use serde_json::{Map, Value, json};

use super::verbs::Spelling;
use crate::catalog::Signature;

/// How the caller reaches a tool, and so how a call of it is spelled in a hint.
#[derive(Debug, Clone, Copy)]
pub(super) enum Caller<'a> {
    /// Through a `_call` tool.
    Facade(Spelling<'a>),
    /// As a tool of its own.
    Flat {
        name: &'a str,
        /// How other calls are spelled for the same caller.
        spelling: Spelling<'a>,
    },
    /// From inside a skill.
    Skill {
        spelling: Spelling<'a>,
        skill: &'a str,
        arguments: &'a Map<String, Value>,
    },
}

impl<'a> Caller<'a> {
    /// How other calls to the plugin are spelled for this caller.
    pub(super) fn spelling(self) -> Spelling<'a> {
        match self {
            Self::Facade(spelling) | Self::Flat { spelling, .. } | Self::Skill { spelling, .. } => {
                spelling
            }
        }
    }

    /// `tool` called with `arguments`.
    pub(super) fn literal(self, tool: &str, arguments: &Value, confirm: bool) -> String {
        match self {
            Self::Facade(spelling) => spelling.call(tool, arguments, confirm),
            Self::Flat { name, .. } => {
                let mut arguments = arguments.clone();
                if confirm && let Some(map) = arguments.as_object_mut() {
                    map.insert("confirm".into(), json!(true));
                }
                format!("{name} {arguments}")
            }
            // What can be repeated is the skill, not the call inside it.
            Self::Skill {
                spelling,
                skill,
                arguments,
            } => spelling.run_skill(skill, &Value::Object(arguments.clone()), confirm),
        }
    }
}

/// Of a longer type only the beginning stands in a call.
pub(super) const PLACEHOLDER_CHARS: usize = 60;

/// An argument object with a placeholder for each required field.
pub(super) fn placeholders(schema: &Map<String, Value>) -> Value {
    Signature::of(schema).placeholders(PLACEHOLDER_CHARS)
}
