//! Failures of the core as JavaScript `Error` objects with `name`, `code` and `hint`.

use agent_tools_runtime::Failure;
use napi::{Env, Error, JsValue, Status};

/// Makes the error on the JavaScript thread: napi's own errors carry a code and a message, nothing else.
pub(crate) fn to_js(env: &Env, failure: &Failure) -> Error {
    build(env, failure).unwrap_or_else(|error| {
        // Without the object the message still says what failed.
        Error::new(
            Status::GenericFailure,
            format!("{} ({error})", failure.clone().scrubbed()),
        )
    })
}

fn build(env: &Env, failure: &Failure) -> napi::Result<Error> {
    let failure = failure.clone().scrubbed();
    let mut object = env.create_error(Error::from_reason(failure.error.clone()))?;
    object.set("name", "AgentToolsError")?;
    object.set("code", failure.code.as_str())?;
    if let Some(hint) = &failure.hint {
        object.set("hint", hint.as_str())?;
    }
    Ok(Error::from_unknown_without_coercion(object.to_unknown()))
}
