//! What people said in their sessions about calls they were asked about.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::{approval::Subject, policy::Allowed};

/// Tools remembered beyond this are forgotten, the longest unused first.
const MAX_REMEMBERED: usize = 4096;
/// After so many refusals in a row a tool is not asked about any more in a session.
const MAX_REFUSALS: u32 = 3;

/// Session, plugin, and the tool or skill.
type Key = (Arc<str>, String, Subject, String);

/// The answers of every session.
#[derive(Default)]
pub(super) struct Answers(Mutex<HashMap<Key, Entry>>);

struct Entry {
    turn: Arc<Turn>,
    used: Instant,
}

/// One tool in one session. Whoever wants to ask about it holds its lock.
#[derive(Default)]
pub(super) struct Turn {
    asking: tokio::sync::Mutex<()>,
    memory: Mutex<Memory>,
}

#[derive(Default)]
struct Memory {
    /// What was agreed to for the session, as it was then.
    agreed: Option<Allowed>,
    /// Refusals in a row.
    refusals: u32,
}

/// What was said before.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    Yes,
    /// No, so often that it is not asked again.
    StopAsking,
    Nothing,
}

impl Turn {
    pub(super) async fn lock(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.asking.lock().await
    }

    /// What is known to be the answer. A yes was one to a definition, and to a plugin from one place.
    pub(super) fn said(&self, wanted: &Allowed) -> Said {
        let memory = self.memory();
        match &memory.agreed {
            Some(agreed) if agreed.covers(wanted) => Said::Yes,
            _ if memory.refusals >= MAX_REFUSALS => Said::StopAsking,
            _ => Said::Nothing,
        }
    }

    /// A yes, to every such call where it says to what.
    pub(super) fn agreed(&self, to: Option<&Allowed>) {
        let mut memory = self.memory();
        memory.refusals = 0;
        if to.is_some() {
            memory.agreed = to.cloned();
        }
    }

    pub(super) fn refused(&self) {
        let mut memory = self.memory();
        memory.refusals = memory.refusals.saturating_add(1);
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answers {
    pub(super) fn turn(
        &self,
        session: &Arc<str>,
        plugin: &str,
        subject: Subject,
        name: &str,
    ) -> Arc<Turn> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (session.clone(), plugin.to_owned(), subject, name.to_owned());
        if entries.len() >= MAX_REMEMBERED && !entries.contains_key(&key) {
            make_room(&mut entries);
        }
        let now = Instant::now();
        let entry = entries.entry(key).or_insert_with(|| Entry {
            turn: Arc::default(),
            used: now,
        });
        entry.used = now;
        entry.turn.clone()
    }
}

fn make_room(entries: &mut HashMap<Key, Entry>) {
    let oldest = entries
        .iter()
        .min_by_key(|(_, entry)| entry.used)
        .map(|(key, _)| key.clone());
    if let Some(key) = oldest {
        entries.remove(&key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approval::Kind;

    fn allowed(origin: &str, definition: &str) -> Allowed {
        Allowed {
            plugin: "x".into(),
            name: "t".into(),
            subject: Subject::Tool,
            kind: Kind::Mutating,
            origin: origin.into(),
            definition: definition.into(),
            at: String::new(),
        }
    }

    #[test]
    fn a_yes_belongs_to_its_session_place_and_definition() {
        let answers = Answers::default();
        let turn =
            |session: &str, name: &str| answers.turn(&session.into(), "x", Subject::Tool, name);
        let wanted = allowed("here", "1");
        turn("a", "t").agreed(Some(&wanted));
        assert_eq!(turn("a", "t").said(&wanted), Said::Yes);
        assert_eq!(turn("a", "t").said(&allowed("here", "2")), Said::Nothing);
        // Another plugin has taken the place of the one that was agreed to.
        assert_eq!(turn("a", "t").said(&allowed("there", "1")), Said::Nothing);
        let destroys = Allowed {
            kind: Kind::Destructive,
            ..wanted.clone()
        };
        assert_eq!(turn("a", "t").said(&destroys), Said::Nothing);
        assert_eq!(turn("b", "t").said(&wanted), Said::Nothing);
        assert_eq!(turn("a", "u").said(&wanted), Said::Nothing);
        turn("a", "u").agreed(None);
        assert_eq!(turn("a", "u").said(&wanted), Said::Nothing);
    }

    #[test]
    fn the_third_refusal_in_a_row_is_the_last() {
        let answers = Answers::default();
        let turn = answers.turn(&"a".into(), "x", Subject::Tool, "t");
        let wanted = allowed("here", "1");
        for _ in 0..2 {
            turn.refused();
        }
        turn.agreed(None);
        for _ in 0..2 {
            turn.refused();
            assert_eq!(turn.said(&wanted), Said::Nothing);
        }
        turn.refused();
        assert_eq!(turn.said(&wanted), Said::StopAsking);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let answers = Answers::default();
        for tool in 0..(MAX_REMEMBERED + 10) {
            answers.turn(&"a".into(), "x", Subject::Tool, &tool.to_string());
        }
        assert_eq!(answers.0.lock().unwrap().len(), MAX_REMEMBERED);
    }
}
