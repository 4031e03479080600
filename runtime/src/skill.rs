//! Declarative skills: recipes written as JSON, which the core runs by itself.
//!
//! A document is read once ([`validate`]), with every problem reported at its place, and becomes steps of templates and
//! conditions that cannot be malformed any more. Running it ([`run`]) needs only something that calls tools, so whoever
//! runs a skill decides what its calls may do. The language is described in `docs/declarative-skills.md`.

mod condition;
mod document;
mod expression;
mod files;
mod names;
mod path;
mod problem;
mod run;
mod scope;
mod template;
mod validate;

pub(crate) use files::SkillFiles;

use async_trait::async_trait;
use serde_json::{Map, Value};

use crate::reply::{Failure, UpstreamResult};

/// Calls tools for a skill.
#[async_trait]
pub(crate) trait ToolCaller: Send + Sync {
    /// Calls a tool with whatever checks a call of this skill must pass.
    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<UpstreamResult, Failure>;
}

/// What a skill's run came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    /// The skill's result.
    pub value: Value,
    /// What a reader of the result should know, such as items that were left out.
    pub notes: Vec<String>,
}

impl From<Value> for Outcome {
    fn from(value: Value) -> Self {
        Self {
            value,
            notes: Vec::new(),
        }
    }
}
