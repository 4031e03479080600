//! The end of a plugin that others may still use.

use std::{sync::Arc, time::Duration};

use super::Plugin;

/// How often it is looked whether the last call has ended.
const LOOKS_APART: Duration = Duration::from_millis(50);

/// Closes a plugin that is in the set no more, when the last call that uses it has ended. Calls have deadlines.
pub(crate) async fn retire(plugin: Arc<Plugin>) {
    while Arc::strong_count(&plugin) > 1 {
        tokio::time::sleep(LOOKS_APART).await;
    }
    plugin.close().await;
}
