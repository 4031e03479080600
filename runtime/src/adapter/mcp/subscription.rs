//! Word of other tools, resources and prompts from a server of 2026-07-28, which says nothing unless it is asked to
//! (Subscriptions).

use rmcp::{
    RoleClient,
    model::{ProtocolVersion, SubscriptionFilter},
    service::Peer,
};

/// Has `changed` called for as long as the connection lasts. A server of an earlier version sends notifications unasked.
pub(super) fn follow(peer: Peer<RoleClient>, changed: impl Fn() + Send + 'static) {
    let Some(filter) = what_is_announced(&peer) else {
        return;
    };
    tokio::spawn(async move {
        let mut subscription = match peer.listen(filter).await {
            Ok(subscription) => subscription,
            Err(error) => return tracing::debug!(%error, "the server does not tell of changes"),
        };
        while let Ok(Some(_)) = subscription.next().await {
            changed();
        }
    });
}

fn what_is_announced(peer: &Peer<RoleClient>) -> Option<SubscriptionFilter> {
    let server = peer.peer_info()?;
    if server.protocol_version != ProtocolVersion::V_2026_07_28 {
        return None;
    }
    let may = &server.capabilities;
    let mut filter = SubscriptionFilter::new();
    filter.tools_list_changed = may.tools.as_ref().and_then(|tools| tools.list_changed);
    filter.prompts_list_changed = may
        .prompts
        .as_ref()
        .and_then(|prompts| prompts.list_changed);
    filter.resources_list_changed = may
        .resources
        .as_ref()
        .and_then(|resources| resources.list_changed);
    (filter != SubscriptionFilter::new()).then_some(filter)
}
