//! A service that keeps what reaches it and answers what it is told to.

use std::sync::{Arc, Mutex};

use agent_tools_runtime::{
    Call, Reply, Runtime, View, ViewKind,
    adapter::{HostBridge, async_trait},
};
use serde_json::{Map, Value, json};

/// The tool and the skill are called alike, so that one can be taken for the other.
pub const TOOL: &str = "act";
pub const SKILL: &str = "recipe";

struct Recorder {
    tool: Value,
    skill: Value,
    answer: Value,
    received: Mutex<Vec<Value>>,
}

#[async_trait]
impl HostBridge for Recorder {
    async fn dispatch(&self, op: &'static str, request: String) -> Result<String, String> {
        let mut answer = json!({ "ok": null });
        answer["ok"] = match op {
            "open" => json!({ "skills": [self.skill] }),
            "listTools" => json!({ "tools": [self.tool] }),
            "call" | "runSkill" => {
                let request: Value =
                    serde_json::from_str(&request).map_err(|error| error.to_string())?;
                self.received
                    .lock()
                    .unwrap()
                    .push(request["arguments"].clone());
                self.answer.clone()
            }
            _ => Value::Null,
        };
        Ok(answer.to_string())
    }
}

/// A runtime with one plugin, `p`, whose calls are recorded.
pub struct Service {
    runtime: Runtime,
    recorder: Arc<Recorder>,
    executor: tokio::runtime::Runtime,
}

impl Service {
    /// Its tool and its skill take `schema`; a call of either is answered with `answer`.
    pub fn new(schema: Value, read_only: bool, answer: Value) -> Self {
        let recorder = Arc::new(Recorder {
            tool: json!({"name": TOOL, "inputSchema": schema, "annotations": {"readOnlyHint": read_only}}),
            skill: json!({"name": SKILL, "inputSchema": schema, "readOnly": read_only}),
            answer,
            received: Mutex::default(),
        });
        let options =
            json!({ "plugins": [{"prefix": "p", "host": true, "skills": ["recipe.mjs"]}] });
        let options = serde_json::from_value(options).unwrap();
        let executor = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        Self {
            runtime: Runtime::open(options, Some(recorder.clone())),
            recorder,
            executor,
        }
    }

    /// Calls a tool of the facade view.
    pub fn call(&self, name: &str, arguments: Value) -> Reply {
        self.reply(Call::to(name).arguments(arguments))
    }

    /// Calls a tool of the flat view.
    pub fn call_flat(&self, name: &str, arguments: Value) -> Reply {
        let view = View {
            kind: ViewKind::Flat,
            plugin: Some("p".into()),
        };
        self.reply(Call::to(name).arguments(arguments).view(view))
    }

    /// Calls something that need not exist, in both views.
    pub fn attempt(&self, name: &str, arguments: Value) {
        for kind in [ViewKind::Facade, ViewKind::Flat] {
            let view = View {
                kind,
                plugin: Some("p".into()),
            };
            let call = Call::to(name).arguments(arguments.clone()).view(view);
            if let Ok(reply) = self.executor.block_on(self.runtime.call(call)) {
                assert_is_mcp(&reply);
            }
        }
    }

    fn reply(&self, call: Call) -> Reply {
        let reply = self
            .executor
            .block_on(self.runtime.call(call))
            .expect("the tool exists");
        assert_is_mcp(&reply);
        reply
    }

    /// The arguments of every call that arrived.
    pub fn received(&self) -> Vec<Value> {
        self.recorder.received.lock().unwrap().clone()
    }
}

/// What every door does to a reply must work for each.
fn assert_is_mcp(reply: &Reply) {
    use rmcp::model::{CallToolResult, ContentBlock};
    let mut value = serde_json::to_value(reply).unwrap();
    for part in value["content"].as_array_mut().unwrap() {
        assert!(
            part.is_object(),
            "a content block is an object, and not {part}"
        );
        // Types that the protocol crate does not know.
        if serde_json::from_value::<ContentBlock>(part.clone()).is_err() {
            *part = json!({ "type": "text", "text": part.to_string() });
        }
    }
    let read: CallToolResult = serde_json::from_value(value).expect("a result of MCP");
    assert_eq!(read.is_error, Some(reply.is_error));
}

/// The payload that the facade writes into the first part.
pub fn payload(reply: &Reply) -> Map<String, Value> {
    let text = reply.content[0]["text"].as_str().expect("a text part");
    serde_json::from_str(text).expect("an object")
}
