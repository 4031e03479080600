//! The handshake with a server behind a URL, over the transport that it speaks.

use std::sync::Arc;

use rmcp::{
    RoleClient,
    service::{ClientLifecycleMode, ClientServiceExt, RunningService},
};

use super::{ClientSide, failure::NotConnected, offers_changed};
use crate::adapter::{
    mcp_http::{HttpRoute, HttpTransport},
    mcp_sse::SseTransport,
};

type Service = RunningService<RoleClient, ClientSide>;

/// Connects over the configured transport. Where none is, it is Streamable HTTP, and HTTP+SSE for servers that refuse that.
pub(super) async fn connect(
    route: &HttpRoute,
    side: ClientSide,
    lifecycle: ClientLifecycleMode,
) -> Result<Service, NotConnected> {
    match route.transport() {
        HttpTransport::StreamableHttp => streamable(route, side, lifecycle).await,
        HttpTransport::Sse => {
            let connected = sse(route, side).await;
            if connected.is_err() {
                route.forget_transport();
            }
            connected
        }
        HttpTransport::Auto => match streamable(route, side.clone(), lifecycle).await {
            Err(first) if first.may_be_older_transport() => match sse(route, side).await {
                Ok(service) => {
                    route.remember_sse();
                    Ok(service)
                }
                Err(second) => Err(first.and_over_sse(&second)),
            },
            connected => connected,
        },
    }
}

async fn streamable(
    route: &HttpRoute,
    side: ClientSide,
    lifecycle: ClientLifecycleMode,
) -> Result<Service, NotConnected> {
    let (generation, changed) = (side.generation.clone(), side.changed.clone());
    let renewed = Arc::new(move || offers_changed(&generation, &changed));
    let transport = route.streamable(renewed)?;
    let connected = side.serve_with_lifecycle(transport, lifecycle).await;
    connected.map_err(|error| NotConnected::from(&error))
}

/// Servers of that transport are older than every other handshake.
async fn sse(route: &HttpRoute, side: ClientSide) -> Result<Service, NotConnected> {
    let transport = SseTransport::connect(&route.endpoint()?).await;
    let transport = transport.map_err(|error| NotConnected::from(&error))?;
    let connected = side
        .serve_with_lifecycle(transport, ClientLifecycleMode::Initialize)
        .await;
    connected.map_err(|error| NotConnected::from(&error))
}
