//! A failure ends: the same failure again and again is refused unsent.
//!
//! Counted per client session by plugin, tool and code, so that varied wrong arguments do not evade it. A valid call
//! that its service answers with an error is counted by its arguments too: looking for ten files of which none exists
//! is no loop. A success resets the count, and so does a call of another tool. A refused tool may be tried again after
//! a pause that doubles each time, so that nothing is blocked for good.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::Consent;
use crate::{
    config::RepeatLimits,
    reply::{Code, Failure},
};

/// Sessions beyond this are forgotten, the longest idle first.
const MAX_SESSIONS: usize = 4096;
/// The longest pause before another try.
const MAX_PAUSE: Duration = Duration::from_secs(3600);

type Key = (Arc<str>, String);

/// The failures of every session.
pub(crate) struct Repeats {
    limits: RepeatLimits,
    sessions: Mutex<HashMap<Key, Streak>>,
}

/// The failures of one tool, the last one that the session called at this plugin.
struct Streak {
    target: String,
    counts: HashMap<(Code, u64), Count>,
    used: Instant,
}

struct Count {
    failures: u32,
    open_until: Option<Instant>,
}

impl Count {
    /// The refusal, which says of a service that is down when it is tried again.
    fn refusal(&self, target: &str, code: Code, now: Instant) -> Failure {
        let refusal = refusal(target, code, self.failures);
        match self.open_until {
            Some(until) if code.retryable() => {
                let wait = until.saturating_duration_since(now).as_millis();
                refusal.with("retryAfterMs", u64::try_from(wait).unwrap_or(u64::MAX))
            }
            _ => refusal,
        }
    }
}

/// How often a failure has been seen now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Nothing unusual.
    Few,
    /// Often enough that the answer should explain everything.
    Often,
    /// So often that only stopping helps.
    TooOften,
}

impl Repeats {
    pub(crate) fn new(limits: RepeatLimits) -> Self {
        Self {
            limits,
            sessions: Mutex::default(),
        }
    }

    /// Refuses a call of a tool that has failed too often in this session.
    ///
    /// A call that brings consent is not refused for those that did not. Where several clients may be taken for one
    /// session, what can be seen by looking at the call is not held against it before it has been looked at.
    pub(crate) fn check(
        &self,
        session: &Arc<str>,
        shared: bool,
        plugin: &str,
        target: &str,
        consent: Consent,
    ) -> Result<(), Failure> {
        let now = Instant::now();
        let mut sessions = self.lock();
        let Some(streak) = sessions.get_mut(&(session.clone(), plugin.to_owned())) else {
            return Ok(());
        };
        if streak.target != target {
            return Ok(());
        }
        streak.used = now;
        let blocked = streak.counts.iter().find(|((code, arguments), count)| {
            // A count that belongs to certain arguments is looked at when those are known.
            let counted_by_code = *arguments == 0 && !reached_upstream(*code);
            let answered = *code == Code::ConfirmRequired && consent == Consent::Given;
            let of_another = shared && seen_in_the_call(*code);
            counted_by_code
                && !answered
                && !of_another
                && count.open_until.is_some_and(|until| now < until)
        });
        match blocked {
            Some(((code, _), count)) => Err(count.refusal(target, *code, now)),
            None => Ok(()),
        }
    }

    /// Refuses a valid call whose service has given the same error for the same arguments too often.
    pub(crate) fn check_arguments(
        &self,
        session: &Arc<str>,
        plugin: &str,
        target: &str,
        arguments: u64,
    ) -> Result<(), Failure> {
        let now = Instant::now();
        let sessions = self.lock();
        let streak = sessions
            .get(&(session.clone(), plugin.to_owned()))
            .filter(|streak| streak.target == target);
        let blocked =
            streak
                .into_iter()
                .flat_map(|streak| &streak.counts)
                .find(|((_, known), count)| {
                    *known == arguments && count.open_until.is_some_and(|until| now < until)
                });
        match blocked {
            Some(((code, _), count)) => Err(count.refusal(target, *code, now)),
            None => Ok(()),
        }
    }

    /// Counts a failure; `arguments` is the fingerprint of those that reached the service.
    pub(crate) fn failed(
        &self,
        session: &Arc<str>,
        plugin: &str,
        target: &str,
        code: Code,
        arguments: u64,
    ) -> (Seen, u32) {
        if self.limits.refuse_from == 0
            || matches!(
                code,
                Code::Cancelled | Code::Closed | Code::ConsentDenied | Code::RepeatedFailure
            )
        {
            return (Seen::Few, 0);
        }
        let now = Instant::now();
        let mut sessions = self.lock();
        make_room(&mut sessions);
        let streak = sessions
            .entry((session.clone(), plugin.to_owned()))
            .or_insert_with(|| Streak {
                target: target.to_owned(),
                counts: HashMap::new(),
                used: now,
            });
        if streak.target != target {
            target.clone_into(&mut streak.target);
            streak.counts.clear();
        }
        streak.used = now;
        let key = (code, if reached_upstream(code) { arguments } else { 0 });
        let count = streak.counts.entry(key).or_insert(Count {
            failures: 0,
            open_until: None,
        });
        count.failures = count.failures.saturating_add(1);
        let failures = count.failures;
        // The answer numbered `refuse_from` is the first that is refused unsent.
        if failures + 1 >= self.limits.refuse_from {
            let doublings = (failures + 1 - self.limits.refuse_from).min(16);
            let pause = self
                .limits
                .pause()
                .saturating_mul(1 << doublings)
                .min(MAX_PAUSE);
            count.open_until = Some(now + pause);
        }
        let seen = if failures >= self.limits.refuse_from {
            Seen::TooOften
        } else if failures >= self.limits.explain_from {
            Seen::Often
        } else {
            Seen::Few
        };
        (seen, failures)
    }

    /// A success: the session's failures at this plugin are over.
    pub(crate) fn succeeded(&self, session: &Arc<str>, plugin: &str) {
        self.lock().remove(&(session.clone(), plugin.to_owned()));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Streak>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the code says something about the call itself, whatever its service is up to.
fn seen_in_the_call(code: Code) -> bool {
    matches!(
        code,
        Code::ArgValidationFailed
            | Code::BadCallShape
            | Code::ConfirmRequired
            | Code::PolicyDenied
            | Code::UnknownTool
            | Code::UnknownSkill
    )
}

/// Whether the code says something about the arguments' values rather than about the call's form.
fn reached_upstream(code: Code) -> bool {
    matches!(code, Code::ToolFailed | Code::SkillFailed)
}

/// The refusal of a call that has failed `failures` times.
pub(crate) fn refusal(target: &str, code: Code, failures: u32) -> Failure {
    let what = if target.is_empty() {
        "this call"
    } else {
        target
    };
    Failure::new(
        Code::RepeatedFailure,
        format!("{what} has failed {failures} times in a row with {code}; it was not tried again"),
    )
    .with("repeated", code.as_str())
    .with_hint(
        "Stop repeating it. Tell the user what you wanted to do and what the last error said, or use another tool.",
    )
}

/// A fingerprint of arguments, never 0.
pub(crate) fn fingerprint(arguments: &serde_json::Map<String, serde_json::Value>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut keys: Vec<_> = arguments.iter().collect();
    keys.sort_by_key(|(key, _)| *key);
    for (key, value) in keys {
        key.hash(&mut hasher);
        value.to_string().hash(&mut hasher);
    }
    hasher.finish() | 1
}

fn make_room(sessions: &mut HashMap<Key, Streak>) {
    if sessions.len() < MAX_SESSIONS {
        return;
    }
    let oldest = sessions
        .iter()
        .min_by_key(|(_, streak)| streak.used)
        .map(|(key, _)| key.clone());
    if let Some(key) = oldest {
        sessions.remove(&key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(pause_ms: u64) -> Repeats {
        Repeats::new(RepeatLimits {
            pause_ms,
            ..RepeatLimits::default()
        })
    }

    /// Plays `times` failing calls and returns how many were let through.
    fn play(repeats: &Repeats, session: &Arc<str>, tool: &str, times: usize) -> usize {
        (0..times)
            .filter(|_| {
                let through = repeats
                    .check(session, false, "x", tool, Consent::NotGiven)
                    .is_ok();
                if through {
                    repeats.failed(session, "x", tool, Code::ArgValidationFailed, 0);
                }
                through
            })
            .count()
    }

    #[test]
    fn the_fifth_is_refused_and_a_success_or_another_tool_resets() {
        let repeats = repeats(60_000);
        let session: Arc<str> = "a".into();
        assert_eq!(play(&repeats, &session, "t", 50), 4);
        let refusal = repeats
            .check(&session, false, "x", "t", Consent::NotGiven)
            .unwrap_err();
        assert_eq!(refusal.code, Code::RepeatedFailure);
        // Neither another session nor another tool is touched.
        assert!(
            repeats
                .check(&"b".into(), false, "x", "t", Consent::NotGiven)
                .is_ok()
        );
        assert!(
            repeats
                .check(&session, false, "x", "u", Consent::NotGiven)
                .is_ok()
        );
        repeats.succeeded(&session, "x");
        assert_eq!(play(&repeats, &session, "t", 50), 4);
        assert_eq!(play(&repeats, &session, "u", 1), 1);
        assert_eq!(play(&repeats, &session, "t", 50), 4);
    }

    #[test]
    fn consent_and_a_shared_session_open_the_way() {
        let repeats = repeats(60_000);
        let session: Arc<str> = "a".into();
        let check = |shared, consent| repeats.check(&session, shared, "x", "t", consent);
        for _ in 0..5 {
            repeats.failed(&session, "x", "t", Code::ConfirmRequired, 0);
        }
        assert!(check(false, Consent::NotGiven).is_err());
        assert!(check(false, Consent::Given).is_ok());
        assert!(check(true, Consent::NotGiven).is_ok());
        for _ in 0..5 {
            repeats.failed(&session, "x", "t", Code::Timeout, 0);
        }
        assert!(check(true, Consent::Given).is_err());
    }

    #[test]
    fn the_third_explains() {
        let repeats = repeats(60_000);
        let session: Arc<str> = "a".into();
        let seen: Vec<Seen> = (0..6)
            .map(|_| {
                repeats
                    .failed(&session, "x", "t", Code::ConfirmRequired, 0)
                    .0
            })
            .collect();
        assert_eq!(
            seen,
            [
                Seen::Few,
                Seen::Few,
                Seen::Often,
                Seen::Often,
                Seen::TooOften,
                Seen::TooOften
            ]
        );
    }

    #[test]
    fn codes_count_apart_and_valid_calls_count_by_their_arguments() {
        let repeats = repeats(60_000);
        let session: Arc<str> = "a".into();
        for _ in 0..3 {
            repeats.failed(&session, "x", "t", Code::Timeout, 7);
            repeats.failed(&session, "x", "t", Code::ArgValidationFailed, 9);
        }
        assert!(
            repeats
                .check(&session, false, "x", "t", Consent::NotGiven)
                .is_ok()
        );
        for file in 1..20 {
            assert_eq!(
                repeats
                    .failed(&session, "x", "read", Code::ToolFailed, file)
                    .0,
                Seen::Few
            );
            assert!(
                repeats
                    .check_arguments(&session, "x", "read", file + 1)
                    .is_ok()
            );
        }
        for _ in 0..4 {
            repeats.failed(&session, "x", "read", Code::ToolFailed, 99);
        }
        assert!(repeats.check_arguments(&session, "x", "read", 99).is_err());
        assert!(repeats.check_arguments(&session, "x", "read", 98).is_ok());
    }

    #[test]
    fn a_refused_tool_may_be_tried_again_after_a_pause() {
        let repeats = repeats(0);
        let session: Arc<str> = "a".into();
        assert_eq!(
            play(&repeats, &session, "t", 10),
            10,
            "a pause of nothing never blocks"
        );
    }

    #[test]
    fn sessions_are_bounded() {
        let repeats = repeats(60_000);
        for session in 0..(MAX_SESSIONS + 10) {
            repeats.failed(&session.to_string().into(), "x", "t", Code::Timeout, 0);
        }
        assert_eq!(repeats.lock().len(), MAX_SESSIONS);
    }
}
