//! Asking the user of an MCP client (elicitation).
//!
//! An older client on stdio is sent a request of our own. A client of 2026-07-28 gets the question as the answer to its call,
//! which it repeats with what the user said; the state it brings back is sealed, so that no other call passes for the
//! one that the user saw. An older client over HTTP cannot be asked: nothing can be sent to it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use rmcp::{
    RoleServer,
    model::{
        ElicitRequestParams, ElicitResult, ElicitationAction, ErrorCode, InputRequest,
        InputRequests, InputRequiredResult, InputResponses, RequestStateCodec, RequestStateError,
        SealOptions,
    },
    service::{Peer, ServiceError},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Code, Failure,
    approval::{Answer, Approver, Question},
    checksum, random,
    trust::visible,
};

/// The name of the question among the inputs that a client is asked for.
const INPUT: &str = "consent";
/// Longer arguments are cut in the question.
const MAX_ARGUMENTS: usize = 4_000;
/// Answers that were used are remembered for as long as they could be used again, and no more than so many.
const MAX_USED: usize = 10_000;

/// What seals the questions of one server, and which answers to them were used.
pub(super) struct Seal {
    codec: RequestStateCodec,
    used: Mutex<HashMap<String, Instant>>,
}

impl Seal {
    /// With a key that nobody else has and that is gone with this process.
    pub(super) fn new() -> Result<Self, Failure> {
        let key = random::text()?;
        let codec = RequestStateCodec::try_new(key.into_bytes())
            .map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        Ok(Self {
            codec,
            used: Mutex::default(),
        })
    }

    fn seal(&self, binding: &str, limit: Duration) -> Option<String> {
        let options = SealOptions::new()
            .associated_data(binding.as_bytes())
            .ttl(limit);
        let nonce = random::text().ok()?;
        Some(self.codec.seal_with(nonce.as_bytes(), &options))
    }

    /// Opens the seal of a question, once.
    fn open(&self, state: &str, binding: &str, limit: Duration) -> Result<(), Answer> {
        let nonce = match self.codec.open_with(state, binding.as_bytes()) {
            Ok(nonce) => String::from_utf8_lossy(&nonce).into_owned(),
            Err(RequestStateError::Expired) => return Err(Answer::Unanswered),
            Err(error) => {
                tracing::warn!(%error, "an answer to another question was sent back");
                return Err(Answer::No);
            }
        };
        let now = Instant::now();
        let mut used = self.used();
        used.retain(|_, until| *until > now);
        // Where too many are remembered none is taken, rather than one twice.
        if used.len() >= MAX_USED || used.insert(nonce, now + limit).is_some() {
            return Err(Answer::No);
        }
        Ok(())
    }

    fn used(&self) -> MutexGuard<'_, HashMap<String, Instant>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client that is sent a request while its call waits.
pub(super) struct ByRequest(pub Peer<RoleServer>);

#[async_trait]
impl Approver for ByRequest {
    async fn ask(&self, question: &Question) -> Answer {
        let Some(params) = form(question) else {
            return Answer::No;
        };
        let limit = Duration::from_millis(question.timeout_ms);
        // When the time is over the client is told, so that no dialog stays open.
        let asked = self.0.create_elicitation_with_timeout(params, Some(limit));
        match asked.await {
            Ok(result) => answer_of(&result),
            Err(ServiceError::Timeout { .. }) => Answer::Unanswered,
            Err(ServiceError::McpError(error)) if error.code == ErrorCode::METHOD_NOT_FOUND => {
                Answer::Unavailable
            }
            Err(_) => Answer::No,
        }
    }
}

/// A client that is given the question as the answer to its call, and repeats the call.
pub(super) struct ByRetry {
    seal: Arc<Seal>,
    /// Whose call it is.
    session: String,
    state: Option<String>,
    responses: Option<InputResponses>,
    asked: Mutex<Option<InputRequiredResult>>,
}

impl ByRetry {
    pub(super) fn new(
        seal: Arc<Seal>,
        session: String,
        state: Option<String>,
        responses: Option<InputResponses>,
    ) -> Self {
        Self {
            seal,
            session,
            state,
            responses,
            asked: Mutex::default(),
        }
    }

    /// The question that the client is to answer, where one came up.
    pub(super) fn take_question(&self) -> Option<InputRequiredResult> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.take()
    }

    /// What the client brings back as the answer to a question; nothing where it was not asked yet.
    fn brought(&self, binding: &str, limit: Duration) -> Option<Answer> {
        let state = self.state.as_deref()?;
        let response = self.responses.as_ref()?.get(INPUT)?;
        if let Err(answer) = self.seal.open(state, binding, limit) {
            return Some(answer);
        }
        let result = ElicitResult::deserialize(response);
        Some(result.map_or(Answer::No, |result| answer_of(&result)))
    }
}

#[async_trait]
impl Approver for ByRetry {
    async fn ask(&self, question: &Question) -> Answer {
        let binding = binding(question, &self.session);
        let limit = Duration::from_millis(question.timeout_ms);
        if let Some(answer) = self.brought(&binding, limit) {
            return answer;
        }
        let (Some(params), Some(state)) = (form(question), self.seal.seal(&binding, limit)) else {
            return Answer::No;
        };
        let request = InputRequest::Elicitation(rmcp::model::ElicitRequest::new(params));
        let requests = InputRequests::from([(INPUT.to_owned(), request)]);
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        *asked = Some(InputRequiredResult::new(Some(requests), Some(state)));
        Answer::Pending
    }

    fn may_interrupt(&self) -> bool {
        false
    }
}

/// Stands for everything that the user is asked about, and for whose call it is.
fn binding(question: &Question, session: &str) -> String {
    let Question {
        plugin,
        name,
        subject,
        kind,
        arguments,
        ..
    } = question;
    let asked = json!([session, plugin, name, subject, kind, arguments]);
    checksum::hex(&asked.to_string())
}

fn answer_of(result: &ElicitResult) -> Answer {
    #[derive(Deserialize)]
    struct Content {
        answer: Answer,
    }
    match result.action {
        ElicitationAction::Accept => {}
        // "Dismissed without making an explicit choice" (specification, elicitation, response actions).
        ElicitationAction::Cancel => return Answer::Unanswered,
        _ => return Answer::No,
    }
    let content = result.content.as_ref().map(Content::deserialize);
    match content {
        Some(Ok(Content {
            answer: answer @ (Answer::Once | Answer::Session | Answer::Always),
        })) => answer,
        _ => Answer::No,
    }
}

/// The question as a form of one field.
fn form(question: &Question) -> Option<ElicitRequestParams> {
    let params = json!({
        "mode": "form",
        "message": message(question),
        "requestedSchema": {
            "type": "object",
            "properties": {
                "answer": {
                    "type": "string",
                    "title": "May it be called?",
                    "description": "once: this call. session: this session. always: from now on. no: not at all.",
                    "enum": question.choices,
                },
            },
            "required": ["answer"],
        },
    });
    serde_json::from_value(params).ok()
}

/// What the user reads. Characters that a person cannot see are written out.
fn message(question: &Question) -> String {
    let arguments = Value::Object(question.arguments.clone());
    let arguments = serde_json::to_string_pretty(&arguments).unwrap_or_default();
    visible(&format!(
        "{} ({})\n\n{}/{} {}",
        question.consequence,
        question.kind,
        question.plugin,
        question.name,
        cut(&arguments)
    ))
}

fn cut(text: &str) -> String {
    let kept: String = text.chars().take(MAX_ARGUMENTS).collect();
    match text.chars().count() - kept.chars().count() {
        0 => kept,
        more => format!("{kept}… and {more} characters more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approval::{Kind, Subject};

    fn question(arguments: Value) -> Question {
        let Value::Object(arguments) = arguments else {
            panic!("no object");
        };
        Question {
            plugin: "github".into(),
            name: "delete_repo".into(),
            subject: Subject::Tool,
            kind: Kind::Destructive,
            consequence: "delete_repo of github may destroy something.".into(),
            arguments,
            timeout_ms: 60_000,
            choices: vec![Answer::Once, Answer::No],
        }
    }

    fn said(answer: &str) -> InputResponses {
        let response = json!({"action": "accept", "content": {"answer": answer}});
        InputResponses::from([(INPUT.to_owned(), response)])
    }

    /// Asks as a client that has nothing yet, and returns the sealed state.
    async fn state_of(seal: &Arc<Seal>, question: &Question, session: &str) -> String {
        let first = ByRetry::new(seal.clone(), session.into(), None, None);
        assert_eq!(first.ask(question).await, Answer::Pending);
        let asked = first.take_question().unwrap();
        asked.request_state.unwrap()
    }

    async fn retry(seal: &Arc<Seal>, question: &Question, session: &str, state: String) -> Answer {
        let again = ByRetry::new(
            seal.clone(),
            session.into(),
            Some(state),
            Some(said("once")),
        );
        again.ask(question).await
    }

    #[tokio::test]
    async fn a_yes_counts_for_the_call_that_was_asked_about_and_once() {
        let seal = Arc::new(Seal::new().unwrap());
        let asked = question(json!({"repo": "mine"}));
        let state = state_of(&seal, &asked, "s").await;
        let other = question(json!({"repo": "yours"}));
        assert_eq!(retry(&seal, &other, "s", state.clone()).await, Answer::No);
        assert_eq!(retry(&seal, &asked, "t", state.clone()).await, Answer::No);
        assert_eq!(
            retry(&seal, &asked, "s", "made up".into()).await,
            Answer::No
        );
        let elsewhere = Arc::new(Seal::new().unwrap());
        assert_eq!(
            retry(&elsewhere, &asked, "s", state.clone()).await,
            Answer::No
        );
        assert_eq!(retry(&seal, &asked, "s", state.clone()).await, Answer::Once);
        assert_eq!(retry(&seal, &asked, "s", state).await, Answer::No);
    }

    #[tokio::test]
    async fn an_answer_without_a_state_is_none() {
        let seal = Arc::new(Seal::new().unwrap());
        let forged = ByRetry::new(seal, "s".into(), None, Some(said("always")));
        assert_eq!(forged.ask(&question(json!({}))).await, Answer::Pending);
    }

    #[test]
    fn only_an_accepted_choice_is_a_yes() {
        let answer = |result: Value| answer_of(&serde_json::from_value(result).unwrap());
        let accept = |content: Value| answer(json!({"action": "accept", "content": content}));
        assert_eq!(accept(json!({"answer": "session"})), Answer::Session);
        for content in [
            json!({"answer": "no"}),
            json!({"answer": "pending"}),
            json!({"answer": "unavailable"}),
            json!({}),
            json!(null),
        ] {
            assert_eq!(accept(content), Answer::No);
        }
        for (action, meant) in [("decline", Answer::No), ("cancel", Answer::Unanswered)] {
            let content = json!({"answer": "once"});
            assert_eq!(answer(json!({"action": action, "content": content})), meant);
        }
    }

    #[test]
    fn the_question_shows_what_would_be_called() {
        let hidden = question(json!({"repo": "mi\u{202e}ne\u{e0041}"}));
        insta::assert_snapshot!(message(&hidden));
        let long = question(json!({"text": "x".repeat(5_000)}));
        assert!(message(&long).contains("characters more"));
        assert!(form(&hidden).is_some());
    }
}
