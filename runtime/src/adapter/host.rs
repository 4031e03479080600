//! Adapters and skills that the embedding program answers, such as JavaScript modules in a Node host.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::Mutex;

use super::{
    Adapter, CallContext, Progress, ProgressSink, SkillRunner,
    environment::{child_environment, expand, from_process},
};
use crate::{
    catalog::{Skill, Tool},
    reply::{Code, Failure, UpstreamResult},
    secrets::remember_given,
};

/// A module's tools may change without notice, so a listing is believed only this long.
const LISTING_LIFETIME: Duration = Duration::from_secs(30);

/// The embedding program's side: one operation, JSON text in and out. The operations are listed in `docs/architecture.md`.
#[async_trait]
pub trait HostBridge: Send + Sync {
    /// Answers `op` with an envelope: `{"ok": value}` or `{"err": {"message", "code"?, "hint"?}}`. An `Err` says why no
    /// answer could be had at all.
    async fn dispatch(&self, op: &'static str, request: String) -> Result<String, String>;
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Envelope {
    Ok(Value),
    Err(HostError),
}

#[derive(Deserialize)]
struct HostError {
    message: String,
    code: Option<String>,
    hint: Option<String>,
    /// How far a skill had come, in its own words.
    stage: Option<String>,
}

/// The host's answer when a plugin's module is not loaded (any more). Nothing was sent to it.
const NOT_OPEN: &str = "PLUGIN_NOT_OPEN";

/// A plugin whose adapter, skills or both live in the embedding program.
pub struct HostAdapter {
    bridge: Arc<dyn HostBridge>,
    plugin: String,
    modules: Value,
    opened: Mutex<Option<Opened>>,
    calls: AtomicU64,
    /// Who wants the progress of which call.
    listeners: std::sync::Mutex<HashMap<String, ProgressSink>>,
    /// A `close` on its way: the next `open` must not overtake it.
    closing: std::sync::Mutex<Option<tokio::task::JoinHandle<()>>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opened {
    #[serde(default)]
    has_context: bool,
    #[serde(default)]
    skills: Vec<Skill>,
}

impl HostError {
    /// A code of ours is kept (a skill passes on what a call inside it met); any other becomes `hostCode`.
    fn into_failure(self, op: &str) -> Failure {
        let known = self.code.as_deref().and_then(Code::parse);
        let code = known.unwrap_or(match op {
            "call" => Code::ToolFailed,
            "runSkill" => Code::SkillFailed,
            _ => Code::PluginUnavailable,
        });
        let mut failure = Failure::new(code, self.message);
        failure.hint = self.hint;
        if let Some(stage) = self.stage {
            failure = failure.with("stage", stage);
        }
        match (known, self.code) {
            (None, Some(code)) => failure.with("hostCode", code),
            _ => failure,
        }
    }
}

impl HostAdapter {
    /// The adapter and skills of `plugin`, opened on first use with the request `modules`, which says what to load.
    pub fn new(bridge: Arc<dyn HostBridge>, plugin: &str, modules: Value) -> Self {
        Self {
            bridge,
            plugin: plugin.to_owned(),
            modules,
            opened: Mutex::default(),
            calls: AtomicU64::new(0),
            listeners: std::sync::Mutex::default(),
            closing: std::sync::Mutex::default(),
        }
    }

    async fn open(&self) -> Result<Opened, Failure> {
        let mut slot = self.opened.lock().await;
        if let Some(opened) = slot.as_ref() {
            return Ok(opened.clone());
        }
        let closing = self.closing().take();
        if let Some(closing) = closing {
            // It may have been aborted with its runtime, which is as good as done.
            let _ = closing.await;
        }
        let mut closer = CloseOnDrop {
            adapter: self,
            armed: true,
        };
        let answer = self.dispatch("open", self.open_request()?).await?;
        closer.armed = false;
        let opened: Opened = serde_json::from_value(answer).map_err(|error| {
            Failure::new(
                Code::Internal,
                format!("the host's answer to `open` is malformed: {error}"),
            )
        })?;
        *slot = Some(opened.clone());
        Ok(opened)
    }

    /// What to load, with the plugin's variables expanded.
    fn open_request(&self) -> Result<Value, Failure> {
        let mut request = self.modules.clone();
        if request.get("inheritEnv") == Some(&Value::Bool(false)) {
            let own: IndexMap<String, String> =
                serde_json::from_value(request["env"].take()).unwrap_or_default();
            request["env"] = json!(child_environment(&own, from_process)?);
        } else if let Some(env) = request.get_mut("env").and_then(Value::as_object_mut) {
            for (name, value) in env {
                if let Value::String(text) = value {
                    *text = expand(text, from_process)?;
                    remember_given(name, text);
                }
            }
        }
        Ok(request)
    }

    /// Sends an operation to an opened plugin. A plugin that is gone is opened anew, at once where nothing was sent yet.
    async fn send(&self, op: &'static str, request: Value) -> Result<Value, Failure> {
        self.open().await?;
        let answer = self.dispatch(op, request.clone()).await;
        let Err(failure) = &answer else { return answer };
        if failure.fields.get("hostCode") == Some(&json!(NOT_OPEN)) {
            *self.opened.lock().await = None;
            self.open().await?;
            return self.dispatch(op, request).await;
        }
        if failure.code == Code::PluginCrashed {
            *self.opened.lock().await = None;
        }
        answer
    }

    async fn dispatch(&self, op: &'static str, request: Value) -> Result<Value, Failure> {
        let text = self
            .bridge
            .dispatch(op, request.to_string())
            .await
            .map_err(|error| {
                Failure::new(
                    Code::Internal,
                    format!("the host did not answer `{op}`: {error}"),
                )
            })?;
        match serde_json::from_str(&text) {
            Ok(Envelope::Ok(value)) => Ok(value),
            Ok(Envelope::Err(error)) => Err(error.into_failure(op)),
            Err(error) => Err(Failure::new(
                Code::Internal,
                format!("the host's answer to `{op}` is malformed: {error}"),
            )),
        }
    }

    /// As `send`. When nobody waits for the answer any more the module is told, and stopped if it does not hear it: one
    /// that loops for ever would keep a core busy for nothing.
    async fn asked(&self, op: &'static str, request: Value) -> Result<Value, Failure> {
        // A module that is still loading is closed instead.
        self.open().await?;
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let mut guard = self.cancel_on_drop(format!("{op}-{number}"));
        let answer = self.send(op, request).await;
        guard.finished();
        answer
    }

    async fn shut(&self) {
        if self.opened.lock().await.take().is_some() {
            let _ = self
                .dispatch("close", json!({ "plugin": self.plugin }))
                .await;
        }
    }

    fn listeners(&self) -> std::sync::MutexGuard<'_, HashMap<String, ProgressSink>> {
        self.listeners
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn cancel_on_drop(&self, call_id: String) -> CancelOnDrop<'_> {
        CancelOnDrop {
            adapter: self,
            call_id: Some(call_id),
        }
    }

    /// Sends an operation whose answer nobody waits for.
    fn send_and_forget(
        &self,
        op: &'static str,
        request: Value,
    ) -> Option<tokio::task::JoinHandle<()>> {
        let bridge = self.bridge.clone();
        let handle = tokio::runtime::Handle::try_current().ok()?;
        Some(handle.spawn(async move {
            let _ = bridge.dispatch(op, request.to_string()).await;
        }))
    }

    fn closing(&self) -> std::sync::MutexGuard<'_, Option<tokio::task::JoinHandle<()>>> {
        self.closing
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[async_trait]
impl Adapter for HostAdapter {
    async fn list_tools(&self) -> Result<Vec<Tool>, Failure> {
        let listed = self
            .asked("listTools", json!({ "plugin": self.plugin }))
            .await?;
        let tools = listed
            .get("tools")
            .or(Some(&listed))
            .and_then(Value::as_array);
        let tools = tools.ok_or_else(|| {
            Failure::new(
                Code::PluginUnavailable,
                "the adapter's listTools() did not return {tools: [...]}",
            )
        })?;
        Ok(tools.iter().filter_map(Tool::from_json).collect())
    }

    async fn describe(&self, tool: &str) -> Option<Tool> {
        let answer = self
            .asked("describe", json!({ "plugin": self.plugin, "tool": tool }))
            .await;
        Tool::from_json(&answer.ok()?).filter(|described| described.name == tool)
    }

    async fn discover_context(&self) -> Option<Value> {
        if !self.open().await.ok()?.has_context {
            return None;
        }
        let context = self
            .asked("discoverContext", json!({ "plugin": self.plugin }))
            .await;
        context.ok().filter(|context| !context.is_null())
    }

    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        context: &CallContext,
    ) -> Result<UpstreamResult, Failure> {
        let call_id = format!("call-{}", self.calls.fetch_add(1, Ordering::Relaxed));
        let mut guard = self.cancel_on_drop(call_id.clone());
        let request = json!({ "plugin": self.plugin, "callId": call_id, "tool": tool, "arguments": arguments });
        if let Some(sink) = &context.progress {
            self.listeners().insert(call_id.clone(), sink.clone());
        }
        let answer = self.send("call", request).await;
        guard.finished();
        Ok(UpstreamResult::from_json(answer?))
    }

    fn host_name(&self) -> Option<&str> {
        Some(&self.plugin)
    }

    fn report(&self, call_id: &str, progress: Progress) {
        let sink = self.listeners().get(call_id).cloned();
        if let Some(sink) = sink {
            sink(progress);
        }
    }

    fn listing_lifetime(&self) -> Option<Duration> {
        Some(LISTING_LIFETIME)
    }

    async fn close(&self) {
        self.shut().await;
    }
}

#[async_trait]
impl SkillRunner for HostAdapter {
    async fn list_skills(&self) -> Result<Vec<Skill>, Failure> {
        Ok(self.open().await?.skills)
    }

    async fn run_skill(
        &self,
        call_id: &str,
        skill: &str,
        arguments: Map<String, Value>,
        _context: &CallContext,
    ) -> Result<Value, Failure> {
        let mut guard = self.cancel_on_drop(call_id.to_owned());
        let request = json!({ "plugin": self.plugin, "callId": call_id, "skill": skill, "arguments": arguments });
        let answer = self.send("runSkill", request).await;
        guard.finished();
        answer
    }

    async fn close(&self) {
        self.shut().await;
    }
}

/// Tells the module that nobody waits for its answer any more.
struct CancelOnDrop<'a> {
    adapter: &'a HostAdapter,
    call_id: Option<String>,
}

impl CancelOnDrop<'_> {
    fn finished(&mut self) {
        if let Some(call_id) = self.call_id.take() {
            self.adapter.listeners().remove(&call_id);
        }
    }
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(call_id) = self.call_id.take() {
            self.adapter.listeners().remove(&call_id);
            let request = json!({ "plugin": self.adapter.plugin, "callId": call_id });
            self.adapter.send_and_forget("cancel", request);
        }
    }
}

/// A module that does not finish loading is shut down, so that the next use starts afresh.
struct CloseOnDrop<'a> {
    adapter: &'a HostAdapter,
    armed: bool,
}

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        if self.armed {
            let request = json!({ "plugin": self.adapter.plugin });
            *self.adapter.closing() = self.adapter.send_and_forget("close", request);
        }
    }
}
