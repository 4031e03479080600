//! What comes from a service, without the secrets that it was given: everything that the core sees of an adapter or of a
//! skill passes here, before it is shown, cut, counted or kept.

use std::{borrow::Cow, sync::Arc, time::Duration};

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::{Adapter, AuthState, CallContext, ChangeSignal, Progress, ShowUrl, SkillRunner};
use crate::{
    catalog::{Schema, Skill, Tool},
    reply::{Failure, UpstreamResult},
    secrets::{scrub, scrub_json, scrub_known, scrub_known_in},
};

/// A way to a service, or what runs a plugin's skills, whose answers hold no known secret.
pub(crate) struct Scrubbed<T: ?Sized>(Arc<T>);

impl<T: ?Sized> Scrubbed<T> {
    pub(crate) fn new(inner: Arc<T>) -> Self {
        Self(inner)
    }
}

#[async_trait]
impl Adapter for Scrubbed<dyn Adapter> {
    async fn list_tools(&self) -> Result<Vec<Tool>, Failure> {
        let tools = self.0.list_tools().await.map_err(failure)?;
        Ok(tools.into_iter().filter_map(tool).collect())
    }

    fn list_incomplete(&self) -> Option<Failure> {
        self.0.list_incomplete().map(failure)
    }

    fn lists_everything(&self) -> bool {
        self.0.lists_everything()
    }

    fn lists_data(&self, tool: &str) -> bool {
        self.0.lists_data(tool)
    }

    async fn describe(&self, name: &str) -> Option<Tool> {
        self.0.describe(name).await.and_then(tool)
    }

    async fn discover_context(&self) -> Option<Value> {
        let context = self.0.discover_context().await?;
        Some(scrub_json(context))
    }

    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        context: &CallContext,
    ) -> Result<UpstreamResult, Failure> {
        let outcome = self.0.call(tool, arguments, &quiet(context)).await;
        outcome.map(result).map_err(failure)
    }

    fn host_name(&self) -> Option<&str> {
        self.0.host_name()
    }

    fn report(&self, call_id: &str, progress: Progress) {
        self.0.report(call_id, progress);
    }

    fn generation(&self) -> u64 {
        self.0.generation()
    }

    fn on_change(&self, changed: ChangeSignal) {
        self.0.on_change(changed);
    }

    fn listing_lifetime(&self) -> Option<Duration> {
        self.0.listing_lifetime()
    }

    fn running(&self) -> Option<bool> {
        self.0.running()
    }

    fn winding_up(&self) -> Duration {
        self.0.winding_up()
    }

    fn auth(&self) -> Option<AuthState> {
        self.0.auth()
    }

    async fn login(&self, show: ShowUrl) -> Result<Value, Failure> {
        let outcome = self.0.login(show).await;
        outcome.map(scrub_json).map_err(failure)
    }

    async fn logout(&self) -> Result<Value, Failure> {
        self.0.logout().await.map(scrub_json).map_err(failure)
    }

    async fn close(&self) {
        self.0.close().await;
    }
}

#[async_trait]
impl SkillRunner for Scrubbed<dyn SkillRunner> {
    async fn list_skills(&self) -> Result<Vec<Skill>, Failure> {
        let skills = self.0.list_skills().await.map_err(failure)?;
        Ok(skills.into_iter().map(skill).collect())
    }

    async fn run_skill(
        &self,
        call_id: &str,
        skill: &str,
        arguments: Map<String, Value>,
        context: &CallContext,
    ) -> Result<Value, Failure> {
        let context = quiet(context);
        let ran = self.0.run_skill(call_id, skill, arguments, &context).await;
        let mut value = ran.map_err(failure)?;
        scrub_known_in(&mut value);
        Ok(value)
    }

    async fn close(&self) {
        self.0.close().await;
    }
}

/// The context with a sink that lets no secret through.
fn quiet(context: &CallContext) -> CallContext {
    let sink = context.progress.clone().map(|client| {
        let sink = move |mut progress: Progress| {
            progress.message = progress.message.map(|message| scrub(&message).into_owned());
            client(progress);
        };
        Arc::new(sink) as super::ProgressSink
    });
    CallContext {
        progress: sink,
        ..context.clone()
    }
}

/// A tool is called by its name, so that one whose name holds a secret cannot be offered.
fn tool(tool: Tool) -> Option<Tool> {
    if matches!(scrub_known(&tool.name), Cow::Owned(_)) {
        tracing::warn!("a tool is left out: its name holds a secret");
        return None;
    }
    Some(Tool {
        title: tool.title.map(text),
        description: text(tool.description),
        input_schema: schema(tool.input_schema),
        output_schema: tool.output_schema.map(schema),
        tags: tool.tags.into_iter().map(text).collect(),
        ..tool
    })
}

fn skill(skill: Skill) -> Skill {
    Skill {
        description: text(skill.description),
        args: skill.args.map(text),
        input_schema: skill.input_schema.map(schema),
        error: skill.error.map(text),
        ..skill
    }
}

fn text(text: String) -> String {
    match scrub(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(scrubbed) => scrubbed,
    }
}

fn schema(schema: Schema) -> Schema {
    match scrub_json(Value::Object(Map::clone(&schema))) {
        Value::Object(scrubbed) if scrubbed != *schema => Schema::new(scrubbed),
        _ => schema,
    }
}

/// A result holds what the user asked for: only known secrets leave it. An error is no such thing.
fn result(mut result: UpstreamResult) -> UpstreamResult {
    let UpstreamResult {
        content,
        structured_content,
        meta,
        notes,
        is_error,
    } = &mut result;
    let values = content.iter_mut().chain(structured_content).chain(meta);
    for value in values {
        match is_error {
            true => *value = scrub_json(value.take()),
            false => scrub_known_in(value),
        }
    }
    for note in notes {
        *note = text(std::mem::take(note));
    }
    result
}

fn failure(failure: Failure) -> Failure {
    failure.scrubbed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{reply::Code, secrets::remember};
    use serde_json::json;

    /// Answers everything with what nobody would answer by default.
    struct Odd;

    #[async_trait]
    impl Adapter for Odd {
        async fn list_tools(&self) -> Result<Vec<Tool>, Failure> {
            Ok(Vec::new())
        }
        fn list_incomplete(&self) -> Option<Failure> {
            Some(Failure::new(Code::Internal, "a page failed"))
        }
        fn lists_everything(&self) -> bool {
            true
        }
        fn lists_data(&self, _: &str) -> bool {
            true
        }
        async fn describe(&self, name: &str) -> Option<Tool> {
            Tool::from_json(&json!({ "name": name }))
        }
        async fn discover_context(&self) -> Option<Value> {
            Some(json!("context"))
        }
        async fn call(
            &self,
            _: &str,
            _: Map<String, Value>,
            _: &CallContext,
        ) -> Result<UpstreamResult, Failure> {
            Err(Failure::new(Code::Internal, "nothing is called"))
        }
        fn host_name(&self) -> Option<&str> {
            Some("host")
        }
        fn generation(&self) -> u64 {
            7
        }
        fn listing_lifetime(&self) -> Option<Duration> {
            Some(Duration::from_secs(7))
        }
        fn running(&self) -> Option<bool> {
            Some(true)
        }
        fn winding_up(&self) -> Duration {
            Duration::from_secs(7)
        }
        fn auth(&self) -> Option<AuthState> {
            Some(AuthState::Needed)
        }
        async fn login(&self, _: ShowUrl) -> Result<Value, Failure> {
            Ok(json!("in"))
        }
        async fn logout(&self) -> Result<Value, Failure> {
            Ok(json!("out"))
        }
        async fn close(&self) {}
    }

    #[tokio::test]
    async fn no_question_is_answered_by_the_default_in_the_services_place() {
        let inner: Arc<dyn Adapter> = Arc::new(Odd);
        let scrubbed = Scrubbed::new(inner);
        assert!(scrubbed.list_incomplete().is_some());
        assert!(scrubbed.lists_everything());
        assert!(scrubbed.lists_data("x"));
        assert!(scrubbed.describe("x").await.is_some());
        assert!(scrubbed.discover_context().await.is_some());
        assert_eq!(scrubbed.host_name(), Some("host"));
        assert_eq!(scrubbed.generation(), 7);
        assert!(scrubbed.listing_lifetime().is_some());
        assert_eq!(scrubbed.running(), Some(true));
        assert_ne!(scrubbed.winding_up(), Duration::ZERO);
        assert!(scrubbed.auth().is_some());
        assert!(scrubbed.login(Arc::new(|_: &str| {})).await.is_ok());
        assert!(scrubbed.logout().await.is_ok());
    }

    const TOKEN: &str = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

    #[test]
    fn a_result_keeps_the_tokens_that_nobody_configured() {
        remember("scrubbed-Canary-1");
        let value = json!({
            "content": [{"type": "text", "text": format!("scrubbed-Canary-1 {TOKEN}")}],
            "structuredContent": {"scrubbed-Canary-1": "scrubbed-Canary-1"},
            "_meta": {"a": "scrubbed-Canary-1"},
        });
        let mut given = UpstreamResult::from_json(value);
        given.notes.push("scrubbed-Canary-1".into());
        let answer = result(given.clone());
        let text = serde_json::to_string(&answer).unwrap();
        assert!(!text.contains("Canary") && text.contains(TOKEN), "{text}");
        assert_eq!(answer.notes, ["<redacted>"]);
        given.is_error = true;
        let text = serde_json::to_string(&result(given)).unwrap();
        assert!(!text.contains("Canary") && !text.contains(TOKEN), "{text}");
    }

    #[test]
    fn what_a_service_says_of_its_tools_holds_no_secret() {
        remember("scrubbed-Canary-2");
        let listed = json!({
            "name": "x",
            "title": "scrubbed-Canary-2",
            "description": format!("scrubbed-Canary-2 {TOKEN}"),
            "tags": ["scrubbed-Canary-2"],
            "inputSchema": {"type": "object", "properties": {"a": {"default": "scrubbed-Canary-2"}}},
        });
        let shown = format!("{:?}", tool(Tool::from_json(&listed).unwrap()).unwrap());
        assert!(
            !shown.contains("Canary") && !shown.contains(TOKEN),
            "{shown}"
        );
        let named = Tool::from_json(&json!({"name": "get-scrubbed-Canary-2"})).unwrap();
        assert!(tool(named).is_none());
    }

    #[test]
    fn a_failure_holds_no_secret() {
        remember("scrubbed-Canary-3");
        let failed = Failure::new(Code::PluginCrashed, format!("scrubbed-Canary-3 {TOKEN}"))
            .with_hint("scrubbed-Canary-3")
            .with("stderr", "scrubbed-Canary-3");
        let payload = failure(failed).to_payload().to_string();
        assert!(
            !payload.contains("Canary") && !payload.contains(TOKEN),
            "{payload}"
        );
    }
}
