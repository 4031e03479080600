//! What this client answers to the server's own messages, and tells it without being asked.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, atomic::AtomicU64},
};

use rmcp::{
    ClientHandler, RoleClient,
    model::{
        CancelledNotification, CancelledNotificationParam, ClientCapabilities, ClientConfig,
        Implementation, ProgressNotificationParam, ProgressToken, ProtocolVersion, RequestId,
    },
    service::{NotificationContext, Peer},
};

use super::{offers_changed, server_log::ServerLog};
use crate::adapter::{ChangeSignal, Progress, ProgressSink};

/// What this client answers to the server's own messages.
#[derive(Clone)]
pub(super) struct ClientSide {
    pub(super) identity: Implementation,
    pub(super) generation: Arc<AtomicU64>,
    pub(super) changed: Arc<OnceLock<ChangeSignal>>,
    pub(super) listeners: Listeners,
    pub(super) log: Arc<Mutex<ServerLog>>,
}

/// Who wants the progress of which request.
pub(super) type Listeners = Arc<Mutex<HashMap<ProgressToken, ProgressSink>>>;

/// Stops listening when the request is over, however it ends.
pub(super) struct Listening {
    listeners: Listeners,
    token: ProgressToken,
}

impl Listening {
    pub(super) fn start(listeners: &Listeners, token: ProgressToken, sink: ProgressSink) -> Self {
        locked(listeners).insert(token.clone(), sink);
        Self {
            listeners: listeners.clone(),
            token,
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        locked(&self.listeners).remove(&self.token);
    }
}

fn locked(listeners: &Listeners) -> MutexGuard<'_, HashMap<ProgressToken, ProgressSink>> {
    listeners.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ClientHandler for ClientSide {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(ClientCapabilities::default(), self.identity.clone())
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let sink = locked(&self.listeners).get(&params.progress_token).cloned();
        if let Some(sink) = sink {
            sink(Progress {
                progress: params.progress,
                total: params.total,
                message: params.message,
            });
        }
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        offers_changed(&self.generation, &self.changed);
    }

    async fn on_resource_list_changed(&self, _context: NotificationContext<RoleClient>) {
        offers_changed(&self.generation, &self.changed);
    }

    async fn on_prompt_list_changed(&self, _context: NotificationContext<RoleClient>) {
        offers_changed(&self.generation, &self.changed);
    }

    #[expect(deprecated, reason = "older protocol versions have it")]
    async fn on_logging_message(
        &self,
        params: rmcp::model::LoggingMessageNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.write(params.level, params.logger.as_deref(), &params.data);
    }
}

/// Tells the server that nobody waits any more, when a request's future is dropped before its answer.
pub(super) struct CancelOnDrop {
    pub(super) peer: Peer<RoleClient>,
    pub(super) request: Option<RequestId>,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let Some(request) = self.request.take() else {
            return;
        };
        let peer = self.peer.clone();
        if let Ok(handle) = tokio::runtime::Handle::try_current() {
            handle.spawn(async move {
                // No reason is given: it could tell one service about another.
                let params = CancelledNotificationParam::new(Some(request), None);
                let _ = peer
                    .send_notification(CancelledNotification::new(params).into())
                    .await;
            });
        }
    }
}
