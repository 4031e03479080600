//! What a model reads, as snapshots: tool lists, discover replies, results and refusals.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use agent_tools_runtime::{
    Call, Options, Runtime, View, ViewKind,
    adapter::{HostBridge, async_trait},
};
use serde_json::{Value, json};

/// A small issue tracker, as an embedding program would answer for it.
#[derive(Default)]
struct Tracker {
    created: AtomicUsize,
}

#[async_trait]
impl HostBridge for Tracker {
    async fn dispatch(&self, op: &'static str, request: String) -> Result<String, String> {
        let request: Value = serde_json::from_str(&request).map_err(|error| error.to_string())?;
        let answer = match op {
            "open" => json!({ "skills": [
                {"name": "triage", "description": "Sort the open issues by urgency.", "args": "{label?}", "readOnly": true},
                {"name": "file-and-verify", "description": "Create an issue and read it back.",
                 "inputSchema": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}},
                {"name": "broken", "error": "Unexpected token"},
            ]}),
            "listTools" => json!({ "tools": [
                {"name": "list_issues", "description": "List issues of a repository.",
                 "inputSchema": {"type": "object", "required": ["repo"], "properties": {
                    "repo": {"type": "string"}, "state": {"enum": ["open", "closed"]}, "limit": {"type": "integer"}}}},
                {"name": "export", "description": "Export everything.", "annotations": {"readOnlyHint": true},
                 "outputSchema": {"type": "object", "required": ["rows"]}},
                {"name": "create_issue", "description": "Create an issue.",
                 "inputSchema": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}},
            ]}),
            "describe" => return Ok(json!({ "err": { "message": "no such tool" } }).to_string()),
            "call" => match request["tool"].as_str() {
                Some("list_issues") => {
                    json!({ "content": [{"type": "text", "text": "[{\"number\":1}]"}] })
                }
                Some("export") => {
                    let log: String = (0..20_000).map(|line| format!("row {line} é\n")).collect();
                    let image = "iVBORw0KGgo1".repeat(1000);
                    json!({ "content": [
                        {"type": "text", "text": log},
                        {"type": "image", "data": image, "mimeType": "image/png"},
                    ]})
                }
                _ => {
                    self.created.fetch_add(1, Ordering::Relaxed);
                    json!({ "content": [{"type": "text", "text": "limit reached"}], "isError": true })
                }
            },
            "runSkill" => json!({ "urgent": [1], "isError": false }),
            _ => Value::Null,
        };
        Ok(json!({ "ok": answer }).to_string())
    }
}

struct Fixture {
    runtime: Runtime,
    tracker: Arc<Tracker>,
}

fn fixture() -> Fixture {
    let options: Options = serde_json::from_value(json!({ "plugins": [{
        "prefix": "track", "host": true, "description": "Issues of a demo project",
        "readonlyTools": ["list_issues"], "skills": ["triage.mjs", "file-and-verify.mjs", "broken.mjs"],
    }]}))
    .unwrap();
    let tracker = Arc::new(Tracker::default());
    Fixture {
        runtime: Runtime::open(options, Some(tracker.clone())),
        tracker,
    }
}

impl Fixture {
    async fn call(&self, name: &str, arguments: Value) -> Value {
        let reply = self
            .runtime
            .call(Call::to(name).arguments(arguments))
            .await
            .expect("a known tool");
        let text = reply.content[0]["text"].as_str().unwrap();
        without_what_varies(serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)))
    }
}

/// Receipts and times differ from call to call.
fn without_what_varies(mut payload: Value) -> Value {
    if let Some(map) = payload.as_object_mut() {
        if let Some(receipt) = map.remove("receipt") {
            assert!(
                receipt["id"].as_str().unwrap().starts_with('c'),
                "{receipt}"
            );
            assert!(
                receipt["tool"].as_str().unwrap().starts_with("track:"),
                "{receipt}"
            );
            assert!(receipt["at"].as_str().unwrap().ends_with('Z'), "{receipt}");
        }
        for call in map
            .get_mut("calls")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            call["ms"] = json!(0);
        }
    }
    payload
}

#[tokio::test]
async fn the_facade_lists_three_tools_for_a_plugin() {
    let tools = fixture().runtime.tools(&View::default()).await.unwrap();
    insta::assert_json_snapshot!(tools);
}

#[tokio::test]
async fn the_flat_view_lists_each_tool_and_skill() {
    let view = View {
        kind: ViewKind::Flat,
        plugin: Some("track".into()),
    };
    let tools = fixture().runtime.tools(&view).await.unwrap();
    insta::assert_json_snapshot!(tools);
}

#[tokio::test]
async fn help_says_what_there_is_and_how_to_use_it() {
    let help = fixture().call("agent_tools_help", json!({})).await;
    insta::assert_snapshot!(help.as_str().unwrap());
    let empty = Runtime::open(Options::default(), None);
    let reply = empty.call(Call::to("agent_tools_help")).await.unwrap();
    insta::assert_snapshot!(
        "help_without_plugins",
        reply.content[0]["text"].as_str().unwrap()
    );
}

#[tokio::test]
async fn refusals_say_what_failed_and_what_to_do() {
    let fixture = fixture();
    let call = "agent_tools_track_call";
    let skill = "agent_tools_track_run_skill";
    for (name, tool, arguments) in [
        ("no_tool_name", call, json!({"arguments": {"repo": "a/b"}})),
        (
            "unknown_tool",
            call,
            json!({"toolName": "list_issue", "arguments": {}}),
        ),
        ("a_skill_as_a_tool", call, json!({"toolName": "triage"})),
        (
            "bad_arguments",
            call,
            json!({"toolName": "list_issues", "arguments": {"limit": "many"}}),
        ),
        (
            "no_consent",
            call,
            json!({"toolName": "create_issue", "arguments": {"title": "x"}}),
        ),
        (
            "tool_failed",
            call,
            json!({"toolName": "create_issue", "arguments": {"title": "x"}, "confirm": true}),
        ),
        ("unknown_skill", skill, json!({"skill": "tirage"})),
        (
            "skill_without_consent",
            skill,
            json!({"skill": "file-and-verify", "arguments": {"title": "x"}}),
        ),
        ("broken_skill", skill, json!({"skill": "broken"})),
    ] {
        let payload = fixture.call(tool, arguments).await;
        assert_eq!(payload["isError"], true, "{name}");
        insta::assert_json_snapshot!(name, payload);
    }
    assert_eq!(
        fixture.tracker.created.load(Ordering::Relaxed),
        1,
        "only the confirmed call was sent"
    );
}

#[tokio::test]
async fn results_keep_the_repairs_noted() {
    let fixture = fixture();
    let payload = fixture
        .call(
            "agent_tools_track_call",
            json!({"arguments": {"toolName": "list_issues", "arguments": {"repo": "a/b", "limit": "5"}}}),
        )
        .await;
    insta::assert_json_snapshot!("repaired", payload);
    let skill = fixture
        .call("agent_tools_track_run_skill", json!({"skill": "triage"}))
        .await;
    assert_eq!(skill, json!({"urgent": [1], "isError": false, "calls": []}));
}

#[tokio::test]
async fn an_unknown_facade_tool_is_never_routed_by_guess() {
    let fixture = fixture();
    let failure = fixture
        .runtime
        .call(
            Call::to("agent_tools_track_cal")
                .arguments(json!({"toolName": "create_issue", "confirm": true})),
        )
        .await
        .unwrap_err();
    insta::assert_json_snapshot!("unknown_facade_tool", failure.to_payload());
    assert_eq!(fixture.tracker.created.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn a_closed_runtime_says_so() {
    let fixture = fixture();
    fixture.runtime.close().await;
    let failure = fixture.runtime.tools(&View::default()).await.unwrap_err();
    assert_eq!(failure.code.as_str(), "CLOSED");
}

#[tokio::test]
async fn a_loop_of_one_failing_call_is_ended() {
    let fixture = fixture();
    let mut codes = Vec::new();
    for attempt in 0..50 {
        let arguments = json!({"toolName": "list_issues", "arguments": {"limit": attempt}});
        let payload = fixture.call("agent_tools_track_call", arguments).await;
        if attempt == 2 {
            insta::assert_json_snapshot!("third_failure", payload);
        }
        if attempt == 4 {
            insta::assert_json_snapshot!("fifth_failure", payload);
        }
        codes.push(payload["code"].as_str().unwrap().to_owned());
    }
    assert!(
        codes[..4]
            .iter()
            .all(|code| code == "ARG_VALIDATION_FAILED")
    );
    assert!(codes[4..].iter().all(|code| code == "REPEATED_FAILURE"));
    // Another session and another tool go on; a success ends the count.
    let other = Call::to("agent_tools_track_call")
        .arguments(json!({"toolName": "list_issues", "arguments": {"repo": "a/b"}}))
        .session("other");
    assert!(!fixture.runtime.call(other).await.unwrap().is_error);
    let skill = fixture
        .call("agent_tools_track_run_skill", json!({"skill": "triage"}))
        .await;
    assert_eq!(skill["isError"], false);
    let again = json!({"toolName": "list_issues", "arguments": {"repo": "a/b"}});
    assert_eq!(
        fixture.call("agent_tools_track_call", again).await["isError"],
        false
    );
}

#[tokio::test]
async fn a_loop_of_an_unreadable_shape_is_ended_too() {
    let fixture = fixture();
    let mut last = Value::Null;
    for _ in 0..6 {
        last = fixture
            .call("agent_tools_track_call", json!({"repo": "a/b"}))
            .await;
    }
    assert_eq!(last["code"], "REPEATED_FAILURE");
    assert_eq!(last["repeated"], "MISSING_TOOL_NAME");
}

#[tokio::test]
async fn a_long_result_is_cut_and_read_on_to_its_end() {
    let fixture = fixture();
    let reply = fixture
        .runtime
        .call(Call::to("agent_tools_track_call").arguments(json!({"toolName": "export"})))
        .await
        .unwrap();
    assert_eq!(reply.content[1]["type"], "image", "other parts survive");
    let text = reply.content[0]["text"].as_str().unwrap();
    assert!(text.len() < 50 * 1024);
    let payload: Value = serde_json::from_str(text).unwrap();
    let result = &payload["result"];
    assert!(result["head"].as_str().unwrap().starts_with("row 0 é\n"));
    assert!(result["tail"].as_str().unwrap().ends_with("row 19999 é\n"));
    assert!(result["omitted"].as_str().unwrap().contains("lines"));
    assert!(
        payload["notes"][0]
            .as_str()
            .unwrap()
            .contains("outputSchema")
    );

    let mut whole = String::new();
    let mut next = result["readMore"].as_str().map(str::to_owned);
    while let Some(call) = next {
        let (tool, arguments) = call.split_once(' ').unwrap();
        let page = fixture
            .call(tool, serde_json::from_str(arguments).unwrap())
            .await;
        whole.push_str(page["text"].as_str().unwrap());
        next = page["next"].as_str().map(str::to_owned);
    }
    assert_eq!(
        whole,
        (0..20_000)
            .map(|line| format!("row {line} é\n"))
            .collect::<String>()
    );

    let gone = json!({"toolName": "read_more", "arguments": {"id": "r0"}});
    assert_eq!(
        fixture.call("agent_tools_track_call", gone).await["code"],
        "RESULT_GONE"
    );
}

#[tokio::test]
async fn the_flat_view_cuts_and_reads_on_too() {
    let fixture = fixture();
    let view = View {
        kind: ViewKind::Flat,
        plugin: Some("track".into()),
    };
    let reply = fixture
        .runtime
        .call(Call::to("export").view(view.clone()))
        .await
        .unwrap();
    let text = reply.content[0]["text"].as_str().unwrap();
    assert!(text.len() < 50 * 1024 && text.contains("left out"));
    let arguments = text
        .split_once("read on: read_more ")
        .unwrap()
        .1
        .split_once(" …]")
        .unwrap()
        .0;
    let more = Call::to("read_more")
        .view(view)
        .arguments(serde_json::from_str(arguments).unwrap());
    let page = fixture.runtime.call(more).await.unwrap();
    assert!(
        page.content[0]["text"]
            .as_str()
            .unwrap()
            .contains("row 0 é")
    );
}

/// A host whose modules never finish loading.
struct Stuck;

#[async_trait]
impl HostBridge for Stuck {
    async fn dispatch(&self, op: &'static str, _request: String) -> Result<String, String> {
        if op == "open" {
            std::future::pending::<()>().await;
        }
        Ok(json!({ "ok": null }).to_string())
    }
}

#[tokio::test]
async fn a_plugin_that_never_starts_holds_up_neither_cancelling_nor_closing() {
    let options =
        serde_json::from_value(json!({ "plugins": [{"prefix": "stuck", "host": true}] })).unwrap();
    let runtime = Runtime::open(options, Some(Arc::new(Stuck)));
    let cancel = tokio_util::sync::CancellationToken::new();
    let call = Call::to("agent_tools_stuck_call")
        .arguments(json!({"toolName": "x"}))
        .cancelled_by(cancel.clone());
    let calling = tokio::spawn({
        let runtime = runtime.clone();
        async move { runtime.call(call).await }
    });
    tokio::task::yield_now().await;
    cancel.cancel();
    let reply = calling.await.unwrap().unwrap();
    assert!(
        reply.content[0]["text"]
            .as_str()
            .unwrap()
            .contains("CANCELLED")
    );

    let waiting = tokio::spawn({
        let runtime = runtime.clone();
        async move { runtime.call(Call::to("agent_tools_stuck_discover")).await }
    });
    tokio::task::yield_now().await;
    runtime.close().await;
    assert_eq!(waiting.await.unwrap().unwrap_err().code.as_str(), "CLOSED");
}
