//! Asking a person, and who decided about a call.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a call may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It changes nothing.
    ReadOnly,
    /// It may change something.
    Mutating,
    /// It may destroy something.
    Destructive,
}

impl Kind {
    /// `read-only`, `mutating` or `destructive`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::Mutating => "mutating",
            Self::Destructive => "destructive",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A tool.
    Tool,
    /// A skill.
    Skill,
}

impl Subject {
    /// `tool` or `skill`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Skill => "skill",
        }
    }
}

/// What a person is asked before a call is sent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The plugin's prefix.
    pub plugin: String,
    /// The tool's or skill's name.
    pub name: String,
    /// Which of the two it is.
    pub subject: Subject,
    /// What it may do.
    pub kind: Kind,
    /// One sentence about what a yes means.
    pub consequence: String,
    /// What it would be called with.
    pub arguments: Map<String, Value>,
    /// How long an answer is waited for, in milliseconds; no answer means no.
    pub timeout_ms: u64,
    /// The answers that are offered. One that is not is read as [`Answer::Once`] where it means yes.
    pub choices: Vec<Answer>,
}

/// What a person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Answer {
    /// Yes, to this call alone.
    Once,
    /// Yes, and to further calls of it in this session.
    Session,
    /// Yes, and to every further call of it as it is defined now.
    Always,
    /// No.
    No,
    /// Nobody answered in time, or the question was closed without an answer.
    Unanswered,
    /// Nobody can be asked.
    Unavailable,
    /// The question goes out with the reply; the client answers by repeating the call.
    Pending,
    /// Yes, to this call alone: the client asked before it sent the call. No message says this.
    #[serde(skip)]
    ByClient,
}

/// A way to ask the person who uses the client.
#[async_trait]
pub trait Approver: Send + Sync {
    /// Asks. The caller stops waiting after [`Question::timeout_ms`].
    async fn ask(&self, question: &Question) -> Answer;

    /// Whether it may ask while a skill runs. One that ends the call to ask may not: what the skill has done already would be
    /// done again. Nor may one that knows of the run alone.
    fn may_interrupt(&self) -> bool {
        true
    }
}

/// How a decision about a call was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum By {
    /// A rule, or the kind of the tool.
    Policy,
    /// `confirm: true`, and nobody was asked.
    ModelConfirm,
    /// A person, for this call.
    PersonOnce,
    /// A person, for the session.
    PersonSession,
    /// A person, for good.
    PersonAlways,
    /// What a person said earlier.
    Remembered,
    /// The client, which asked a person itself.
    Client,
    /// The consent to the run of the skill that made the call.
    SkillRun,
    /// Nobody answered in time.
    NoAnswer,
}

/// What was decided about a call, by which rule and by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// Whether it may be sent.
    pub allowed: bool,
    /// What the call may do.
    pub kind: Kind,
    /// The rule that decided, as a person would write it.
    pub rule: String,
    /// Who decided.
    pub by: By,
}

/// Where the decision about a call is left for whoever records it. Cloning gives another handle to the same place.
#[derive(Debug, Clone, Default)]
pub struct DecisionSlot(Arc<Mutex<Option<Decided>>>);

impl DecisionSlot {
    /// What was decided, once it was.
    pub fn get(&self) -> Option<Decided> {
        let decided = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        decided.clone()
    }

    pub(crate) fn set(&self, decided: Decided) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(decided);
    }
}
