//! A change needs consent: the caller's `confirm: true`, and a person's yes where one can be asked.
//!
//! Tools and skills, and what a running skill calls, all go through [`Consents::require`].

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::answers::{Answers, Said};
use crate::{
    adapter::CallContext,
    approval::{Answer, By, Decided, Kind, Question, Subject},
    policy::{Allowed, Asking, Decision, Headless, Remembered, Ruling},
    reply::{Code, Failure},
};

/// Whether the caller agreed to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consent {
    /// `confirm: true` came with the call.
    Given,
    /// Nothing was said.
    NotGiven,
}

impl From<bool> for Consent {
    fn from(confirmed: bool) -> Self {
        if confirmed {
            Self::Given
        } else {
            Self::NotGiven
        }
    }
}

/// A call that is about to be sent.
pub(crate) struct Wanted<'a> {
    pub plugin: &'a str,
    pub name: &'a str,
    pub subject: Subject,
    pub kind: Kind,
    /// Who says so.
    pub kind_by: String,
    /// Its definition is not the one that was judged to be read-only.
    pub changed: bool,
    /// Stands for its definition, so that a yes does not outlive that.
    pub definition: &'a (dyn Fn() -> String + Sync),
    /// Stands for where its plugin comes from. Both are made only where somebody is or was asked.
    pub origin: &'a (dyn Fn() -> String + Sync),
    pub ruling: Ruling,
    pub asking: Asking,
    pub arguments: &'a Map<String, Value>,
    pub consent: Consent,
    /// The literal call that agrees.
    pub retry: &'a str,
    /// The decision about the run of the skill that makes the call.
    pub within: Option<&'a Decided>,
}

/// Who can end a question by itself, and tell its client so, has this long to do it.
const GRACE: Duration = Duration::from_secs(1);

/// Who was asked and what they said.
pub(crate) struct Consents {
    answers: Answers,
    remembered: Remembered,
}

impl Consents {
    pub(crate) fn new(remembered: Remembered) -> Self {
        Self {
            answers: Answers::default(),
            remembered,
        }
    }

    /// What the user allowed for good.
    pub(crate) fn remembered(&self) -> &Remembered {
        &self.remembered
    }

    /// Decides about a call, and leaves the decision in the context.
    pub(crate) async fn require(
        &self,
        wanted: &Wanted<'_>,
        context: &CallContext,
    ) -> Result<Decided, Failure> {
        let outcome = self.decide(wanted, context).await;
        let decided = match &outcome {
            Ok(by) => wanted.decided(true, *by),
            Err(refused) => wanted.decided(false, refused.by),
        };
        context.decided.set(decided.clone());
        context.recording.decided(decided.clone());
        outcome.map(|_| decided).map_err(|refused| refused.failure)
    }

    async fn decide(&self, wanted: &Wanted<'_>, context: &CallContext) -> Result<By, Refused> {
        let ruling = &wanted.ruling;
        if ruling.decision == Decision::Deny {
            return Err(Refused::by_policy(denied(wanted.name, &ruling.rule)));
        }
        let asked_for = ruling.asks_by_rule();
        let reads = wanted.kind == Kind::ReadOnly && !asked_for;
        let allowed = ruling.explicit && ruling.decision == Decision::Allow;
        if (reads || allowed) && !wanted.changed {
            return Ok(By::Policy);
        }
        if let Some(run) = wanted.within
            && !asked_for
            && covers(run, wanted.kind)
        {
            return Ok(By::SkillRun);
        }
        if wanted.consent == Consent::NotGiven {
            return Err(Refused::by_policy(wanted.unconfirmed()));
        }
        if ruling.decision == Decision::Allow {
            return Ok(By::ModelConfirm);
        }
        self.ask(wanted, context).await
    }

    /// Asks the person, unless it is known what they say.
    async fn ask(&self, wanted: &Wanted<'_>, context: &CallContext) -> Result<By, Refused> {
        let approver = context
            .approver
            .as_ref()
            .filter(|approver| wanted.within.is_none() || approver.may_interrupt());
        let turn = self
            .answers
            .turn(&context.session, wanted.plugin, wanted.subject, wanted.name);
        // Calls of one tool that are made at once are asked about one after the other: an answer may settle them all.
        let _turn = turn.lock().await;
        let allowed = wanted.allowed();
        match turn.said(&allowed) {
            Said::Yes => return Ok(By::Remembered),
            Said::StopAsking => return Err(Refused::by_policy(stop(wanted.name))),
            Said::Nothing => {}
        }
        if self.remembered.allows(&allowed) {
            return Ok(By::Remembered);
        }
        let Some(approver) = approver else {
            return wanted.headless();
        };
        let question = wanted.question(self.choices(context));
        let answer = tokio::time::timeout(wanted.asking.timeout + GRACE, approver.ask(&question))
            .await
            .unwrap_or(Answer::Unanswered);
        // Whoever cancels the call closes its question, which refuses nothing: the next call is asked about again.
        if context.cancel.is_cancelled() && matches!(answer, Answer::No | Answer::Unanswered) {
            return Err(Refused {
                failure: cancelled(wanted.name),
                by: By::NoAnswer,
            });
        }
        let answer = match answer {
            Answer::Session | Answer::Always if !question.choices.contains(&answer) => Answer::Once,
            answer => answer,
        };
        match answer {
            Answer::Once => {
                turn.agreed(None);
                Ok(By::PersonOnce)
            }
            Answer::Session => {
                turn.agreed(Some(&allowed));
                Ok(By::PersonSession)
            }
            Answer::ByClient => {
                turn.agreed(None);
                Ok(By::Client)
            }
            Answer::Always => {
                if let Err(error) = self.remembered.keep(&allowed) {
                    tracing::warn!(%error, "what was allowed for good holds for this session only");
                    turn.agreed(Some(&allowed));
                    return Ok(By::PersonSession);
                }
                // It holds for as long as it is in the file.
                turn.agreed(None);
                Ok(By::PersonAlways)
            }
            Answer::Unavailable => wanted.headless(),
            Answer::Pending => Err(Refused::by_policy(pending(wanted.name))),
            Answer::No | Answer::Unanswered => {
                // Of several clients that look alike none is to be silenced by what another one's user said.
                if !context.shared_session {
                    turn.refused();
                }
                let by = match answer {
                    Answer::No => By::PersonOnce,
                    _ => By::NoAnswer,
                };
                Err(Refused {
                    failure: refused(wanted.name, answer),
                    by,
                })
            }
        }
    }

    /// The answers that can be kept. Of several clients that look alike none may answer for another.
    fn choices(&self, context: &CallContext) -> Vec<Answer> {
        let mut choices = vec![Answer::Once];
        if !context.shared_session {
            choices.push(Answer::Session);
        }
        if self.remembered.has_place() {
            choices.push(Answer::Always);
        }
        choices.push(Answer::No);
        choices
    }
}

/// A refusal, and who it comes from.
struct Refused {
    failure: Failure,
    by: By,
}

impl Refused {
    fn by_policy(failure: Failure) -> Self {
        Self {
            failure,
            by: By::Policy,
        }
    }
}

/// Whether the consent to a skill's run is consent to what it calls.
///
/// What may destroy something is not covered by a yes to a run of which nobody said that.
fn covers(run: &Decided, kind: Kind) -> bool {
    let consented = run.kind != Kind::ReadOnly;
    match kind {
        Kind::ReadOnly | Kind::Mutating => consented,
        Kind::Destructive => {
            let known = run.kind == Kind::Destructive && run.by != By::ModelConfirm;
            consented && (run.by == By::Policy || known)
        }
    }
}

impl Wanted<'_> {
    fn decided(&self, allowed: bool, by: By) -> Decided {
        Decided {
            allowed,
            kind: self.kind,
            rule: self.ruling.rule.clone(),
            by,
        }
    }

    fn allowed(&self) -> Allowed {
        Allowed {
            plugin: self.plugin.to_owned(),
            name: self.name.to_owned(),
            subject: self.subject,
            kind: self.kind,
            origin: (self.origin)(),
            definition: (self.definition)(),
            at: String::new(),
        }
    }

    fn question(&self, choices: Vec<Answer>) -> Question {
        let timeout = self.asking.timeout.as_millis();
        Question {
            plugin: self.plugin.to_owned(),
            name: self.name.to_owned(),
            subject: self.subject,
            kind: self.kind,
            consequence: self.consequence(),
            arguments: self.arguments.clone(),
            timeout_ms: u64::try_from(timeout).unwrap_or(u64::MAX),
            choices,
        }
    }

    fn consequence(&self) -> String {
        let Self { plugin, name, .. } = self;
        let what = match self.subject {
            Subject::Tool => format!("{name} of {plugin}"),
            Subject::Skill => format!("the skill {name} of {plugin}"),
        };
        let inside = match self.within {
            Some(_) => ", which a skill wants to call,",
            None => "",
        };
        match self.kind {
            _ if self.changed => format!("{what}{inside} has changed since it was first listed."),
            Kind::ReadOnly => format!("{what}{inside} only reads; your policy asks about it."),
            Kind::Mutating => format!("{what}{inside} may change something: {}.", self.kind_by),
            Kind::Destructive => format!(
                "{what}{inside} may destroy something that cannot be brought back: {}.",
                self.kind_by
            ),
        }
    }

    fn unconfirmed(&self) -> Failure {
        let name = self.name;
        let why = match self.kind {
            Kind::ReadOnly if self.changed => format!(
                "{name} only read, but its definition has changed since it was first listed"
            ),
            Kind::ReadOnly => format!("the user is to be asked about {name}"),
            Kind::Mutating | Kind::Destructive => format!("{name} may change something"),
        };
        Failure::new(
            Code::ConfirmRequired,
            format!("{why}, and `confirm: true` was not given; nothing was sent"),
        )
        .with_hint(format!(
            "If the user wants this, repeat the same call with confirm at the top level: {}",
            self.retry
        ))
    }

    /// What becomes of the call where nobody can be asked.
    fn headless(&self) -> Result<By, Refused> {
        let destructive = self.kind == Kind::Destructive;
        // A `confirm` that came with the call of a skill is none to what a rule asks about.
        let confirmed = self.within.is_none() || !self.ruling.asks_by_rule();
        if self.asking.headless == Headless::Confirm && !destructive && confirmed {
            return Ok(By::ModelConfirm);
        }
        let Self { plugin, name, .. } = self;
        let why = match (destructive, confirmed) {
            (true, _) => "may destroy something",
            (false, true) => "needs the user's consent",
            (false, false) => "needs the user's consent, which that to a skill is not",
        };
        let rule = json!({ "policy": { "tools": { format!("{plugin}/{name}"): "allow" } } });
        let failure = Failure::new(
            Code::PolicyDenied,
            format!("{name} {why}, and nobody can be asked here; nothing was sent"),
        )
        .with("rule", self.ruling.rule.clone())
        .with_hint(format!(
            "Do not try again. Tell the user: who wants this allowed without being asked writes {rule} into their own agent-tools.json."
        ));
        Err(Refused::by_policy(failure))
    }
}

/// The refusal of what the policy denies.
pub(crate) fn denied(name: &str, rule: &str) -> Failure {
    Failure::new(
        Code::PolicyDenied,
        format!("the user's policy denies {name}; nothing was sent"),
    )
    .with("rule", rule)
    .with_hint("Do not try again, and look for no way around it. Tell the user if you need it.")
}

fn refused(name: &str, answer: Answer) -> Failure {
    let what = match answer {
        Answer::No => format!("the user said no to {name}; nothing was sent"),
        _ => format!(
            "the user did not answer whether {name} may be called, which means no; nothing was sent"
        ),
    };
    Failure::new(Code::ConsentDenied, what)
        .with_hint("Do not try again. Tell the user what you wanted to do, and ask how to go on.")
}

fn stop(name: &str) -> Failure {
    Failure::new(
        Code::ConsentDenied,
        format!(
            "the user has refused {name} several times in this session and was not asked again; nothing was sent"
        ),
    )
    .with_hint("Stop calling it. Tell the user what you wanted to do, and go on without it.")
}

fn cancelled(name: &str) -> Failure {
    Failure::new(
        Code::Cancelled,
        format!(
            "the call of {name} was cancelled before the user answered whether it may be made; nothing was sent"
        ),
    )
}

/// Never shown: the client gets the question instead.
fn pending(name: &str) -> Failure {
    Failure::new(
        Code::ConsentDenied,
        format!("the user's answer about {name} is awaited; nothing was sent"),
    )
}

#[cfg(test)]
#[path = "consent_tests.rs"]
mod tests;
