//! Which requests of a connection still wait for an answer, so that one that comes too late can be told.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rmcp::{
    RoleClient,
    model::{ClientNotification, JsonRpcMessage},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
};

/// The requests of one connection. Cloning gives another handle to the same ones.
#[derive(Clone)]
pub(super) struct Pending {
    plugin: Arc<str>,
    /// Ids as text: servers answer `7` with `"7"`.
    waiting: Arc<Mutex<HashSet<String>>>,
}

impl Pending {
    pub(super) fn new(plugin: Arc<str>) -> Self {
        Self {
            plugin,
            waiting: Arc::default(),
        }
    }

    /// Takes note of a message to the server.
    pub(super) fn sent(&self, message: &TxJsonRpcMessage<RoleClient>) {
        match message {
            JsonRpcMessage::Request(request) => {
                self.lock().insert(request.id.to_string());
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.lock().remove(&id.to_string());
                }
            }
            _ => {}
        }
    }

    /// Takes note of a message from the server. Whoever made the request has been answered already, or has given up.
    pub(super) fn received(&self, message: &RxJsonRpcMessage<RoleClient>) {
        let id = match message {
            JsonRpcMessage::Response(response) => &response.id,
            JsonRpcMessage::Error(error) => match &error.id {
                Some(id) => id,
                None => return,
            },
            _ => return,
        };
        if !self.lock().remove(&id.to_string()) {
            tracing::debug!(
                plugin = &*self.plugin,
                "the server's answer to request {id} came late, when nobody waited for it; it is dropped"
            );
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<String>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
