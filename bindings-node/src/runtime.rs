//! The runtime as a JavaScript class.

use std::{path::PathBuf, sync::Arc};

use agent_tools_runtime::{
    Call, Code, Failure, Options, Runtime, SearchOptions, View,
    adapter::HostBridge,
    agent_skills::AgentSkillOptions,
    fault::{contained, contained_in},
    serve::{HttpOptions, serve_http, serve_stdio},
};
use napi::{
    Env,
    bindgen_prelude::{PromiseRaw, ToNapiValue, TypeName},
};
use napi_derive::napi;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    bridge::{
        AskFunction, ChangeFunction, DispatchFunction, JsBridge, ProgressFunction, UrlFunction,
        approver, change_listener, progress_sink, show_url,
    },
    cancel::CancelHandle,
    error::to_js,
    logging,
};

/// A handle to a runtime of the core.
#[napi]
pub struct NativeRuntime {
    runtime: Runtime,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallRequest {
    name: String,
    #[serde(default)]
    arguments: Value,
    #[serde(default)]
    view: View,
    #[serde(default)]
    session: String,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct StdioOptions {
    view: Option<View>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct SkillFilesOptions {
    skills: AgentSkillOptions,
    folder: Option<PathBuf>,
    prune: bool,
}

#[napi]
impl NativeRuntime {
    /// Opens a runtime; plugins are found, none is started.
    #[napi(factory)]
    pub fn open(env: Env, options: String, dispatch: DispatchFunction<'_>) -> napi::Result<Self> {
        logging::init();
        let bridge: Arc<dyn HostBridge> = Arc::new(JsBridge::new(&dispatch)?);
        let open = || Ok(Runtime::open(parse::<Options>(&options)?, Some(bridge)));
        let runtime = contained(open).flatten();
        let runtime = runtime.map_err(|failure| to_js(&env, &failure))?;
        Ok(Self { runtime })
    }

    /// The tools of a view.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn tools<'env>(
        &self,
        env: &'env Env,
        view: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            let tools = runtime.tools(&parse(&view)?).await?;
            Ok(Value::Array(tools).to_string())
        })
    }

    /// The tools of a view as far as they are known without starting anything.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn known_tools<'env>(
        &self,
        env: &'env Env,
        view: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            let tools = runtime.known_tools(&parse(&view)?).await?;
            Ok(Value::Array(tools).to_string())
        })
    }

    /// The plugins as `SKILL.md` files: a JSON array. Starts nothing.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn agent_skills<'env>(
        &self,
        env: &'env Env,
        options: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            let skills = runtime.agent_skills(&parse(&options)?).await?;
            to_text(&skills)
        })
    }

    /// Writes them into a folder; the text says what became of each file.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn write_agent_skills<'env>(
        &self,
        env: &'env Env,
        options: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            let options: SkillFilesOptions = parse(&options)?;
            let SkillFilesOptions {
                skills,
                folder,
                prune,
            } = options;
            let written = runtime.write_agent_skills(&skills, folder, prune).await?;
            to_text(&written)
        })
    }

    /// What a client of a view tells its model beside the tools.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn instructions<'env>(
        &self,
        env: &'env Env,
        view: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            let view = parse(&view)?;
            Ok(runtime.instructions(&view).await)
        })
    }

    /// Searches as `discover` does, and answers with the ranking.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn search<'env>(
        &self,
        env: &'env Env,
        query: String,
        options: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            let options: SearchOptions = parse(&options)?;
            to_text(&runtime.search(&query, &options).await?)
        })
    }

    /// Calls a tool; the text is an MCP `CallToolResult`. `on_ask` gets a question and resolves to `{"answer"}`, both as JSON
    /// text.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn call_tool<'env>(
        &self,
        env: &'env Env,
        request: String,
        cancel: Option<&CancelHandle>,
        on_progress: Option<ProgressFunction<'_>>,
        on_ask: Option<AskFunction<'_>>,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        let cancel = cancel.map(CancelHandle::token).unwrap_or_default();
        let progress = on_progress
            .map(|function| progress_sink(&function))
            .transpose()?;
        let asked = on_ask.map(|function| approver(&function)).transpose()?;
        settle(env, async move {
            let request: CallRequest = parse(&request)?;
            let mut call = Call::to(request.name)
                .arguments(request.arguments)
                .view(request.view)
                .session(&request.session)
                .cancelled_by(cancel);
            if let Some(sink) = progress {
                call = call.progress(sink);
            }
            if let Some(approver) = asked {
                call = call.approver(approver);
            }
            let reply = runtime.call(call).await?;
            to_text(&reply)
        })
    }

    /// A call that a running skill makes.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn skill_call<'env>(
        &self,
        env: &'env Env,
        call_id: String,
        tool: String,
        arguments: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            let arguments: Option<_> = parse(&arguments)?;
            let result = runtime
                .skill_call(&call_id, &tool, arguments.unwrap_or_default())
                .await?;
            to_text(&result)
        })
    }

    /// Progress that a JavaScript plugin reports for a call or a skill's run; the text is `{progress, total?, message?}`.
    #[napi]
    pub fn report(
        &self,
        env: Env,
        plugin: String,
        call_id: String,
        progress: String,
    ) -> napi::Result<()> {
        let report = || {
            let progress = parse(&progress)?;
            self.runtime.report(&plugin, &call_id, progress);
            Ok(())
        };
        let reported = contained(report).flatten();
        reported.map_err(|failure| to_js(&env, &failure))
    }

    /// Plugins with their state, and warnings.
    #[napi]
    pub fn status(&self, env: Env) -> napi::Result<String> {
        let status = contained(|| self.runtime.status().to_string());
        status.map_err(|failure| to_js(&env, &failure))
    }

    /// Starts and lists every plugin, so that `status` can count what they offer.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn load_all<'env>(&self, env: &'env Env) -> napi::Result<PromiseRaw<'env, ()>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            runtime.load_all().await;
            Ok(())
        })
    }

    /// Finds the plugins again; those that are as they were go on.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn reload<'env>(&self, env: &'env Env) -> napi::Result<PromiseRaw<'env, ()>> {
        let runtime = self.runtime.clone();
        settle(env, async move { runtime.reload().await })
    }

    /// Has a function called whenever plugins, or what they offer, changed. It keeps no process alive.
    #[napi]
    pub fn on_change(&self, listener: ChangeFunction<'_>) -> napi::Result<()> {
        self.runtime.on_change(change_listener(&listener)?);
        Ok(())
    }

    /// Logs the user in to a plugin's service: `on_url` is given the address to open in a browser.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn login<'env>(
        &self,
        env: &'env Env,
        prefix: String,
        on_url: UrlFunction<'_>,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        let show = show_url(&on_url)?;
        settle(env, async move {
            Ok(runtime.login(&prefix, show).await?.to_string())
        })
    }

    /// Forgets what a login has brought, here and at the service.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn logout<'env>(
        &self,
        env: &'env Env,
        prefix: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            Ok(runtime.logout(&prefix).await?.to_string())
        })
    }

    /// What the policy says of a tool or skill; the text is a JSON object.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn explain_policy<'env>(
        &self,
        env: &'env Env,
        plugin: String,
        name: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            Ok(runtime.explain_policy(&plugin, &name).await?.to_string())
        })
    }

    /// Forgets what the user allowed for good; the text is `{forgotten}`.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn forget_decision<'env>(
        &self,
        env: &'env Env,
        plugin: String,
        name: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            Ok(runtime.forget_decision(&plugin, &name)?.to_string())
        })
    }

    /// What is held back of the plugins, or of one; the text is a report.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn trust<'env>(
        &self,
        env: &'env Env,
        prefix: Option<String>,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            Ok(runtime.trust(prefix.as_deref()).await?.to_string())
        })
    }

    /// Trusts what is held back of a plugin, as the report with that digest showed it.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn accept<'env>(
        &self,
        env: &'env Env,
        prefix: String,
        digest: Option<String>,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            Ok(runtime
                .accept(&prefix, digest.as_deref())
                .await?
                .to_string())
        })
    }

    /// Serves MCP on this process's stdin and stdout until stdin ends.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn serve_stdio<'env>(
        &self,
        env: &'env Env,
        options: String,
    ) -> napi::Result<PromiseRaw<'env, ()>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            let options: StdioOptions = parse(&options)?;
            let configured = || View {
                kind: runtime.configured_view().unwrap_or_default(),
                plugin: None,
            };
            let view = options.view.unwrap_or_else(configured);
            serve_stdio(&runtime, view).await
        })
    }

    /// Serves MCP over HTTP until the runtime closes; settles when it listens.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn serve_http<'env>(
        &self,
        env: &'env Env,
        options: String,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            let options: HttpOptions = parse(&options)?;
            let server = serve_http(&runtime, options).await?;
            let address = server.address;
            let mut listens = json!({ "url": server.url(), "host": address.ip().to_string(), "port": address.port() });
            if let Some(link) = &server.page_url {
                listens["pageUrl"] = json!(link);
            }
            Ok(listens.to_string())
        })
    }

    /// Has a process group that JavaScript started killed when this process disappears without closing.
    #[napi]
    pub fn watch_group(&self, env: Env, pid: u32) -> napi::Result<()> {
        let watched = contained(|| self.runtime.children().watch_group(pid));
        watched.map_err(|failure| to_js(&env, &failure))
    }

    /// Undoes `watchGroup`: the group has ended.
    #[napi]
    pub fn forget_group(&self, env: Env, pid: u32) -> napi::Result<()> {
        let forgotten = contained(|| self.runtime.children().forget_group(pid));
        forgotten.map_err(|failure| to_js(&env, &failure))
    }

    /// Ends everything; settles when no child is left.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> napi::Result<PromiseRaw<'env, ()>> {
        let runtime = self.runtime.clone();
        settle(env, async move {
            runtime.close().await;
            Ok(())
        })
    }

    /// Kills every child at once, without waiting: for exit hooks.
    #[napi]
    pub fn close_now(&self, env: Env) -> napi::Result<()> {
        let closed = contained(|| self.runtime.close_now());
        closed.map_err(|failure| to_js(&env, &failure))
    }
}

/// Runs a future on the runtime's threads and settles a promise with it; a failure becomes an `Error` object.
pub(crate) fn settle<'env, T, F>(env: &'env Env, work: F) -> napi::Result<PromiseRaw<'env, T>>
where
    T: ToNapiValue + TypeName + Send + 'static,
    F: Future<Output = Result<T, Failure>> + Send + 'static,
{
    let work = async move { Ok(contained_in("the runtime", work).await.flatten()) };
    env.spawn_future_with_callback(work, |env, outcome| {
        outcome.map_err(|failure| to_js(env, &failure))
    })
}

pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Failure::new(Code::ConfigInvalid, format!("unreadable options: {error}")))
}

pub(crate) fn to_text(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value)
        .map_err(|error| Failure::new(Code::Internal, format!("an unwritable result: {error}")))
}
