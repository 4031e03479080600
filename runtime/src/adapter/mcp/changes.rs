//! Changes of a server's lists, in the protocol without sessions: there a client subscribes to them (MCP specification
//! 2026-07-28, `subscriptions/listen`). In the older ones they come by themselves.

use std::time::Duration;

use rmcp::{
    RoleClient,
    model::{ServerCapabilities, SubscriptionFilter},
    service::{Peer, ServiceError},
};

/// A subscription that ends is made again after 1, 2, 4, … seconds, and no more after so many that brought nothing.
const MAX_USELESS: u32 = 6;

/// Has `changed` called with every change, until the connection ends.
pub(super) fn follow(peer: &Peer<RoleClient>, changed: impl Fn() + Send + 'static) {
    let Some(info) = peer.peer_info() else { return };
    let filter = announced(&info.capabilities);
    if info.protocol_version.has_initialize() || filter == SubscriptionFilter::default() {
        return;
    }
    let peer = peer.clone();
    tokio::spawn(async move {
        let mut useless = 0;
        while useless < MAX_USELESS && !peer.is_transport_closed() {
            match peer.listen(filter.clone()).await {
                Ok(mut subscription) => {
                    while let Ok(Some(_)) = subscription.next().await {
                        changed();
                        useless = 0;
                    }
                }
                Err(ServiceError::McpError(error)) => {
                    tracing::debug!(%error, "an MCP server takes no subscription to its lists");
                    return;
                }
                Err(_) => {}
            }
            tokio::time::sleep(Duration::from_secs(1 << useless)).await;
            useless += 1;
        }
    });
}

/// The lists of which the server announces changes.
fn announced(has: &ServerCapabilities) -> SubscriptionFilter {
    let mut filter = SubscriptionFilter::new();
    let wanted =
        |announces: Option<Option<bool>>| announces.flatten().filter(|announces| *announces);
    filter.tools_list_changed = wanted(has.tools.as_ref().map(|tools| tools.list_changed));
    filter.prompts_list_changed = wanted(has.prompts.as_ref().map(|prompts| prompts.list_changed));
    filter.resources_list_changed = wanted(
        has.resources
            .as_ref()
            .map(|resources| resources.list_changed),
    );
    filter
}
