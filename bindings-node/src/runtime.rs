//! The runtime as a JavaScript class.

use std::sync::Arc;

use agent_tools_runtime::{
    Call, Code, Failure, Options, Runtime, View,
    adapter::HostBridge,
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
        ChangeFunction, DispatchFunction, JsBridge, ProgressFunction, UrlFunction, change_listener,
        progress_sink, show_url,
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
    view: View,
}

#[napi]
impl NativeRuntime {
    /// Opens a runtime; plugins are found, none is started.
    #[napi(factory)]
    pub fn open(env: Env, options: String, dispatch: DispatchFunction<'_>) -> napi::Result<Self> {
        logging::init();
        let options: Options = parse(&options).map_err(|failure| to_js(&env, &failure))?;
        let bridge: Arc<dyn HostBridge> = Arc::new(JsBridge::new(&dispatch)?);
        Ok(Self {
            runtime: Runtime::open(options, Some(bridge)),
        })
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

    /// Calls a tool; the text is an MCP `CallToolResult`.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn call_tool<'env>(
        &self,
        env: &'env Env,
        request: String,
        cancel: Option<&CancelHandle>,
        on_progress: Option<ProgressFunction<'_>>,
    ) -> napi::Result<PromiseRaw<'env, String>> {
        let runtime = self.runtime.clone();
        let cancel = cancel.map(CancelHandle::token).unwrap_or_default();
        let progress = on_progress
            .map(|function| progress_sink(&function))
            .transpose()?;
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
        let progress = parse(&progress).map_err(|failure| to_js(&env, &failure))?;
        self.runtime.report(&plugin, &call_id, progress);
        Ok(())
    }

    /// Plugins with their state, and warnings.
    #[napi]
    pub fn status(&self) -> String {
        self.runtime.status().to_string()
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
            serve_stdio(&runtime, options.view).await
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
            Ok(json!({ "url": server.url(), "host": address.ip().to_string(), "port": address.port() }).to_string())
        })
    }

    /// Has a process group that JavaScript started killed when this process disappears without closing.
    #[napi]
    pub fn watch_group(&self, pid: u32) {
        self.runtime.children().watch_group(pid);
    }

    /// Undoes `watchGroup`: the group has ended.
    #[napi]
    pub fn forget_group(&self, pid: u32) {
        self.runtime.children().forget_group(pid);
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
    pub fn close_now(&self) {
        self.runtime.close_now();
    }
}

/// Runs a future on the runtime's threads and settles a promise with it; a failure becomes an `Error` object.
fn settle<'env, T, F>(env: &'env Env, work: F) -> napi::Result<PromiseRaw<'env, T>>
where
    T: ToNapiValue + TypeName + Send + 'static,
    F: Future<Output = Result<T, Failure>> + Send + 'static,
{
    env.spawn_future_with_callback(async move { Ok(work.await) }, |env, outcome| {
        outcome.map_err(|failure| to_js(env, &failure))
    })
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Failure::new(Code::ConfigInvalid, format!("unreadable options: {error}")))
}

fn to_text(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(value)
        .map_err(|error| Failure::new(Code::Internal, format!("an unwritable result: {error}")))
}
