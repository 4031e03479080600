//! What a call must never do: reach another plugin, be refused though it is right, or be answered with a success that
//! was none.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use agent_tools_runtime::{
    Call, Options, Runtime, View, ViewKind,
    adapter::{HostBridge, async_trait},
};
use serde_json::{Value, json};

/// A service with a few plugins, which writes down what reaches it.
#[derive(Default)]
struct Service {
    reached: Mutex<Vec<String>>,
}

#[async_trait]
impl HostBridge for Service {
    async fn dispatch(&self, op: &'static str, request: String) -> Result<String, String> {
        let request: Value = serde_json::from_str(&request).map_err(|error| error.to_string())?;
        let plugin = request["plugin"].as_str().unwrap_or_default().to_owned();
        if plugin == "dead" {
            return Ok(json!({"err": {"message": "no token"}}).to_string());
        }
        let answer = match op {
            "open" => json!({}),
            "listTools" => json!({ "tools": [
                {"name": if plugin == "a" { "b_delete" } else { "delete" }},
                {"name": "slow"},
                {"name": "look", "annotations": {"readOnlyHint": true}},
                {"name": "ask", "annotations": {"readOnlyHint": true}, "inputSchema": {
                    "type": "object", "required": ["confirm"], "properties": {"confirm": {"enum": ["yes", "no"]}}}},
            ]}),
            "call" => {
                let tool = request["tool"].as_str().unwrap_or_default();
                self.reached
                    .lock()
                    .unwrap()
                    .push(format!("{plugin}:{tool} {}", request["arguments"]));
                match tool {
                    "slow" => {
                        tokio::time::sleep(Duration::from_secs(60)).await;
                        json!("late")
                    }
                    "look" => json!({"isError": true, "message": "x".repeat(200_000)}),
                    _ => json!("done"),
                }
            }
            _ => Value::Null,
        };
        Ok(json!({ "ok": answer }).to_string())
    }
}

fn open() -> (Runtime, Arc<Service>) {
    let plugins: Vec<Value> = ["a", "a_b", "dead"]
        .iter()
        .map(|prefix| json!({"prefix": prefix, "host": true}))
        .collect();
    let options: Options = serde_json::from_value(json!({ "plugins": plugins })).unwrap();
    let service = Arc::new(Service::default());
    (Runtime::open(options, Some(service.clone())), service)
}

fn flat(plugin: Option<&str>) -> View {
    View {
        kind: ViewKind::Flat,
        plugin: plugin.map(str::to_owned),
    }
}

/// The answer as JSON, whatever else it holds.
async fn answer(runtime: &Runtime, call: Call) -> Value {
    let reply = runtime.call(call).await.expect("a known tool");
    let text = reply.content[0]["text"].as_str().unwrap();
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

#[tokio::test]
async fn flat_names_of_plugins_whose_prefixes_overlap_stay_apart() {
    let (runtime, service) = open();
    let tools = runtime.tools(&flat(None)).await.unwrap();
    let mut names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let listed = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), listed);
    let other = *names
        .iter()
        .find(|name| name.starts_with("a_b_delete_"))
        .unwrap();
    for (name, reached) in [("a_b_delete", "a_b:delete {}"), (other, "a:b_delete {}")] {
        let call = Call::to(name)
            .view(flat(None))
            .arguments(json!({"confirm": true}));
        answer(&runtime, call).await;
        assert_eq!(service.reached.lock().unwrap().last().unwrap(), reached);
    }
}

#[tokio::test]
async fn consent_is_heard_however_often_it_was_missing() {
    let (runtime, service) = open();
    let call = |confirm: bool| {
        let arguments = json!({"toolName": "delete", "confirm": confirm});
        Call::to("agent_tools_a_b_call").arguments(arguments)
    };
    for _ in 0..6 {
        assert_eq!(answer(&runtime, call(false)).await["isError"], true);
    }
    let refused = answer(&runtime, call(false)).await;
    assert_eq!(refused["code"], "REPEATED_FAILURE");
    assert_eq!(answer(&runtime, call(true)).await["isError"], false);
    assert_eq!(*service.reached.lock().unwrap(), ["a_b:delete {}"]);
}

#[tokio::test]
async fn clients_that_look_alike_do_not_block_each_other() {
    let (runtime, _service) = open();
    let call = |arguments: Value| {
        let body = json!({"toolName": "ask", "arguments": arguments});
        Call::to("agent_tools_a_call")
            .arguments(body)
            .shared_session("one of many")
    };
    for _ in 0..6 {
        assert_eq!(answer(&runtime, call(json!({}))).await["isError"], true);
    }
    let right = answer(&runtime, call(json!({"confirm": "yes"}))).await;
    assert_eq!(right["isError"], false, "{right}");
}

#[tokio::test]
async fn a_plugin_that_does_not_start_says_so_in_the_flat_view() {
    let (runtime, _service) = open();
    for (view, name) in [(flat(None), "dead_delete"), (flat(Some("dead")), "delete")] {
        let failed = answer(&runtime, Call::to(name).view(view)).await;
        assert_eq!(failed["code"], "PLUGIN_UNAVAILABLE");
        assert!(failed["error"].as_str().unwrap().contains("no token"));
    }
}

#[tokio::test]
async fn a_confirm_of_the_tools_own_reaches_it() {
    let (runtime, service) = open();
    let call = Call::to("ask")
        .view(flat(Some("a")))
        .arguments(json!({"confirm": "yes"}));
    answer(&runtime, call).await;
    assert_eq!(
        *service.reached.lock().unwrap(),
        [r#"a:ask {"confirm":"yes"}"#]
    );
}

#[tokio::test]
async fn an_error_without_content_is_an_error_and_a_long_one_is_cut() {
    let (runtime, _service) = open();
    let call = Call::to("agent_tools_a_call").arguments(json!({"toolName": "look"}));
    let reply = runtime.call(call).await.unwrap();
    assert!(reply.is_error);
    let text = reply.content[0]["text"].as_str().unwrap();
    assert!(text.len() < 60_000, "{} bytes", text.len());
    assert!(text.contains("read_more"));
}

#[tokio::test]
async fn a_change_that_the_end_of_the_runtime_cuts_off_may_have_happened() {
    let (runtime, service) = open();
    let call =
        Call::to("agent_tools_a_call").arguments(json!({"toolName": "slow", "confirm": true}));
    let calling = tokio::spawn({
        let runtime = runtime.clone();
        async move { answer(&runtime, call).await }
    });
    while service.reached.lock().unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    runtime.close().await;
    assert_eq!(calling.await.unwrap()["code"], "OUTCOME_UNKNOWN");
}

#[tokio::test]
async fn what_read_more_and_discover_are_given_is_checked() {
    let (runtime, _service) = open();
    let read_more = |page: Value| {
        let arguments = json!({"toolName": "read_more", "arguments": {"id": "r1", "page": page}});
        Call::to("agent_tools_a_call").arguments(arguments)
    };
    for page in [json!(2.5), json!(-1), json!("2nd")] {
        let refused = answer(&runtime, read_more(page)).await;
        assert_eq!(refused["code"], "ARG_VALIDATION_FAILED");
    }
    let stray = Call::to("agent_tools_a_discover").arguments(json!({"q": "delete"}));
    assert_eq!(answer(&runtime, stray).await["code"], "BAD_CALL_SHAPE");
    let nested = json!({"arguments": {"query": "delete"}});
    let found = Call::to("agent_tools_a_discover").arguments(nested);
    let found = runtime.call(found).await.unwrap();
    let text = found.content[0]["text"].as_str().unwrap();
    assert!(
        text.contains("\nNote: ") && text.contains("nested"),
        "{text}"
    );
    assert_eq!(
        found.meta.unwrap()["agent-tools/discover"]["query"],
        "delete"
    );
}
