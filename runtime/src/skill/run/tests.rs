use std::sync::Mutex;

use async_trait::async_trait;

use super::*;
use crate::skill::validate;

/// Answers calls with a function, and remembers them.
struct Service<F> {
    answer: F,
    calls: Mutex<Vec<String>>,
}

#[async_trait]
impl<F: Fn(&str, &Value, usize) -> Value + Send + Sync> ToolCaller for Service<F> {
    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<UpstreamResult, Failure> {
        let arguments = Value::Object(arguments);
        let count = {
            let mut calls = self.calls.lock().unwrap();
            calls.push(format!("{tool} {arguments}"));
            calls.len()
        };
        let answer = (self.answer)(tool, &arguments, count);
        match answer.get("code").and_then(Value::as_str) {
            Some(code) => Err(Failure::new(Code::parse(code).unwrap(), "refused")),
            None => Ok(UpstreamResult::from_json(answer)),
        }
    }
}

struct Ran {
    outcome: Result<Outcome, Failure>,
    calls: Vec<String>,
}

impl Ran {
    fn value(self) -> Value {
        self.outcome.unwrap().value
    }

    fn failure(self) -> Value {
        self.outcome.unwrap_err().to_payload()
    }
}

async fn ran(
    steps: Value,
    result: Value,
    arguments: Value,
    answer: impl Fn(&str, &Value, usize) -> Value + Send + Sync,
) -> Ran {
    let document = json!({ "description": "x", "steps": steps, "result": result });
    ran_document(&document, arguments, answer).await
}

async fn ran_document(
    document: &Value,
    arguments: Value,
    answer: impl Fn(&str, &Value, usize) -> Value + Send + Sync,
) -> Ran {
    let document = validate::read("x", document).unwrap_or_else(|problems| panic!("{problems}"));
    let service = Service {
        answer,
        calls: Mutex::default(),
    };
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    let outcome = run(&document, arguments, &service).await;
    Ran {
        outcome,
        calls: service.calls.into_inner().unwrap(),
    }
}

/// A small tracker.
fn tracker(tool: &str, arguments: &Value, _: usize) -> Value {
    match tool {
        "list_issues" => json!({"structuredContent": {"issues": [
            {"number": 1, "title": "Search fails", "labels": ["bug"]},
            {"number": 2, "title": "Export", "labels": ["later"]},
            {"number": 3, "title": "Search is slow", "labels": []},
        ]}}),
        "get_issue" => {
            json!({"number": arguments["number"], "title": "New", "body": format!("Text {}", arguments["number"])})
        }
        "create_issue" => json!({"number": 9}),
        "close_issue" => json!({"state": "closed"}),
        "start_deployment" => json!({"id": "d1"}),
        _ => json!({"content": [{"type": "text", "text": "no such tool"}], "isError": true}),
    }
}

/// The documents of the documentation, in order.
fn examples() -> Vec<Value> {
    let page = include_str!("../../../../docs/declarative-skills.md");
    page.split("```json\n")
        .skip(1)
        .map(|block| serde_json::from_str(block.split("\n```").next().unwrap()).unwrap())
        .collect()
}

#[tokio::test]
async fn the_examples_of_the_documentation_do_what_they_say() {
    let [urgent, create, one, wait] = &examples()[..] else {
        panic!("four examples")
    };
    let listed = ran_document(urgent, json!({}), tracker).await;
    assert_eq!(
        listed.calls,
        [
            r#"list_issues {"state":"open"}"#,
            r#"get_issue {"number":1}"#,
            r#"get_issue {"number":3}"#
        ],
        "an argument that was not given is left out"
    );
    assert_eq!(
        listed.value(),
        json!({"count": 2, "issues": [
            {"number": 1, "title": "Search fails", "text": "Text 1"},
            {"number": 3, "title": "Search is slow", "text": "Text 3"},
        ]})
    );

    let created = ran_document(create, json!({"title": "New", "body": "Text 9"}), tracker).await;
    assert_eq!(created.value()["confirmed"], true);
    let created = ran_document(create, json!({"title": "New"}), tracker).await;
    assert_eq!(created.value()["confirmed"], false);
    let there = ran_document(create, json!({"title": "Export"}), tracker).await;
    assert_eq!(there.calls.len(), 1);
    assert_eq!(there.value()["issue"]["number"], 2);

    let closed = ran_document(one, json!({"words": "Export"}), tracker).await;
    assert_eq!(
        closed.value(),
        json!({"closed": "Export", "state": "closed"})
    );
    let several = ran_document(one, json!({"words": "Search"}), tracker).await;
    assert_eq!(several.calls.len(), 1);
    insta::assert_json_snapshot!("several_found", several.failure());

    let mut wait = wait.clone();
    wait["steps"][1]["waitMs"] = json!(0);
    let deployed = |ends: &'static str| {
        move |tool: &str, arguments: &Value, count: usize| match (tool, count) {
            ("get_deployment", 2..=4) => json!({"status": "running"}),
            ("get_deployment", _) => json!({"status": ends}),
            _ => tracker(tool, arguments, count),
        }
    };
    let done = ran_document(&wait, json!({"version": "1"}), deployed("succeeded")).await;
    assert_eq!(done.calls.len(), 5);
    assert_eq!(done.value(), json!({"status": "succeeded"}));
    let broken = ran_document(&wait, json!({"version": "1"}), deployed("failed")).await;
    assert_eq!(
        broken.failure()["error"],
        "The deployment d1 ended as failed: no reason given"
    );
    let never = ran_document(&wait, json!({"version": "1"}), deployed("running")).await;
    assert_eq!(never.calls.len(), 61);
    insta::assert_json_snapshot!("never_done", never.failure());
}

#[tokio::test]
async fn a_failed_call_ends_the_skill_at_its_stage_or_becomes_a_value() {
    let failing = |_: &str, arguments: &Value, _: usize| match arguments["n"].as_i64() {
        Some(2) => json!({"content": [{"type": "text", "text": "two is bad"}], "isError": true}),
        Some(3) => json!({"code": "TIMEOUT"}),
        Some(4) => json!({"code": "CONFIRM_REQUIRED"}),
        n => json!({"n": n}),
    };
    let step = json!([{"id": "each", "forEach": "{{args.n}}", "as": "n", "call": "get", "arguments": {"n": "{{n}}"}}]);
    let ended = ran(step.clone(), json!(1), json!({"n": [1, 2, 3]}), failing).await;
    assert_eq!(ended.calls.len(), 2);
    insta::assert_json_snapshot!("failed_in_for_each", ended.failure());

    let mut step = step;
    step[0]["onError"] = json!("continue");
    let went_on = ran(
        step.clone(),
        json!("{{each}}"),
        json!({"n": [1, 2, 3]}),
        failing,
    )
    .await;
    insta::assert_json_snapshot!("failed_and_went_on", went_on.value());
    let refused = ran(step, json!("{{each}}"), json!({"n": [4, 1]}), failing).await;
    assert_eq!(refused.calls.len(), 1);
    assert_eq!(refused.failure()["code"], "CONFIRM_REQUIRED");
}

#[tokio::test]
async fn what_a_call_answers_is_a_value() {
    for (answer, want) in [
        (
            json!({"structuredContent": {"a": 1}, "content": [{"type": "text", "text": "x"}]}),
            json!({"a": 1}),
        ),
        (
            json!({"content": [{"type": "text", "text": "[1]"}]}),
            json!([1]),
        ),
        (
            json!({"content": [{"type": "text", "text": "plain"}]}),
            json!("plain"),
        ),
        (json!({"content": []}), json!(null)),
        (
            json!({"content": [{"type": "text", "text": "a"}, {"type": "image", "data": "AA=="}]}),
            json!([{"type": "text", "text": "a"}, {"type": "image", "data": "AA=="}]),
        ),
    ] {
        let steps = json!([{"id": "a", "call": "get"}]);
        let got = ran(steps, json!("{{a}}"), json!({}), |_, _, _| answer.clone()).await;
        assert_eq!(got.value(), want);
    }
}

#[tokio::test]
async fn a_step_that_is_passed_over_is_null_and_text_is_put_together() {
    let steps = json!([
        {"id": "no", "when": {"equals": [1, 2]}, "call": "get"},
        {"id": "texts", "forEach": [1, null, {"a": "b"}, "t"], "value": "<{{item}}>"},
        {"id": "list", "value": ["{{args.x ?? omit}}", "{{no ?? 5}}", {"k": "{{args.x ?? omit}}"}]},
    ]);
    let got = ran(
        steps,
        json!({"no": "{{no}}", "texts": "{{texts}}", "list": "{{list}}"}),
        json!({}),
        tracker,
    )
    .await;
    assert_eq!(
        got.value(),
        json!({"no": null, "texts": ["<1>", "<null>", "<{\"a\":\"b\"}>", "<t>"], "list": [5, {}]})
    );
}

#[tokio::test]
async fn a_missing_value_ends_the_skill_and_is_named() {
    let steps = json!([
        {"id": "all", "call": "list_issues"},
        {"id": "each", "forEach": "{{all.issues}}", "when": {"equals": ["{{item.state}}", "open"]}, "value": 1},
    ]);
    let got = ran(steps.clone(), json!(1), json!({}), tracker).await;
    insta::assert_json_snapshot!("missing_in_condition", got.failure());
    let steps = json!([{"id": "all", "call": "list_issues"}]);
    let got = ran(steps, json!("{{all.issues[3].title}}"), json!({}), tracker).await;
    insta::assert_json_snapshot!("missing_in_result", got.failure());
    let steps = json!([{"id": "all", "forEach": "{{args.x}}", "value": 1}]);
    let got = ran(steps, json!(1), json!({"x": "text"}), tracker).await;
    insta::assert_json_snapshot!("no_list", got.failure());
}

#[tokio::test]
async fn a_step_that_goes_on_does_not_hide_a_mistake_of_the_skill() {
    let steps = json!([{"id": "a", "call": "get", "until": {"equals": ["{{a.status}}", 1]}, "onError": "continue"}]);
    let got = ran(steps, json!("{{a}}"), json!({}), |_, _, _| json!({"n": 1})).await;
    let failure = got.failure();
    assert_eq!(failure["stage"], "a");
    assert!(
        failure["error"]
            .as_str()
            .unwrap()
            .starts_with("{{a.status}} has no value")
    );
}

#[tokio::test]
async fn limits_hold_and_what_was_cut_is_said() {
    let numbers: Vec<usize> = (0..250).collect();
    let steps = json!([{"id": "few", "forEach": "{{args.n}}", "when": {"gte": ["{{item}}", 10]}, "value": "{{item}}"}]);
    let got = ran(
        steps,
        json!("{{few.length}}"),
        json!({"n": numbers}),
        tracker,
    )
    .await;
    let outcome = got.outcome.unwrap();
    assert_eq!(outcome.value, 100);
    assert_eq!(
        outcome.notes,
        ["few: stopped after 100 items, the step's limit; 140 of 250 were not looked at"]
    );

    let many: Vec<usize> = (0..600).collect();
    let call =
        json!({"forEach": "{{args.n}}", "limit": 1000, "call": "get", "onError": "continue"});
    let (mut first, mut second) = (call.clone(), call);
    first["id"] = json!("a");
    second["id"] = json!("b");
    let got = ran(
        json!([first, second]),
        json!("{{b[-1]}}"),
        json!({"n": many}),
        |_, _, _| json!({"n": 1}),
    )
    .await;
    assert_eq!(got.calls.len(), 1000);
    insta::assert_json_snapshot!("too_many_calls", got.value());

    let steps = json!([
        {"id": "a", "value": "{{args.text}}"},
        {"id": "b", "forEach": "{{args.n}}", "limit": 1000, "value": ["{{a}}", "{{a}}"]},
        {"id": "c", "forEach": "{{b}}", "limit": 1000, "value": "{{b}}"},
    ]);
    let got = ran(
        steps,
        json!(1),
        json!({"text": "x".repeat(2000), "n": (0..500).collect::<Vec<_>>()}),
        tracker,
    )
    .await;
    insta::assert_json_snapshot!("too_much", got.failure());
}
