//! Declarative skills from their files to the reply, with the same consent and checks as any other skill.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::{
    path::Path,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use agent_tools_runtime::{
    Call, Options, Runtime, View, ViewKind,
    adapter::{HostBridge, async_trait},
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A small tracker that remembers what it was asked.
#[derive(Default)]
struct Tracker {
    calls: Mutex<Vec<String>>,
}

#[async_trait]
impl HostBridge for Tracker {
    async fn dispatch(&self, op: &'static str, request: String) -> Result<String, String> {
        let request: Value = serde_json::from_str(&request).map_err(|error| error.to_string())?;
        let number = json!({"type": "object", "required": ["number"], "properties": {"number": {"type": "integer"}}});
        let answer = match op {
            "open" => {
                json!({ "skills": [{"name": "module", "description": "A skill that is a module.", "readOnly": true}] })
            }
            "listTools" => json!({ "tools": [
                {"name": "list_issues", "description": "List issues."},
                {"name": "get_issue", "description": "Read an issue.", "inputSchema": number},
                {"name": "close_issue", "description": "Close an issue.", "inputSchema": number},
                {"name": "wait", "description": "Never answers."},
            ]}),
            "call" => {
                let tool = request["tool"].as_str().unwrap();
                let arguments = &request["arguments"];
                let call = format!("{tool} {arguments}");
                self.calls.lock().unwrap().push(call);
                match tool {
                    "list_issues" => {
                        json!({"issues": [{"number": 1, "urgent": true}, {"number": 2, "urgent": false}, {"number": 3, "urgent": true}]})
                    }
                    "wait" => std::future::pending().await,
                    _ if arguments["number"] == 3 => {
                        json!({"content": [{"type": "text", "text": "locked"}], "isError": true})
                    }
                    _ => json!({"number": arguments["number"], "title": "One", "state": "closed"}),
                }
            }
            "runSkill" => json!({ "module": true }),
            "describe" => return Ok(json!({ "err": { "message": "no such tool" } }).to_string()),
            _ => Value::Null,
        };
        Ok(json!({ "ok": answer }).to_string())
    }
}

struct Fixture {
    runtime: Runtime,
    tracker: Arc<Tracker>,
    dir: TempDir,
}

fn urgent(on_error: &str) -> Value {
    json!({
        "description": "Read the urgent issues.", "readOnly": true,
        "steps": [
            {"id": "all", "call": "list_issues"},
            {"id": "urgent", "forEach": "{{all.issues}}", "as": "issue", "when": {"equals": ["{{issue.urgent}}", true]},
             "call": "get_issue", "arguments": {"number": "{{issue.number}}"}, "onError": on_error, "limit": 2},
        ],
        "result": {"count": "{{urgent.length}}", "titles": "{{urgent}}"},
    })
}

fn closing(read_only: bool) -> Value {
    json!({
        "description": "Close an issue.", "readOnly": read_only,
        "inputSchema": {"type": "object", "required": ["number"], "properties": {"number": {"type": "integer"}}},
        "steps": [
            {"id": "issue", "call": "get_issue", "arguments": {"number": "{{args.number}}"}},
            {"id": "closed", "call": "close_issue", "arguments": {"number": "{{issue.number}}"}},
        ],
        "result": {"state": "{{closed.state}}"},
    })
}

fn write(dir: &Path, name: &str, document: &Value) {
    std::fs::write(dir.join(name), format!("\u{feff}{document}")).unwrap();
}

fn fixture() -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let plugin = dir.path().join("plugin");
    std::fs::create_dir(&plugin).unwrap();
    write(&plugin, "urgent.json", &urgent("stop"));
    write(&plugin, "urgent-anyway.json", &urgent("continue"));
    write(&plugin, "close.json", &closing(false));
    write(&plugin, "sly.json", &closing(true));
    write(
        &plugin,
        "hang.json",
        &json!({"description": "Waits.", "steps": [{"id": "a", "call": "wait"}], "result": 1}),
    );
    write(
        &plugin,
        "missing.json",
        &json!({"description": "Misses.", "readOnly": true, "steps": [{"id": "all", "call": "list_issues"}], "result": "{{all.issues[0].title}}"}),
    );
    write(
        &plugin,
        "wrong.json",
        &json!({"description": "Wrong.", "steps": [{"id": "a", "cal": "x"}], "result": "{{b}}"}),
    );
    write(dir.path(), "outside.json", &urgent("stop"));
    std::fs::write(plugin.join("no.json"), "{").unwrap();
    std::fs::write(plugin.join("long.json"), " ".repeat(1024 * 1024 + 1)).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../outside.json", plugin.join("link.json")).unwrap();
    let options: Options = serde_json::from_value(json!({ "plugins": [{
        "prefix": "track", "host": true, "dir": plugin, "readonlyTools": ["list_issues", "get_issue"],
        "skills": ["./module.mjs", "./urgent.json", "./urgent-anyway.json", "./close.json", "./sly.json", "./hang.json",
            "./missing.json", "./wrong.json", "./no.json", "./long.json", "../outside.json", "./link.json", "./gone.json"],
    }]}))
    .unwrap();
    let tracker = Arc::new(Tracker::default());
    Fixture {
        runtime: Runtime::open(options, Some(tracker.clone())),
        tracker,
        dir,
    }
}

impl Fixture {
    async fn run(&self, request: Value) -> Value {
        answer(
            &self.runtime,
            Call::to("agent_tools_track_run_skill").arguments(request),
        )
        .await
    }

    fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.tracker.calls.lock().unwrap())
    }
}

/// The payload without what differs from run to run.
async fn answer(runtime: &Runtime, call: Call) -> Value {
    let reply = runtime.call(call).await.expect("a known tool");
    let mut payload: Value =
        serde_json::from_str(reply.content[0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(payload["isError"], reply.is_error);
    if let Some(map) = payload.as_object_mut() {
        map.remove("receipt");
    }
    for call in payload["calls"].as_array_mut().into_iter().flatten() {
        call["ms"] = json!(0);
    }
    payload
}

#[tokio::test]
async fn steps_are_done_and_a_failure_has_its_stage() {
    let fixture = fixture();
    let failed = fixture.run(json!({"skill": "urgent"})).await;
    insta::assert_json_snapshot!("stage", failed);
    assert_eq!(
        fixture.calls(),
        [
            "list_issues {}",
            "get_issue {\"number\":1}",
            "get_issue {\"number\":3}"
        ]
    );
    let done = fixture.run(json!({"skill": "urgent-anyway"})).await;
    insta::assert_json_snapshot!("on_error_continue", done);
    let missing = fixture.run(json!({"skill": "missing"})).await;
    insta::assert_json_snapshot!("missing_value", missing);
    let module = fixture.run(json!({"skill": "module"})).await;
    assert_eq!(module["module"], true, "modules still run");
}

#[tokio::test]
async fn consent_is_asked_before_the_first_call_and_inside() {
    let fixture = fixture();
    let refused = fixture
        .run(json!({"skill": "close", "arguments": {"number": 1}}))
        .await;
    assert_eq!(refused["code"], "CONFIRM_REQUIRED");
    assert_eq!(fixture.calls(), [""; 0]);
    let sly = fixture
        .run(json!({"skill": "sly", "arguments": {"number": 1}}))
        .await;
    assert_eq!(
        (&sly["code"], &sly["stage"]),
        (&json!("CONFIRM_REQUIRED"), &json!("closed"))
    );
    assert_eq!(fixture.calls(), ["get_issue {\"number\":1}"]);
    let unfit = fixture
        .run(json!({"skill": "close", "arguments": {}, "confirm": true}))
        .await;
    assert_eq!(unfit["code"], "ARG_VALIDATION_FAILED");
    let closed = fixture
        .run(json!({"skill": "close", "arguments": {"number": 1}, "confirm": true}))
        .await;
    assert_eq!(closed["state"], "closed");
    assert_eq!(fixture.calls().len(), 2);
}

#[tokio::test]
async fn a_cancelled_skill_ends() {
    let fixture = fixture();
    let cancel = tokio_util::sync::CancellationToken::new();
    let call = Call::to("agent_tools_track_run_skill")
        .arguments(json!({"skill": "hang", "confirm": true}))
        .cancelled_by(cancel.clone());
    let runtime = fixture.runtime.clone();
    let running = tokio::spawn(async move { answer(&runtime, call).await });
    while fixture.tracker.calls.lock().unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    cancel.cancel();
    assert_eq!(running.await.unwrap()["code"], "CANCELLED");
}

#[tokio::test]
async fn what_cannot_be_loaded_says_why_and_harms_no_other() {
    let fixture = fixture();
    let mut errors = Vec::new();
    for skill in ["wrong", "no", "long", "outside", "link", "gone"] {
        let refused = fixture.run(json!({"skill": skill, "confirm": true})).await;
        assert_eq!(refused["code"], "SKILL_FAILED", "{skill}");
        errors.push(refused["error"].as_str().unwrap().to_owned());
    }
    #[cfg(unix)]
    insta::assert_snapshot!("not_loaded", errors.join("\n"));
    let view = View {
        kind: ViewKind::Flat,
        plugin: Some("track".into()),
    };
    let tools = fixture.runtime.tools(&view).await.unwrap();
    let close = tools
        .iter()
        .find(|tool| tool["name"] == "skill_close")
        .unwrap();
    insta::assert_json_snapshot!("flat_skill", close);
}

#[tokio::test]
async fn a_changed_file_is_seen() {
    let fixture = fixture();
    fixture.run(json!({"skill": "missing"})).await;
    let changed = json!({"description": "Misses nothing.", "readOnly": true, "steps": [{"id": "a", "value": 1}], "result": {"a": "{{a}}"}});
    write(&fixture.dir.path().join("plugin"), "missing.json", &changed);
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(fixture.run(json!({"skill": "missing"})).await["a"], 1);
}

#[tokio::test]
async fn a_plugin_of_declarative_skills_needs_no_embedding_program() {
    let dir = tempfile::tempdir().unwrap();
    let greet = json!({
        "description": "Greet.", "readOnly": true,
        "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
        "steps": [{"id": "greeting", "value": "Hello, {{args.name ?? \"you\"}}"}],
        "result": "{{greeting}}",
    });
    write(dir.path(), "greet.json", &greet);
    let options: Options = serde_json::from_value(
        json!({ "plugins": [{"prefix": "own", "dir": dir.path(), "skills": ["greet.json"]}] }),
    )
    .unwrap();
    let runtime = Runtime::open(options, None);
    assert_eq!(runtime.status()["warnings"], json!([]));
    let call = Call::to("agent_tools_own_run_skill").arguments(json!({"skill": "greet"}));
    assert_eq!(answer(&runtime, call).await["result"], "Hello, you");
    let call = Call::to("agent_tools_own_discover").arguments(json!({"query": "greet"}));
    assert!(answer_text(&runtime, call).await.contains("greet"));
}

async fn answer_text(runtime: &Runtime, call: Call) -> String {
    let reply = runtime.call(call).await.unwrap();
    reply.content[0]["text"].as_str().unwrap().to_owned()
}

/// A service whose first tool changes files of the user, which are read again.
struct Changing {
    runtime: OnceLock<Runtime>,
    change: Box<dyn Fn() + Send + Sync>,
    calls: Mutex<Vec<String>>,
}

#[async_trait]
impl HostBridge for Changing {
    async fn dispatch(&self, op: &'static str, request: String) -> Result<String, String> {
        let request: Value = serde_json::from_str(&request).map_err(|error| error.to_string())?;
        let answer = match op {
            "listTools" => json!({ "tools": [{"name": "first"}, {"name": "second"}] }),
            "call" => {
                let tool = request["tool"].as_str().unwrap().to_owned();
                if tool == "first" {
                    (self.change)();
                    self.runtime.get().unwrap().reload().await.unwrap();
                }
                self.calls.lock().unwrap().push(tool);
                json!({})
            }
            _ => json!({}),
        };
        Ok(json!({ "ok": answer }).to_string())
    }
}

#[tokio::test]
async fn a_skill_that_runs_on_keeps_to_the_rules_as_they_are_by_then() {
    let settings = |policy: Value| json!({ "policy": policy }).to_string();
    for (change, want) in [
        (None, None),
        (
            Some(json!({"tools": {"t/second": "deny"}})),
            Some("POLICY_DENIED"),
        ),
        (
            Some(json!({"destructiveTools": ["t/second"]})),
            Some("POLICY_DENIED"),
        ),
        (Some(json!({"tools": {"t/first": "deny"}})), None),
        (Some(Value::Null), Some("CANCELLED")),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let config = dir.path().join("agent-tools.json");
        std::fs::write(&config, settings(json!({}))).unwrap();
        let plugin = dir.path().join("plugins/agent-tools-plugin-t");
        std::fs::create_dir_all(&plugin).unwrap();
        write(
            &plugin,
            "both.json",
            &json!({"description": "Both.", "steps": [{"id": "a", "call": "first"}, {"id": "b", "call": "second"}], "result": 1}),
        );
        let manifest = plugin.join("plugin.json");
        let text = json!({"prefix": "t", "host": true, "skills": ["./both.json"]});
        std::fs::write(&manifest, text.to_string()).unwrap();
        let options =
            json!({"config": config, "pluginDirs": [dir.path().join("plugins")], "cache": false});
        let named = change.clone();
        let bridge = Arc::new(Changing {
            runtime: OnceLock::new(),
            change: Box::new(move || match &named {
                None => {}
                // The plugin is taken away.
                Some(Value::Null) => std::fs::remove_file(&manifest).unwrap(),
                Some(policy) => std::fs::write(&config, settings(policy.clone())).unwrap(),
            }),
            calls: Mutex::default(),
        });
        let options = serde_json::from_value(options).unwrap();
        let runtime = Runtime::open(options, Some(bridge.clone()));
        assert!(bridge.runtime.set(runtime.clone()).is_ok());
        let run = Call::to("agent_tools_t_run_skill")
            .arguments(json!({"skill": "both", "confirm": true}));
        let told = answer(&runtime, run).await;
        let calls = bridge.calls.lock().unwrap().join(" ");
        match want {
            None => assert_eq!(
                (calls.as_str(), &told["isError"]),
                ("first second", &json!(false)),
                "{told}"
            ),
            Some(code) => {
                assert_eq!(calls, "first", "{change:?}: {told}");
                assert!(told.to_string().contains(code), "{change:?}: {told}");
            }
        }
        runtime.close().await;
    }
}
