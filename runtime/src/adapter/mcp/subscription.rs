//! Word of other tools, resources and prompts from a server of 2026-07-28, which says nothing unless it is asked to
//! (Subscriptions).

use std::time::Duration;

use rmcp::{
    RoleClient,
    model::{ServerCapabilities, SubscriptionFilter},
    service::{Peer, ServiceError},
};

use super::ClientSide;

/// A subscription that ends is made again after 1, 2, 4, … seconds, and no more after so many that brought nothing.
const MAX_USELESS: u32 = 6;

/// Listens for as long as the connection lasts. A server of an earlier version sends notifications unasked.
pub(super) fn follow(peer: Peer<RoleClient>, side: ClientSide) {
    let Some(server) = peer.peer_info() else {
        return;
    };
    let filter = announced(&server.capabilities);
    if server.protocol_version.has_initialize() || filter == SubscriptionFilter::default() {
        return;
    }
    tokio::spawn(async move {
        let mut useless = 0;
        while useless < MAX_USELESS && !peer.is_transport_closed() {
            match peer.listen(filter.clone()).await {
                Ok(mut subscription) => {
                    while let Ok(Some(_)) = subscription.next().await {
                        side.offers_changed();
                        useless = 0;
                    }
                }
                Err(ServiceError::McpError(error)) => {
                    return tracing::debug!(%error, "the server does not tell of changes");
                }
                Err(error) => {
                    tracing::debug!(%error, "the server's word of changes cannot be heard")
                }
            }
            tokio::time::sleep(Duration::from_secs(1 << useless)).await;
            useless += 1;
        }
    });
}

/// The lists of which the server announces changes.
fn announced(has: &ServerCapabilities) -> SubscriptionFilter {
    let wanted =
        |announces: Option<Option<bool>>| announces.flatten().filter(|announces| *announces);
    let mut filter = SubscriptionFilter::new();
    filter.tools_list_changed = wanted(has.tools.as_ref().map(|tools| tools.list_changed));
    filter.prompts_list_changed = wanted(has.prompts.as_ref().map(|prompts| prompts.list_changed));
    filter.resources_list_changed = wanted(
        has.resources
            .as_ref()
            .map(|resources| resources.list_changed),
    );
    filter
}
