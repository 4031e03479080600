//! The way back into JavaScript: one weak callback per runtime.

use std::sync::Arc;

use agent_tools_runtime::{
    adapter::{HostBridge, ProgressSink, ShowUrl},
    approval::{Answer, Approver, Question},
    plugin::ChangeListener,
};
use napi::{
    Status,
    bindgen_prelude::{FnArgs, Function, Promise},
    threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode},
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

pub(crate) type ProgressFunction<'a> = Function<'a, FnArgs<(String,)>, ()>;

/// Progress as JSON text to a JavaScript function. Weak: nobody waits for it.
pub(crate) fn progress_sink(function: &ProgressFunction<'_>) -> napi::Result<ProgressSink> {
    let callback = function
        .build_threadsafe_function::<FnArgs<(String,)>>()
        .weak::<true>()
        .callee_handled::<false>()
        .build()?;
    Ok(Arc::new(move |progress| {
        if let Ok(text) = serde_json::to_string(&progress) {
            callback.call((text,).into(), ThreadsafeFunctionCallMode::NonBlocking);
        }
    }))
}

pub(crate) type AskFunction<'a> = Function<'a, FnArgs<(String,)>, Promise<String>>;

/// Weak: the call that waits for the answer keeps the process alive.
type Ask =
    ThreadsafeFunction<FnArgs<(String,)>, Promise<String>, FnArgs<(String,)>, Status, false, true>;

/// A question as JSON text to a JavaScript function.
struct JsApprover {
    ask: Ask,
}

/// `{"answer": "once" | "session" | "always" | "no" | "unanswered" | "unavailable"}`
#[derive(serde::Deserialize)]
struct Said {
    answer: Answer,
}

pub(crate) fn approver(function: &AskFunction<'_>) -> napi::Result<Arc<dyn Approver>> {
    let ask = function
        .build_threadsafe_function::<FnArgs<(String,)>>()
        .weak::<true>()
        .callee_handled::<false>()
        .build()?;
    Ok(Arc::new(JsApprover { ask }))
}

#[agent_tools_runtime::adapter::async_trait]
impl Approver for JsApprover {
    async fn ask(&self, question: &Question) -> Answer {
        let Ok(text) = serde_json::to_string(question) else {
            return Answer::No;
        };
        let Ok(promise) = self.ask.call_async_catch((text,).into()).await else {
            return Answer::No;
        };
        // Whatever goes wrong on the way to an answer is no yes.
        let said = promise.await.ok();
        match said.and_then(|text| serde_json::from_str(&text).ok()) {
            Some(Said {
                answer:
                    answer @ (Answer::Once
                    | Answer::Session
                    | Answer::Always
                    | Answer::Unanswered
                    | Answer::Unavailable),
            }) => answer,
            _ => Answer::No,
        }
    }
}

pub(crate) type ChangeFunction<'a> = Function<'a, (), ()>;

/// Word of a change to a JavaScript function. Weak: a program that waits for nothing else ends.
pub(crate) fn change_listener(function: &ChangeFunction<'_>) -> napi::Result<ChangeListener> {
    let callback = function
        .build_threadsafe_function::<()>()
        .weak::<true>()
        .callee_handled::<false>()
        .build()?;
    Ok(Arc::new(move || {
        callback.call((), ThreadsafeFunctionCallMode::NonBlocking);
    }))
}

pub(crate) type UrlFunction<'a> = Function<'a, FnArgs<(String,)>, ()>;

/// The address of a login to a JavaScript function. Weak: the login itself is what is waited for.
pub(crate) fn show_url(function: &UrlFunction<'_>) -> napi::Result<ShowUrl> {
    let callback = function
        .build_threadsafe_function::<FnArgs<(String,)>>()
        .weak::<true>()
        .callee_handled::<false>()
        .build()?;
    Ok(Arc::new(move |url| {
        callback.call(
            (url.to_owned(),).into(),
            ThreadsafeFunctionCallMode::NonBlocking,
        );
    }))
}
