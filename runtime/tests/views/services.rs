//! Services as an embedding program would answer for them.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use agent_tools_runtime::{
    Call, Failure, Options, Runtime, View, ViewKind,
    adapter::{HostBridge, async_trait},
};
use serde_json::{Value, json};

/// Lists the tools that are given for each prefix, and answers a call with what it was called with.
pub struct Services {
    tools: Value,
    pub listed: AtomicUsize,
    pub called: AtomicUsize,
}

#[async_trait]
impl HostBridge for Services {
    async fn dispatch(&self, op: &'static str, request: String) -> Result<String, String> {
        let request: Value = serde_json::from_str(&request).map_err(|error| error.to_string())?;
        let plugin = request["plugin"].as_str().unwrap_or_default();
        let answer = match op {
            "open" => {
                let paths = request["skills"].as_array().cloned().unwrap_or_default();
                let skills: Vec<Value> = paths
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|path| {
                        json!({ "name": path.trim_end_matches(".mjs"), "description": "A recipe.", "readOnly": true })
                    })
                    .collect();
                json!({ "skills": skills })
            }
            "listTools" => {
                self.listed.fetch_add(1, Ordering::Relaxed);
                match &self.tools[plugin] {
                    Value::Null => {
                        return Ok(json!({ "err": { "message": "it is down" } }).to_string());
                    }
                    tools => json!({ "tools": tools }),
                }
            }
            "describe" => return Ok(json!({ "err": { "message": "no such tool" } }).to_string()),
            "call" => {
                self.called.fetch_add(1, Ordering::Relaxed);
                let said = match request["tool"].as_str() {
                    Some("export") => "row\n".repeat(20_000),
                    _ => {
                        json!({ "called": [plugin, request["tool"]], "with": request["arguments"] })
                            .to_string()
                    }
                };
                json!({ "content": [{ "type": "text", "text": said }] })
            }
            "runSkill" => json!({ "ran": [plugin, request["skill"]] }),
            _ => Value::Null,
        };
        Ok(json!({ "ok": answer }).to_string())
    }
}

pub struct Fixture {
    pub runtime: Runtime,
    pub services: Arc<Services>,
}

/// A tool that only reads.
pub fn reading(name: &str) -> Value {
    json!({
        "name": name,
        "description": format!("Does {name}."),
        "inputSchema": { "type": "object", "properties": { "id": { "type": "string" } } },
        "annotations": { "readOnlyHint": true },
    })
}

pub fn open(plugins: Value, tools: Value, more: Value) -> Fixture {
    let mut options = json!({ "plugins": plugins });
    options
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    let options: Options = serde_json::from_value(options).unwrap();
    let services = Arc::new(Services {
        tools,
        listed: AtomicUsize::new(0),
        called: AtomicUsize::new(0),
    });
    Fixture {
        runtime: Runtime::open(options, Some(services.clone())),
        services,
    }
}

/// Two trackers with a tool of the same name, and a store of notes with a skill.
pub fn three(more: Value) -> Fixture {
    open(
        json!([
            { "prefix": "github", "host": true, "description": "Issues and pull requests. Of GitHub." },
            { "prefix": "gitlab", "host": true },
            { "prefix": "notes", "host": true, "description": "Text notes", "skills": ["tidy.mjs"] },
        ]),
        json!({
            "github": [reading("list_issues"), reading("get_pull_request"), reading("export")],
            "gitlab": [reading("list_issues"), reading("merge")],
            "notes": [
                reading("read_note"),
                { "name": "write_note", "description": "Write a note.", "inputSchema": {
                    "type": "object", "required": ["text"], "properties": { "text": { "type": "string" } } } },
            ],
        }),
        more,
    )
}

pub fn view(kind: ViewKind) -> View {
    View { kind, plugin: None }
}

impl Fixture {
    pub async fn list(&self, kind: ViewKind) -> Vec<Value> {
        self.runtime.tools(&view(kind)).await.unwrap()
    }

    pub async fn names(&self, kind: ViewKind) -> Vec<String> {
        let tools = self.list(kind).await;
        let names = tools.iter().filter_map(|tool| tool["name"].as_str());
        names.map(str::to_owned).collect()
    }

    /// The first part of the reply, without what differs from call to call.
    pub async fn call_in(&self, kind: ViewKind, name: &str, arguments: Value) -> Value {
        self.try_call(kind, name, arguments).await.unwrap()
    }

    pub async fn try_call(
        &self,
        kind: ViewKind,
        name: &str,
        arguments: Value,
    ) -> Result<Value, Failure> {
        let call = Call::to(name).arguments(arguments).view(view(kind));
        let reply = self.runtime.call(call).await?;
        let text = reply.content[0]["text"].as_str().unwrap();
        let mut payload = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        if let Some(map) = payload.as_object_mut() {
            map.remove("receipt");
        }
        Ok(payload)
    }

    pub async fn unified(&self, name: &str, arguments: Value) -> Value {
        self.call_in(ViewKind::Unified, name, arguments).await
    }

    /// Lists every plugin, so that its tools are known.
    pub async fn load(&self) {
        self.runtime.load_all().await;
    }
}
