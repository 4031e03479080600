//! How a client on stdio leaves.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// What is still running when stdin ends may take so long to be answered.
const LAST_ANSWERS: Duration = Duration::from_millis(1500);

/// What is known of the client at the other end. Cloning gives another handle to the same one.
#[derive(Debug, Clone, Default)]
pub(super) struct Client {
    finished: CancellationToken,
    gone: CancellationToken,
}

impl Client {
    /// It says nothing more, and may still read.
    pub(super) fn finished(&self) {
        self.finished.cancel();
    }

    /// It reads nothing more.
    pub(super) fn gone(&self) {
        self.gone.cancel();
    }

    /// Returns when no answer is worth waiting for. `unread` ends when nobody reads stdout any more.
    pub(super) async fn left(&self, unread: impl Future<Output = ()>) {
        let finished = async {
            self.finished.cancelled().await;
            tokio::time::sleep(LAST_ANSWERS).await;
        };
        tokio::select! {
            () = self.gone.cancelled() => {}
            () = unread => {}
            () = finished => {}
        }
    }
}
