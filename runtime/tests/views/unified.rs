//! How a call over all plugins is read.

use agent_tools_runtime::{Call, ViewKind};
use serde_json::{Value, json};

use crate::services::{Fixture, open, three, view};

const CALL: &str = "agent_tools_call";
const RUN: &str = "agent_tools_run_skill";
const DISCOVER: &str = "agent_tools_discover";

async fn loaded() -> Fixture {
    let fixture = three(json!({}));
    fixture.load().await;
    fixture
}

#[tokio::test]
async fn one_reading_is_taken_and_noted() {
    let fixture = loaded().await;
    let mut seen = Vec::new();
    for sent in [
        json!({ "plugin": "github", "toolName": "list_issues", "arguments": { "id": "7" } }),
        json!({ "toolName": "get_pull_request", "arguments": { "id": "7" } }),
        json!({ "toolName": "github/list_issues", "arguments": { "id": "7" } }),
        json!({ "toolName": "github_list_issues", "arguments": { "id": "7" } }),
        json!({ "plugin": "github", "toolName": "github_list_issues", "arguments": { "id": "7" } }),
        json!({ "plugin": "GitHub", "toolName": "list_issues", "arguments": { "id": "7" } }),
        json!({ "arguments": { "plugin": "github", "toolName": "list_issues", "arguments": { "id": "7" } } }),
        json!({ "plugin": "github", "arguments": { "toolName": "list_issues", "arguments": "{\"id\":\"7\"}" } }),
        json!({ "arguments": "{\"plugin\":\"github\",\"toolName\":\"list_issues\",\"arguments\":{\"id\":\"7\"}}" }),
    ] {
        let answer = fixture.unified(CALL, sent.clone()).await;
        assert_eq!(answer["result"]["called"][0], "github", "{sent}: {answer}");
        assert_eq!(answer["result"]["with"], json!({ "id": "7" }), "{sent}");
        seen.push(format!("{sent}\n  {}", answer["notes"]));
    }
    for sent in [
        json!({ "plugin": "notes", "skill": "tidy" }),
        json!({ "skill": "tidy" }),
        json!({ "skill": "notes_skill_tidy" }),
        json!({ "skill": "notes/tidy" }),
        json!({ "arguments": { "plugin": "notes", "skill": "tidy" } }),
    ] {
        let answer = fixture.unified(RUN, sent.clone()).await;
        assert_eq!(answer["ran"], json!(["notes", "tidy"]), "{sent}: {answer}");
        seen.push(format!("{sent}\n  {}", answer["notes"]));
    }
    insta::assert_snapshot!(seen.join("\n"));
}

#[tokio::test]
async fn anything_else_is_refused_unsent_with_the_call_that_was_meant() {
    let fixture = loaded().await;
    let mut seen = Vec::new();
    for (verb, sent) in [
        (
            CALL,
            json!({ "toolName": "list_issues", "arguments": { "id": "7" } }),
        ),
        (CALL, json!({ "toolName": "fly", "arguments": {} })),
        (
            CALL,
            json!({ "plugin": "githb", "toolName": "list_issues", "arguments": { "id": "7" } }),
        ),
        (CALL, json!({ "plugin": "weather", "toolName": "now" })),
        (CALL, json!({ "plugin": 7, "toolName": "now" })),
        (
            CALL,
            json!({ "plugin": "github", "arguments": { "id": "7" } }),
        ),
        (CALL, json!({ "arguments": { "id": "7" } })),
        (
            CALL,
            json!({ "plugin": "github", "toolName": "list_isues" }),
        ),
        (CALL, json!({ "toolName": "github/list_isues" })),
        (CALL, json!({ "toolName": "tidy" })),
        (
            CALL,
            json!({ "plugin": "notes", "toolName": "write_note", "arguments": { "text": "x" } }),
        ),
        (
            CALL,
            json!({ "plugin": "a", "arguments": { "plugin": "github", "toolName": "list_issues" } }),
        ),
        (
            CALL,
            json!({ "toolName": "list_issues", "arguments": { "id": "x".repeat(3000) } }),
        ),
        (RUN, json!({ "skill": "tdy" })),
        (RUN, json!({ "plugin": "note", "skill": "tidy" })),
        (DISCOVER, json!({ "plugin": "githb", "query": "issues" })),
    ] {
        // Each in a session of its own, as failures are counted.
        let call = Call::to(verb)
            .arguments(sent.clone())
            .session(&sent.to_string());
        let reply = fixture
            .runtime
            .call(call.view(view(ViewKind::Unified)))
            .await;
        let reply = reply.unwrap();
        let answer: Value =
            serde_json::from_str(reply.content[0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(answer["isError"], true, "{sent}: {answer}");
        let mut asked = sent.to_string();
        asked.truncate(100);
        seen.push(format!(
            "{verb} {asked}\n  {}: {}\n  {}",
            answer["code"].as_str().unwrap(),
            answer["error"].as_str().unwrap(),
            answer["hint"].as_str().unwrap()
        ));
    }
    assert_eq!(
        fixture
            .services
            .called
            .load(std::sync::atomic::Ordering::Relaxed),
        0
    );
    insta::assert_snapshot!(seen.join("\n"));
}

#[tokio::test]
async fn a_name_without_its_plugin_starts_none() {
    let fixture = three(json!({}));
    let answer = fixture.unified(CALL, json!({ "toolName": "merge" })).await;
    assert_eq!(answer["code"], "BAD_CALL_SHAPE");
    assert_eq!(
        fixture
            .services
            .listed
            .load(std::sync::atomic::Ordering::Relaxed),
        0
    );
    // A name that begins with a prefix is that plugin's.
    let answer = fixture
        .unified(CALL, json!({ "toolName": "gitlab_merge" }))
        .await;
    assert_eq!(
        answer["result"]["called"],
        json!(["gitlab", "merge"]),
        "{answer}"
    );
    assert_eq!(
        fixture
            .services
            .listed
            .load(std::sync::atomic::Ordering::Relaxed),
        1
    );
}

#[tokio::test]
async fn of_one_plugin_no_name_is_needed() {
    let fixture = three(json!({}));
    let mut only = view(ViewKind::Unified);
    only.plugin = Some("notes".into());
    let call = Call::to(CALL)
        .arguments(json!({ "toolName": "read_note" }))
        .view(only);
    let reply = fixture.runtime.call(call).await.unwrap();
    assert!(!reply.is_error);
    assert!(
        !reply.content[0]["text"]
            .as_str()
            .unwrap()
            .contains("notes\":[")
    );
}

#[tokio::test]
async fn a_long_result_is_read_on_with_and_without_the_plugin() {
    let fixture = loaded().await;
    let export = json!({ "plugin": "github", "toolName": "export" });
    let answer = fixture.unified(CALL, export).await;
    let call = answer["result"]["readMore"].as_str().unwrap();
    let (name, arguments) = call.split_once(' ').unwrap();
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    assert_eq!((name, &arguments["plugin"]), (CALL, &json!("github")));
    let mut bare = arguments.clone();
    bare.as_object_mut().unwrap().remove("plugin");
    for arguments in [arguments, bare] {
        let page = fixture.unified(CALL, arguments.clone()).await;
        assert!(
            page["text"].as_str().unwrap().starts_with("row\n"),
            "{page}"
        );
        let next = page["next"].as_str().unwrap();
        let next: Value = serde_json::from_str(next.split_once(' ').unwrap().1).unwrap();
        assert_eq!(next.get("plugin"), arguments.get("plugin"));
        assert_eq!(fixture.unified(CALL, next).await["page"], 2);
    }
}

#[tokio::test]
async fn a_loop_ends_whether_its_plugin_is_known_or_not() {
    for sent in [
        json!({ "toolName": "fly" }),
        json!({ "plugin": "weather", "toolName": "now" }),
        json!({ "plugin": "notes", "toolName": "write_note", "confirm": true }),
        json!({}),
    ] {
        let fixture = loaded().await;
        let mut codes = Vec::new();
        for _ in 0..6 {
            let answer = fixture.unified(CALL, sent.clone()).await;
            codes.push(answer["code"].as_str().unwrap().to_owned());
        }
        assert_ne!(codes[0], "REPEATED_FAILURE", "{sent}");
        assert_eq!(codes[5], "REPEATED_FAILURE", "{sent}");
    }
}

#[tokio::test]
async fn discover_is_narrowed_by_the_plugin() {
    let fixture = loaded().await;
    let found = fixture
        .unified(
            DISCOVER,
            json!({ "plugin": "gitlab", "query": "list issues" }),
        )
        .await
        .to_string();
    assert!(
        found.contains("gitlab") && !found.contains("github"),
        "{found}"
    );
}

#[tokio::test]
async fn looking_for_several_names_is_no_loop_and_refusals_keep_what_helps() {
    let fixture = loaded().await;
    let names = ["aa", "bb", "cc", "dd", "ee", "ff"];
    for name in names {
        let tool = fixture.unified(CALL, json!({ "toolName": name })).await;
        assert_eq!(tool["code"], "BAD_CALL_SHAPE", "{tool}");
    }
    for name in names {
        let sent = json!({ "plugin": format!("{name}-service"), "query": "issues" });
        let plugin = fixture.unified(DISCOVER, sent).await;
        assert_eq!(plugin["code"], "BAD_CALL_SHAPE", "{plugin}");
    }
    for name in names {
        let tool = format!("agent_tools_{name}");
        let failure = fixture
            .try_call(ViewKind::Unified, &tool, json!({}))
            .await
            .unwrap_err();
        assert_eq!(failure.code.as_str(), "UNKNOWN_FACADE_TOOL");
    }
    let mut last = Value::Null;
    for _ in 0..5 {
        let sent = json!({ "plugin": "weather", "query": "rain" });
        last = fixture.unified(DISCOVER, sent).await;
    }
    assert_eq!(last["code"], "REPEATED_FAILURE", "{last}");
    let hint = last["hint"].as_str().unwrap();
    assert!(
        hint.contains("github"),
        "the plugins are still named: {hint}"
    );
}

#[tokio::test]
async fn an_unknown_plugin_is_not_worth_a_retry_and_an_empty_one_is_none() {
    let fixture = loaded().await;
    let unknown = json!({ "plugin": "githb", "query": "issues" });
    let unknown = fixture.unified(DISCOVER, unknown).await;
    assert_ne!(unknown["retryable"], true, "{unknown}");
    let hint = unknown["hint"].as_str().unwrap();
    assert!(
        hint.ends_with(r#"agent_tools_discover {"plugin":"github","query":"issues"}"#),
        "{hint}"
    );
    let all = fixture
        .unified(DISCOVER, json!({ "plugin": " ", "query": "issues" }))
        .await;
    let text = all.as_str().unwrap();
    assert!(text.contains(" in 3 plugins. "), "{text}");
}

#[tokio::test]
async fn what_discover_does_not_take_is_named_with_the_query_that_was_meant() {
    let refused = loaded()
        .await
        .unified(DISCOVER, json!({ "q": "list issues" }))
        .await;
    assert_eq!(
        refused["error"],
        "discover takes `query`, `plugin`, `limit` and `detail`, and no `q`"
    );
    assert_eq!(
        refused["hint"],
        r#"Did you mean `query`? agent_tools_discover {"query":"list issues"}"#
    );
}

#[tokio::test]
async fn help_and_next_steps_name_the_tools_of_the_view() {
    let fixture = loaded().await;
    let help = fixture.unified("agent_tools_help", json!({})).await;
    let help = help.as_str().unwrap();
    assert!(
        help.contains("agent_tools_discover {\"query\"") && !help.contains("<prefix>_discover"),
        "{help}"
    );
    let nothing = json!({ "plugin": "github", "query": "bake a pizza" });
    let nothing = fixture.unified(DISCOVER, nothing).await;
    let nothing = nothing.as_str().unwrap();
    assert!(
        nothing.ends_with("\nOther plugins: agent_tools_discover {\"query\":\"bake a pizza\"}"),
        "{nothing}"
    );
    assert!(!nothing.contains("agent_tools_help"), "{nothing}");
    let told = fixture.runtime.instructions(&view(ViewKind::Unified)).await;
    assert!(told.contains("run_skill"), "{told}");
    let without = open(
        json!([{ "prefix": "a", "host": true }]),
        json!({}),
        json!({}),
    );
    let told = without.runtime.instructions(&view(ViewKind::Unified)).await;
    assert!(!told.contains("run_skill"), "{told}");
}

#[tokio::test]
async fn without_plugins_discover_says_how_to_get_some() {
    let none = crate::services::open(json!([]), json!({}), json!({}));
    let said = none.unified(DISCOVER, json!({ "query": "x" })).await;
    assert!(
        said.as_str()
            .unwrap()
            .starts_with("No plugin is installed."),
        "{said}"
    );
}
