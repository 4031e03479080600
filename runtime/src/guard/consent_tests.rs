use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::{
    Call,
    approval::{Approver, DecisionSlot},
    audit::{Recorder, Recording},
};

/// Says the same to every question, and counts them.
struct Says {
    answer: Answer,
    asked: AtomicUsize,
    last: Mutex<Option<Question>>,
    interrupts: bool,
}

impl Says {
    fn new(answer: Answer) -> Arc<Self> {
        Arc::new(Self {
            answer,
            asked: AtomicUsize::new(0),
            last: Mutex::default(),
            interrupts: true,
        })
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Approver for Says {
    async fn ask(&self, question: &Question) -> Answer {
        self.asked.fetch_add(1, Ordering::Relaxed);
        *self.last.lock().unwrap() = Some(question.clone());
        match self.answer {
            Answer::Unanswered => std::future::pending().await,
            answer => answer,
        }
    }

    fn may_interrupt(&self) -> bool {
        self.interrupts
    }
}

fn context(session: &str, approver: Option<Arc<Says>>) -> CallContext {
    CallContext {
        cancel: CancellationToken::new(),
        session: session.into(),
        shared_session: false,
        progress: None,
        sent: Arc::default(),
        approver: approver.map(|approver| approver as Arc<dyn Approver>),
        decided: DecisionSlot::default(),
        recording: unrecorded(),
    }
}

fn unrecorded() -> Arc<Recording> {
    let options = serde_json::from_value(json!({"audit": {"enabled": false}})).unwrap();
    let recorder = Recorder::new(&options, "0");
    recorder.begin(&Call::to("x")).recording()
}

fn ruling(decision: Decision, explicit: bool) -> Ruling {
    Ruling {
        decision,
        rule: "a rule".into(),
        explicit,
    }
}

fn wanted(kind: Kind, ruling: Ruling) -> Wanted<'static> {
    static NONE: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    Wanted {
        plugin: "x",
        name: "t",
        subject: Subject::Tool,
        kind,
        kind_by: "somebody says so".into(),
        changed: false,
        definition: &|| "1".into(),
        origin: &|| "here".into(),
        ruling,
        asking: Asking {
            headless: Headless::Confirm,
            timeout: Duration::from_secs(300),
        },
        arguments: &NONE,
        consent: Consent::Given,
        retry: "x_call {…}",
        within: None,
    }
}

fn asks(kind: Kind) -> Wanted<'static> {
    wanted(kind, ruling(Decision::Ask, false))
}

/// With a file of decisions in a folder that lives as long.
fn consents() -> (Consents, tempfile::TempDir) {
    let temp = tempfile::tempdir().unwrap();
    (Consents::new(Remembered::below(temp.path())), temp)
}

async fn outcome(
    consents: &Consents,
    wanted: &Wanted<'_>,
    context: &CallContext,
) -> Result<By, Code> {
    let outcome = consents.require(wanted, context).await;
    let decided = context.decided.get().unwrap();
    assert_eq!(decided.allowed, outcome.is_ok());
    outcome
        .map(|decided| decided.by)
        .map_err(|failure| failure.code)
}

#[tokio::test]
async fn each_decision_does_what_it_says() {
    let (consents, _temp) = consents();
    let no = Says::new(Answer::No);
    let asked = context("s", Some(no.clone()));
    for (kind, decision, explicit, consent, want) in [
        (
            Kind::ReadOnly,
            Decision::Ask,
            false,
            Consent::NotGiven,
            Ok(By::Policy),
        ),
        (
            Kind::ReadOnly,
            Decision::Deny,
            false,
            Consent::Given,
            Err(Code::PolicyDenied),
        ),
        (
            Kind::Mutating,
            Decision::Deny,
            true,
            Consent::Given,
            Err(Code::PolicyDenied),
        ),
        (
            Kind::Mutating,
            Decision::Allow,
            true,
            Consent::NotGiven,
            Ok(By::Policy),
        ),
        (
            Kind::Destructive,
            Decision::Allow,
            true,
            Consent::NotGiven,
            Ok(By::Policy),
        ),
        (
            Kind::Mutating,
            Decision::Allow,
            false,
            Consent::NotGiven,
            Err(Code::ConfirmRequired),
        ),
        (
            Kind::Mutating,
            Decision::Allow,
            false,
            Consent::Given,
            Ok(By::ModelConfirm),
        ),
        (
            Kind::Mutating,
            Decision::Ask,
            false,
            Consent::NotGiven,
            Err(Code::ConfirmRequired),
        ),
        (
            Kind::ReadOnly,
            Decision::Ask,
            true,
            Consent::NotGiven,
            Err(Code::ConfirmRequired),
        ),
    ] {
        let wanted = Wanted {
            consent,
            ..wanted(kind, ruling(decision, explicit))
        };
        assert_eq!(
            outcome(&consents, &wanted, &asked).await,
            want,
            "{kind} {decision:?} {explicit}"
        );
    }
    assert_eq!(no.asked(), 0);
    assert_eq!(
        outcome(&consents, &asks(Kind::Mutating), &asked).await,
        Err(Code::ConsentDenied)
    );
    let explicit = wanted(Kind::ReadOnly, ruling(Decision::Ask, true));
    assert_eq!(
        outcome(&consents, &explicit, &asked).await,
        Err(Code::ConsentDenied)
    );
    assert_eq!(no.asked(), 2);
}

#[tokio::test]
async fn a_client_that_has_asked_lifts_no_rule_that_denies() {
    let (consents, _temp) = consents();
    let yes = Says::new(Answer::ByClient);
    let denied = wanted(Kind::Mutating, ruling(Decision::Deny, true));
    assert_eq!(
        outcome(&consents, &denied, &context("s", Some(yes.clone()))).await,
        Err(Code::PolicyDenied)
    );
    assert_eq!(yes.asked(), 0);
}

#[tokio::test]
async fn where_nobody_can_be_asked_confirm_suffices_but_not_to_destroy() {
    let (consents, _temp) = consents();
    let unavailable = Some(Says::new(Answer::Unavailable));
    for alone in [context("s", None), context("s", unavailable)] {
        assert_eq!(
            outcome(&consents, &asks(Kind::Mutating), &alone).await,
            Ok(By::ModelConfirm)
        );
        let refusal = consents.require(&asks(Kind::Destructive), &alone).await;
        let refusal = refusal.unwrap_err();
        assert_eq!(refusal.code, Code::PolicyDenied);
        let rule = r#"{"policy":{"tools":{"x/t":"allow"}}}"#;
        assert!(refusal.hint.unwrap().contains(rule));
        let mut refusing = asks(Kind::Mutating);
        refusing.asking.headless = Headless::Refuse;
        assert_eq!(
            outcome(&consents, &refusing, &alone).await,
            Err(Code::PolicyDenied)
        );
    }
}

#[tokio::test]
async fn once_is_once_a_session_is_a_session_and_always_outlives_it() {
    let (consents, temp) = consents();
    let mutating = || asks(Kind::Mutating);
    let once = Says::new(Answer::Once);
    for _ in 0..2 {
        let context = context("s", Some(once.clone()));
        assert_eq!(
            outcome(&consents, &mutating(), &context).await,
            Ok(By::PersonOnce)
        );
    }
    assert_eq!(once.asked(), 2);

    let session = context("s", Some(Says::new(Answer::Session)));
    assert_eq!(
        outcome(&consents, &mutating(), &session).await,
        Ok(By::PersonSession)
    );
    let no = Says::new(Answer::No);
    let again = context("s", Some(no.clone()));
    assert_eq!(
        outcome(&consents, &mutating(), &again).await,
        Ok(By::Remembered)
    );
    assert_eq!(no.asked(), 0);
    let changed = Wanted {
        definition: &|| "2".into(),
        ..mutating()
    };
    assert_eq!(
        outcome(&consents, &changed, &again).await,
        Err(Code::ConsentDenied)
    );
    let taken = Wanted {
        origin: &|| "elsewhere".into(),
        ..mutating()
    };
    assert_eq!(
        outcome(&consents, &taken, &again).await,
        Err(Code::ConsentDenied)
    );
    let elsewhere = context("other", Some(no.clone()));
    assert_eq!(
        outcome(&consents, &mutating(), &elsewhere).await,
        Err(Code::ConsentDenied)
    );

    let always = context("third", Some(Says::new(Answer::Always)));
    assert_eq!(
        outcome(&consents, &mutating(), &always).await,
        Ok(By::PersonAlways)
    );
    let later = Consents::new(Remembered::below(temp.path()));
    let alone = context("fourth", Some(no.clone()));
    assert_eq!(
        outcome(&later, &mutating(), &alone).await,
        Ok(By::Remembered)
    );
    let impostor = Wanted {
        origin: &|| "elsewhere".into(),
        ..mutating()
    };
    assert_eq!(
        outcome(&later, &impostor, &alone).await,
        Err(Code::ConsentDenied)
    );
    assert!(later.remembered().forget("x", "t").unwrap());
    assert_eq!(
        outcome(&later, &mutating(), &alone).await,
        Err(Code::ConsentDenied)
    );
}

#[tokio::test]
async fn what_was_allowed_for_good_needs_nobody_to_ask() {
    let (consents, _temp) = consents();
    let always = context("s", Some(Says::new(Answer::Always)));
    let destructive = asks(Kind::Destructive);
    assert_eq!(
        outcome(&consents, &destructive, &always).await,
        Ok(By::PersonAlways)
    );
    let headless = context("later", None);
    assert_eq!(
        outcome(&consents, &destructive, &headless).await,
        Ok(By::Remembered)
    );
}

#[tokio::test]
async fn a_yes_to_a_change_is_none_once_it_is_known_to_destroy() {
    let (consents, _temp) = consents();
    let alone = context("s", None);
    for answer in [Answer::Session, Answer::Always] {
        let yes = context("s", Some(Says::new(answer)));
        assert!(consents.require(&asks(Kind::Mutating), &yes).await.is_ok());
        assert_eq!(
            outcome(&consents, &asks(Kind::Mutating), &alone).await,
            Ok(By::Remembered)
        );
        assert_eq!(
            outcome(&consents, &asks(Kind::Destructive), &alone).await,
            Err(Code::PolicyDenied)
        );
    }
}

#[tokio::test]
async fn no_answer_in_time_means_no() {
    let (consents, _temp) = consents();
    let mut hasty = asks(Kind::Mutating);
    hasty.asking.timeout = Duration::ZERO;
    let silent = context("s", Some(Says::new(Answer::Unanswered)));
    assert_eq!(
        outcome(&consents, &hasty, &silent).await,
        Err(Code::ConsentDenied)
    );
    assert_eq!(silent.decided.get().unwrap().by, By::NoAnswer);
}

#[tokio::test]
async fn after_three_refusals_in_a_row_nobody_is_asked() {
    let (consents, _temp) = consents();
    let no = Says::new(Answer::No);
    let context = context("s", Some(no.clone()));
    let mut last = None;
    for _ in 0..6 {
        let refusal = consents.require(&asks(Kind::Mutating), &context).await;
        last = Some(refusal.unwrap_err());
    }
    assert_eq!(no.asked(), 3);
    let last = last.unwrap();
    assert_eq!(last.code, Code::ConsentDenied);
    assert!(last.hint.unwrap().starts_with("Stop calling it."));
}

#[tokio::test]
async fn a_question_that_ends_with_its_cancelled_call_was_not_refused() {
    let (consents, _temp) = consents();
    let closed = Says::new(Answer::No);
    let cancelled = context("s", Some(closed.clone()));
    cancelled.cancel.cancel();
    for _ in 0..4 {
        let ended = outcome(&consents, &asks(Kind::Mutating), &cancelled).await;
        assert_eq!(ended, Err(Code::Cancelled));
    }
    assert_eq!(closed.asked(), 4, "the asking goes on");
    assert_eq!(cancelled.decided.get().unwrap().by, By::NoAnswer);
}

#[tokio::test]
async fn clients_that_look_alike_answer_each_for_themselves() {
    let (consents, _temp) = consents();
    let shared = |answer| {
        let approver = Says::new(answer);
        let context = CallContext {
            shared_session: true,
            ..context("agent", Some(approver.clone()))
        };
        (approver, context)
    };
    let (_, session) = shared(Answer::Session);
    assert_eq!(
        outcome(&consents, &asks(Kind::Mutating), &session).await,
        Ok(By::PersonOnce)
    );
    let (no, refusing) = shared(Answer::No);
    for _ in 0..5 {
        let refused = outcome(&consents, &asks(Kind::Mutating), &refusing).await;
        assert_eq!(refused, Err(Code::ConsentDenied));
    }
    assert_eq!(no.asked(), 5);
    let asked = no.last.lock().unwrap().clone().unwrap();
    assert!(!asked.choices.contains(&Answer::Session));
}

/// The decision about the run of a skill.
fn run(kind: Kind, by: By) -> Decided {
    Decided {
        allowed: true,
        kind,
        rule: "a rule".into(),
        by,
    }
}

#[tokio::test]
async fn a_run_covers_changes_that_its_skill_makes_and_no_destruction_that_nobody_knew_of() {
    let (consents, _temp) = consents();
    let headless = context("s", None);
    for (run, kind, want) in [
        (
            run(Kind::Mutating, By::ModelConfirm),
            Kind::Mutating,
            Ok(By::SkillRun),
        ),
        (
            run(Kind::Mutating, By::PersonOnce),
            Kind::Mutating,
            Ok(By::SkillRun),
        ),
        (
            run(Kind::Mutating, By::Policy),
            Kind::Destructive,
            Ok(By::SkillRun),
        ),
        (
            run(Kind::Destructive, By::PersonOnce),
            Kind::Destructive,
            Ok(By::SkillRun),
        ),
        (
            run(Kind::Mutating, By::PersonOnce),
            Kind::Destructive,
            Err(Code::PolicyDenied),
        ),
        (
            run(Kind::Mutating, By::ModelConfirm),
            Kind::Destructive,
            Err(Code::PolicyDenied),
        ),
        (
            run(Kind::ReadOnly, By::Policy),
            Kind::Destructive,
            Err(Code::PolicyDenied),
        ),
        (
            run(Kind::ReadOnly, By::Policy),
            Kind::Mutating,
            Ok(By::ModelConfirm),
        ),
    ] {
        let wanted = Wanted {
            within: Some(&run),
            ..asks(kind)
        };
        assert_eq!(
            outcome(&consents, &wanted, &headless).await,
            want,
            "{run:?} {kind}"
        );
    }
    let run = run(Kind::ReadOnly, By::Policy);
    let unconfirmed = Wanted {
        within: Some(&run),
        consent: Consent::NotGiven,
        ..asks(Kind::Mutating)
    };
    assert_eq!(
        outcome(&consents, &unconfirmed, &headless).await,
        Err(Code::ConfirmRequired)
    );
}

#[tokio::test]
async fn what_the_policy_denies_or_asks_about_is_not_covered_by_a_run() {
    let (consents, _temp) = consents();
    let run = run(Kind::Destructive, By::PersonOnce);
    let no = Says::new(Answer::No);
    let asked = context("s", Some(no.clone()));
    for (decision, want) in [
        (Decision::Deny, Code::PolicyDenied),
        (Decision::Ask, Code::ConsentDenied),
    ] {
        let wanted = Wanted {
            within: Some(&run),
            ..wanted(Kind::Mutating, ruling(decision, true))
        };
        assert_eq!(outcome(&consents, &wanted, &asked).await, Err(want));
    }
    assert_eq!(no.asked(), 1);
    // To ask would end the run and have it begin again.
    let ends_the_call = Arc::new(Says {
        interrupts: false,
        answer: Answer::Once,
        asked: AtomicUsize::new(0),
        last: Mutex::default(),
    });
    let wanted = Wanted {
        within: Some(&run),
        ..wanted(Kind::Mutating, ruling(Decision::Ask, true))
    };
    let context = context("t", Some(ends_the_call.clone()));
    assert_eq!(
        outcome(&consents, &wanted, &context).await,
        Err(Code::PolicyDenied)
    );
    assert_eq!(ends_the_call.asked(), 0);
}

#[tokio::test]
async fn what_a_rule_asks_about_is_not_called_by_a_skill_where_nobody_can_be_asked() {
    let (consents, _temp) = consents();
    let unavailable = Says::new(Answer::Unavailable);
    let run = run(Kind::Destructive, By::PersonOnce);
    for (kind, alone) in [
        (Kind::Mutating, context("s", None)),
        (Kind::ReadOnly, context("s", None)),
        (Kind::Mutating, context("s", Some(unavailable))),
    ] {
        let rule = ruling(Decision::Ask, true);
        let outside = wanted(kind, rule.clone());
        assert_eq!(
            outcome(&consents, &outside, &alone).await,
            Ok(By::ModelConfirm),
            "the `confirm` is one to this very call"
        );
        let inside = Wanted {
            within: Some(&run),
            ..wanted(kind, rule)
        };
        let refusal = consents.require(&inside, &alone).await.unwrap_err();
        assert_eq!(refusal.code, Code::PolicyDenied);
        assert!(refusal.error.contains("that to a skill"), "{refusal}");
    }
    // What was said for good holds in a skill, too.
    let always = context("t", Some(Says::new(Answer::Always)));
    let rule = || wanted(Kind::Mutating, ruling(Decision::Ask, true));
    assert_eq!(
        outcome(&consents, &rule(), &always).await,
        Ok(By::PersonAlways)
    );
    let inside = Wanted {
        within: Some(&run),
        ..rule()
    };
    assert_eq!(
        outcome(&consents, &inside, &context("s", None)).await,
        Ok(By::Remembered)
    );
}

#[tokio::test]
async fn a_changed_definition_needs_consent_whatever_allows_the_tool() {
    let (consents, _temp) = consents();
    let alone = context("s", None);
    let changed = |consent| Wanted {
        changed: true,
        consent,
        ..wanted(Kind::ReadOnly, ruling(Decision::Allow, true))
    };
    assert_eq!(
        outcome(&consents, &changed(Consent::NotGiven), &alone).await,
        Err(Code::ConfirmRequired)
    );
    assert_eq!(
        outcome(&consents, &changed(Consent::Given), &alone).await,
        Ok(By::ModelConfirm)
    );
}

#[tokio::test]
async fn refusals_say_what_to_do() {
    let (consents, _temp) = consents();
    let headless = context("s", None);
    let no = context("s", Some(Says::new(Answer::No)));
    let silent = context("s", Some(Says::new(Answer::Unanswered)));
    let mut hasty = asks(Kind::Mutating);
    hasty.asking.timeout = Duration::ZERO;
    let failures = [
        consents.require(&asks(Kind::Destructive), &headless).await,
        consents.require(&asks(Kind::Mutating), &no).await,
        consents.require(&hasty, &silent).await,
        consents
            .require(&wanted(Kind::Mutating, ruling(Decision::Deny, true)), &no)
            .await,
    ];
    let told: Vec<String> = failures
        .into_iter()
        .map(|failure| {
            let failure = failure.unwrap_err();
            format!(
                "{}: {}\n{}",
                failure.code,
                failure.error,
                failure.hint.unwrap()
            )
        })
        .collect();
    insta::assert_snapshot!(told.join("\n\n"));
}

#[tokio::test]
async fn a_client_that_has_asked_answers_for_one_call_and_for_no_rule() {
    let (consents, _temp) = consents();
    let client = Says::new(Answer::ByClient);
    let asked = context("s", Some(client.clone()));
    for _ in 0..2 {
        assert_eq!(
            outcome(&consents, &asks(Kind::Destructive), &asked).await,
            Ok(By::Client)
        );
    }
    assert_eq!(client.asked(), 2, "nothing is remembered");
    let denied = wanted(Kind::Mutating, ruling(Decision::Deny, true));
    assert_eq!(
        outcome(&consents, &denied, &asked).await,
        Err(Code::PolicyDenied)
    );
    let unconfirmed = Wanted {
        consent: Consent::NotGiven,
        ..asks(Kind::Mutating)
    };
    assert_eq!(
        outcome(&consents, &unconfirmed, &asked).await,
        Err(Code::ConfirmRequired)
    );
    assert_eq!(client.asked(), 2);
}
