//! The way back into JavaScript: one weak callback per runtime.

use agent_tools_runtime::adapter::HostBridge;
use napi::{
    Status,
    bindgen_prelude::{FnArgs, Function, Promise},
    threadsafe_function::ThreadsafeFunction,
};

/// Weak, so that a waiting callback never keeps a process alive.
type Dispatch = ThreadsafeFunction<
    FnArgs<(String, String)>,
    Promise<String>,
    FnArgs<(String, String)>,
    Status,
    false,
    true,
>;

pub(crate) type DispatchFunction<'a> = Function<'a, FnArgs<(String, String)>, Promise<String>>;

pub(crate) struct JsBridge {
    dispatch: Dispatch,
}

impl JsBridge {
    pub(crate) fn new(function: &DispatchFunction<'_>) -> napi::Result<Self> {
        let dispatch = function
            .build_threadsafe_function::<FnArgs<(String, String)>>()
            .weak::<true>()
            .callee_handled::<false>()
            .build()?;
        Ok(Self { dispatch })
    }
}

#[agent_tools_runtime::adapter::async_trait]
impl HostBridge for JsBridge {
    async fn dispatch(&self, op: &'static str, request: String) -> Result<String, String> {
        // The outer result says that the JavaScript thread ran it, the inner one that its promise settled.
        let promise = self
            .dispatch
            .call_async_catch((op.to_owned(), request).into())
            .await
            .map_err(|error| error.reason.clone())?;
        promise.await.map_err(|error| error.reason.clone())
    }
}
