//! Questions that the page shows in a dialog while the call waits.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use serde_json::json;
use tokio::sync::oneshot;

use super::{Page, events::Events};
use crate::{
    approval::{Answer, Approver, Question},
    random,
};

/// Those that wait for an answer, by an id that nobody can guess.
#[derive(Default)]
pub(super) struct Questions(Mutex<HashMap<String, oneshot::Sender<Answer>>>);

impl Questions {
    /// False when nobody waits for it.
    pub(super) fn answer(&self, id: &str, answer: Answer) -> bool {
        let waiting = self.waiting().remove(id);
        waiting.is_some_and(|waiting| waiting.send(answer).is_ok())
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<String, oneshot::Sender<Answer>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks the person at the page that made the call.
pub(super) struct ByDialog {
    pub page: Page,
    pub events: Events,
}

/// Forgets the question, however it ends.
struct Open<'a>(&'a Questions, &'a str);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.waiting().remove(self.1);
    }
}

#[async_trait]
impl Approver for ByDialog {
    async fn ask(&self, question: &Question) -> Answer {
        let Ok(id) = random::text() else {
            return Answer::No;
        };
        let (answer, answered) = oneshot::channel();
        let questions = &self.page.0.questions;
        questions.waiting().insert(id.clone(), answer);
        let _open = Open(questions, &id);
        if !self
            .events
            .send("question", &json!({ "id": id, "about": question }))
            .await
        {
            return Answer::No;
        }
        let limit = Duration::from_millis(question.timeout_ms);
        tokio::select! {
            // Whatever goes wrong on the way to an answer is no yes.
            answer = answered => answer.unwrap_or(Answer::No),
            () = self.events.unread() => Answer::No,
            () = tokio::time::sleep(limit) => {
                self.events.try_send("expired", &json!({ "id": id }));
                Answer::Unanswered
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_counts_for_its_question_and_once() {
        let questions = Questions::default();
        let ask = |id: &str| {
            let (answer, answered) = oneshot::channel();
            questions.waiting().insert(id.to_owned(), answer);
            answered
        };
        let (mut one, mut other) = (ask("one"), ask("other"));
        assert!(!questions.answer("none", Answer::Once));
        assert!(questions.answer("one", Answer::Once));
        assert!(!questions.answer("one", Answer::Once), "a second time");
        assert_eq!(one.try_recv(), Ok(Answer::Once));
        assert!(other.try_recv().is_err(), "nobody has answered it");
        let open = Open(&questions, "other");
        drop(open);
        assert!(!questions.answer("other", Answer::Once), "it is over");
    }
}
