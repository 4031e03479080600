//! Word of other tools from a server of 2026-07-28, which says nothing unless it is asked to (Subscriptions).

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU64, Ordering},
};

use rmcp::{
    RoleClient,
    model::{ProtocolVersion, ServerNotification, SubscriptionFilter},
    service::Peer,
};

use crate::adapter::ChangeSignal;

/// Listens for as long as the connection lasts. A server of an earlier version sends notifications unasked.
pub(super) fn follow_tools(
    peer: Peer<RoleClient>,
    generation: Arc<AtomicU64>,
    changed: Arc<OnceLock<ChangeSignal>>,
) {
    if !announces_changes(&peer) {
        return;
    }
    tokio::spawn(async move {
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        let mut subscription = match peer.listen(filter).await {
            Ok(subscription) => subscription,
            Err(error) => return tracing::debug!(%error, "the server does not tell of changes"),
        };
        while let Ok(Some(notification)) = subscription.next().await {
            if matches!(
                notification,
                ServerNotification::ToolListChangedNotification(_)
            ) {
                generation.fetch_add(1, Ordering::Relaxed);
                if let Some(changed) = changed.get() {
                    changed();
                }
            }
        }
    });
}

fn announces_changes(peer: &Peer<RoleClient>) -> bool {
    peer.peer_info().is_some_and(|server| {
        let tools = server.capabilities.tools.as_ref();
        server.protocol_version == ProtocolVersion::V_2026_07_28
            && tools.and_then(|tools| tools.list_changed) == Some(true)
    })
}
