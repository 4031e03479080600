//! Any text as the result of a tool: a plugin's module answers it, or an MCP server writes it as a line. There is always
//! a reply, which says whether the tool failed.

#![no_main]

use std::sync::{Arc, LazyLock, Mutex};

use agent_tools_runtime::{
    Call, Runtime, View, ViewKind,
    adapter::{HostBridge, async_trait},
    fuzzing::mcp_result,
    reply::UpstreamResult,
};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// Answers every call with a text that is given for it.
#[derive(Default)]
struct Service {
    answer: Mutex<String>,
}

#[async_trait]
impl HostBridge for Service {
    async fn dispatch(&self, op: &'static str, _request: String) -> Result<String, String> {
        Ok(match op {
            "open" => json!({ "ok": { "skills": [] } }).to_string(),
            "listTools" => json!({ "ok": { "tools": [{
                "name": "act",
                "annotations": { "readOnlyHint": true },
                "outputSchema": { "type": "object", "required": ["a"], "properties": { "a": { "type": "integer" } } },
            }] } })
            .to_string(),
            "call" => format!("{{\"ok\":{}}}", self.answer.lock().unwrap()),
            _ => json!({ "ok": null }).to_string(),
        })
    }
}

struct Fixture {
    service: Arc<Service>,
    runtime: Runtime,
    executor: tokio::runtime::Runtime,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let service = Arc::new(Service::default());
    let options = json!({
        "plugins": [{ "prefix": "p", "host": true }],
        "repeats": { "explainFrom": 0, "refuseFrom": 0 },
    });
    Fixture {
        runtime: Runtime::open(
            serde_json::from_value(options).unwrap(),
            Some(service.clone()),
        ),
        service,
        executor: tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap(),
    }
});

fn check(call: Call, failed: Option<bool>) {
    let reply = FIXTURE
        .executor
        .block_on(FIXTURE.runtime.call(call))
        .expect("the tool exists");
    if let Some(failed) = failed {
        assert_eq!(reply.is_error, failed);
    }
    assert!(reply.content.iter().all(Value::is_object));
    assert!(reply.meta.as_ref().is_none_or(Value::is_object));
    serde_json::to_string(&reply).expect("a reply is JSON");
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // Two results in one text would be one answer of the module's that is malformed.
    let result: Option<Value> = serde_json::from_str(text).ok();
    let failed = result
        .as_ref()
        .map(|result| UpstreamResult::from_json(result.clone()).is_error);
    text.clone_into(&mut FIXTURE.service.answer.lock().unwrap());
    check(
        Call::to("agent_tools_p_call").arguments(json!({ "toolName": "act" })),
        failed,
    );
    let flat = View {
        kind: ViewKind::Flat,
        plugin: Some("p".into()),
    };
    check(Call::to("act").view(flat), failed);

    let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{text}}}");
    if let Some(Ok(read)) = mcp_result(line.as_bytes()) {
        assert!(read.content.iter().all(Value::is_object));
    }
});
