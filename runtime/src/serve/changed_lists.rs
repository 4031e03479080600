//! Telling a client that its tool list is no longer what it was given: `notifications/tools/list_changed` (MCP 2025-11-25,
//! Tools; 2026-07-28, Subscriptions).

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;
use tokio::sync::Notify;

use crate::{Runtime, View};

/// The tool list that one client was given last.
#[derive(Default)]
pub(super) struct GivenList {
    digest: Mutex<Option<u64>>,
    given: Notify,
}

impl GivenList {
    /// The list as it is known now, for a client of which nothing else is known.
    pub(super) async fn of_now(runtime: &Runtime, view: &View) -> Self {
        let given = Self::default();
        *given.digest() = known(runtime, view).await;
        given
    }

    /// The same as another client was given, if it was given any.
    pub(super) fn like(other: &Self) -> Option<Self> {
        let digest = (*other.digest())?;
        let given = Self::default();
        *given.digest() = Some(digest);
        Some(given)
    }

    /// The tools of a view for the client.
    pub(super) async fn give(
        &self,
        runtime: &Runtime,
        view: &View,
    ) -> Result<Vec<Value>, crate::Failure> {
        let changes = runtime.changes().subscribe();
        let tools = runtime.tools(view).await?;
        *self.digest() = Some(digest(&tools));
        if changes.has_changed().unwrap_or(false) {
            // It changed while it was made.
            self.given.notify_one();
        }
        Ok(tools)
    }

    /// Has `tell` called whenever the list is another one than the client was given, until that fails or the runtime
    /// closes. A client that was given none is told nothing.
    pub(super) async fn follow<T, F>(&self, runtime: &Runtime, view: &View, mut tell: T)
    where
        T: FnMut() -> F + Send,
        F: Future<Output = bool> + Send,
    {
        let mut changes = runtime.changes().subscribe();
        let shutdown = runtime.shutdown_token();
        loop {
            if self.is_outdated(runtime, view).await && !tell().await {
                return;
            }
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = self.given.notified() => {}
                () = shutdown.cancelled() => return,
            }
        }
    }

    /// Says so once for each change.
    async fn is_outdated(&self, runtime: &Runtime, view: &View) -> bool {
        if self.digest().is_none() {
            return false;
        }
        let now = known(runtime, view).await;
        let mut given = self.digest();
        let outdated = given.is_some() && *given != now;
        if outdated {
            *given = now;
        }
        outdated
    }

    fn digest(&self) -> MutexGuard<'_, Option<u64>> {
        self.digest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A view whose plugin is gone has a list as well: none.
async fn known(runtime: &Runtime, view: &View) -> Option<u64> {
    let tools = runtime.known_tools(view).await.unwrap_or_default();
    Some(digest(&tools))
}

fn digest(tools: &[Value]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for tool in tools {
        tool.to_string().hash(&mut hasher);
    }
    hasher.finish()
}
