//! A skill document that has been read: nothing in it can be malformed any more.

use std::time::Duration;

use super::{condition::Condition, template::Template};
use crate::catalog::Skill;

/// A document has at most this many steps.
pub(super) const MAX_STEPS: usize = 50;
/// A `forEach` works on this many items unless its `limit` says otherwise.
pub(super) const DEFAULT_ITEMS: usize = 100;
/// And on at most this many.
pub(super) const MAX_ITEMS: usize = 1000;
/// An `until` tries this often unless its `tries` says otherwise.
pub(super) const DEFAULT_TRIES: usize = 10;
/// And at most this often.
pub(super) const MAX_TRIES: usize = 100;
/// An `until` waits this long between tries unless its `waitMs` says otherwise.
pub(super) const DEFAULT_WAIT_MS: usize = 1000;
/// And at most this long.
pub(super) const MAX_WAIT_MS: usize = 60_000;
/// The calls of one run, in all.
pub(super) const MAX_CALLS: usize = 1000;

/// A skill and what it does.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Document {
    pub skill: Skill,
    pub steps: Vec<Step>,
    pub result: Template,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    /// Names the step in a failure: its id, or its position.
    pub stage: String,
    pub action: Action,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    /// Makes the value that later steps know under the step's id.
    Make(Box<Make>),
    /// Fails unless the condition holds.
    Require {
        condition: Condition,
        message: Template,
    },
    /// Ends the skill well when the condition holds.
    StopWhen {
        condition: Condition,
        result: Template,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Make {
    pub id: String,
    pub each: Option<Each>,
    pub when: Option<Condition>,
    pub from: From,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Each {
    pub list: Template,
    pub name: String,
    pub limit: usize,
}

/// What a value is made from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum From {
    Value(Template),
    Test(Condition),
    Call(Call),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub tool: String,
    pub arguments: Template,
    pub until: Option<Until>,
    /// What is kept of the answer; all of it when there is none.
    pub value: Option<Template>,
    /// A failure becomes the value.
    pub continues: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Until {
    pub condition: Condition,
    pub tries: usize,
    pub wait: Duration,
}
