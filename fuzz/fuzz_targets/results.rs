//! Any text as the result of a tool: a plugin's module answers it, or an MCP server writes it as a line. There is always
//! a reply, which says whether the tool failed.

#![no_main]

use std::sync::{Arc, LazyLock};

use agent_tools_runtime::{
    Call, Runtime, View, ViewKind, fuzzing::mcp_result, reply::UpstreamResult,
};
use agent_tools_runtime_fuzz::Service;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

struct Fixture {
    service: Arc<Service>,
    runtime: Runtime,
    executor: tokio::runtime::Runtime,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let (service, runtime) = Service::start();
    Fixture {
        service,
        runtime,
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
    FIXTURE.service.answer_with(text);
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
