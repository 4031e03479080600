//! A runtime with one plugin, whose tool answers what it is told to.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use agent_tools_runtime::{
    Runtime,
    adapter::{HostBridge, async_trait},
};
use serde_json::json;

/// Answers for the plugin `p` with the tool `act`, which only reads.
pub struct Service {
    answer: Mutex<String>,
    calls: AtomicUsize,
}

impl Service {
    /// The service, and the runtime that has it.
    pub fn start() -> (Arc<Self>, Runtime) {
        let service = Arc::new(Self {
            answer: Mutex::new(json!({ "content": [] }).to_string()),
            calls: AtomicUsize::new(0),
        });
        let options = json!({
            "plugins": [{ "prefix": "p", "host": true }],
            "repeats": { "explainFrom": 0, "refuseFrom": 0 },
            "audit": { "enabled": false },
            "cache": false,
        });
        let options = serde_json::from_value(options).expect("these are options");
        (service.clone(), Runtime::open(options, Some(service)))
    }

    /// What the tool answers from now on; JSON, or what pretends to be.
    pub fn answer_with(&self, text: &str) {
        text.clone_into(&mut self.answer.lock().expect("nobody panics with it"));
    }

    /// How often the tool was called since this was asked last.
    pub fn take_calls(&self) -> usize {
        self.calls.swap(0, Ordering::Relaxed)
    }
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
            "call" => {
                self.calls.fetch_add(1, Ordering::Relaxed);
                let answer = self.answer.lock().expect("nobody panics with it");
                format!("{{\"ok\":{answer}}}")
            }
            _ => json!({ "ok": null }).to_string(),
        })
    }
}
