//! Cancelling a call from JavaScript.

use napi_derive::napi;
use tokio_util::sync::CancellationToken;

/// Cancels the call it was passed to. Napi's own `AbortSignal` would overwrite the user's `onabort` and miss a signal
/// that is aborted already.
#[napi]
pub struct CancelHandle {
    token: CancellationToken,
}

#[napi]
impl CancelHandle {
    /// A handle for one call.
    #[napi(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript constructs it")]
    pub fn new() -> Self {
        Self {
            token: CancellationToken::new(),
        }
    }

    /// Cancels the call. Idempotent.
    #[napi]
    pub fn cancel(&self) {
        self.token.cancel();
    }
}

impl CancelHandle {
    pub(crate) fn token(&self) -> CancellationToken {
        self.token.clone()
    }
}
