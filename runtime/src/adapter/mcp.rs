//! The client side of MCP, whatever the transport.

mod changes;
mod client_side;
mod failure;
mod listing;
mod over_http;
mod pages;
mod prompts;
mod resources;
mod result;
mod server_log;

use std::{
    sync::{
        Arc, OnceLock, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use rmcp::{
    RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, ClientRequest, Implementation, ProtocolVersion,
        ServerResult,
    },
    service::{
        ClientCacheConfig, ClientLifecycleMode, ClientServiceExt, Peer, PeerRequestOptions,
        RunningService,
    },
};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::{sync::Mutex, time::Instant};

use super::{
    Adapter, AuthState, CallContext, ChangeSignal, Children, ProgressSink, ShowUrl, StdioServer,
    backoff::Backoff,
    children::ChildHandle,
    mcp_http::HttpRoute,
    mcp_stdio::Owner,
    oauth::{Login, no_login},
    usage::Usage,
};
use crate::{
    catalog::Tool,
    reply::{Code, Failure, UpstreamResult},
};
use client_side::{CancelOnDrop, ClientSide, Listeners, Listening};
use failure::{NotConnected, call_failure, start_hint};
use listing::Offers;
use pages::Tools;
use result::to_json;
pub(super) use result::upstream_result;
use server_log::ServerLog;

/// How long a listing is believed when the server does not announce changes.
const LISTING_LIFETIME: Duration = Duration::from_secs(60);
const CLOSE_LIMIT: Duration = Duration::from_secs(2);
/// Whether a server is idle is looked at no more often than this.
const IDLE_CHECK: Duration = Duration::from_millis(10);

/// Which generations of the protocol a server is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, schemars::JsonSchema, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProtocolEra {
    /// Whichever the server speaks.
    #[default]
    Auto,
    /// Those with `initialize`, up to 2025-11-25.
    Legacy,
    /// 2026-07-28 and later.
    Modern,
}

/// Where the server is.
pub(crate) enum Server {
    /// A child process of a plugin.
    Stdio(StdioServer, Owner),
    /// An HTTP endpoint.
    Http(HttpRoute),
}

/// An MCP server as an adapter: connected on first use, again after its connection was lost.
pub struct McpAdapter {
    server: Server,
    children: Arc<Children>,
    identity: Implementation,
    generation: Arc<AtomicU64>,
    changed: Arc<OnceLock<ChangeSignal>>,
    listeners: Listeners,
    log: Arc<std::sync::Mutex<ServerLog>>,
    /// What it offers besides tools.
    offers: Offers,
    slot: Slot,
    /// The connection that was made last, for who must not wait until another one is made.
    latest: RwLock<Weak<Connection>>,
    usage: Usage,
    backoff: Backoff,
    /// Why the last list lacks a part.
    incomplete: std::sync::Mutex<Option<Failure>>,
    /// Its resources or prompts could not be listed the last time.
    offers_missing: AtomicBool,
    /// A child that is not used for so long is stopped, and started again on the next use.
    idle_limit: Option<Duration>,
}

/// What a connection is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    List,
    Call,
}

type Slot = Arc<Mutex<Option<Arc<Connection>>>>;

struct Connection {
    peer: Peer<RoleClient>,
    service: Mutex<RunningService<RoleClient, ClientSide>>,
    child: Option<ChildHandle>,
    since: Instant,
}

impl McpAdapter {
    pub(crate) fn new(
        server: Server,
        children: Arc<Children>,
        version: &str,
        idle_limit: Option<Duration>,
        plugin: &str,
    ) -> Self {
        Self {
            server,
            children,
            identity: Implementation::new("agent-tools-runtime", version.to_owned()),
            generation: Arc::default(),
            changed: Arc::default(),
            listeners: Arc::default(),
            log: Arc::new(std::sync::Mutex::new(ServerLog::new(plugin))),
            offers: Offers::default(),
            slot: Slot::default(),
            latest: RwLock::default(),
            usage: Usage::default(),
            backoff: Backoff::default(),
            incomplete: std::sync::Mutex::default(),
            offers_missing: AtomicBool::default(),
            idle_limit,
        }
    }

    fn incomplete(&self) -> std::sync::MutexGuard<'_, Option<Failure>> {
        self.incomplete
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The living connection, made now if there is none. Callers at the same time share one attempt.
    async fn connection(&self, purpose: Purpose) -> Result<Arc<Connection>, Failure> {
        let mut slot = self.slot.lock().await;
        if let Some(connection) = slot.as_ref()
            && !connection.peer.is_transport_closed()
        {
            return Ok(connection.clone());
        }
        if let Some(lost) = slot.take() {
            let now = Instant::now();
            let why = "it ended soon after it had started";
            self.backoff.ended(now, lost.since.elapsed(), why);
        }
        self.backoff.check(Instant::now())?;
        let connection = match self.connect().await {
            Ok(connection) => Arc::new(connection),
            Err(failure) => {
                // Who logs in, or changes a token, does not wait for the next try.
                if failure.code != Code::UpstreamAuth {
                    self.backoff.failed(Instant::now(), &failure.error);
                }
                return Err(failure);
            }
        };
        if purpose == Purpose::Call {
            // What was listed is another process's; this one may have other tools.
            self.generation.fetch_add(1, Ordering::Relaxed);
        }
        if let (Some(limit), Some(_)) = (self.idle_limit, &connection.child) {
            let connection = Arc::downgrade(&connection);
            let (slot, usage) = (self.slot.clone(), self.usage.clone());
            tokio::spawn(stop_when_idle(connection, slot, usage, limit));
        }
        *self.latest.write().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&connection);
        *slot = Some(connection.clone());
        Ok(connection)
    }

    /// Connects in the server's generation of the protocol.
    ///
    /// A child is asked the older way first: servers of that way may hang or end on a request that they do not know,
    /// while newer ones answer it with an error.
    async fn connect(&self) -> Result<Connection, Failure> {
        let newest = || vec![ProtocolVersion::V_2026_07_28];
        let modern = || ClientLifecycleMode::Discover {
            preferred_versions: newest(),
        };
        let era = match &self.server {
            Server::Stdio(server, _) => server.protocol_era,
            Server::Http(route) => route.protocol_era(),
        };
        match (era, &self.server) {
            (ProtocolEra::Legacy, _) => self.connect_as(ClientLifecycleMode::Initialize).await,
            (ProtocolEra::Modern, _) => self.connect_as(modern()).await,
            (ProtocolEra::Auto, Server::Http(_)) => {
                let lifecycle = ClientLifecycleMode::Auto {
                    preferred_versions: newest(),
                    legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
                };
                self.connect_as(lifecycle).await
            }
            (ProtocolEra::Auto, Server::Stdio(..)) => {
                match self.connect_as(ClientLifecycleMode::Initialize).await {
                    Err(NotConnected {
                        refused: true,
                        failure,
                        ..
                    }) => {
                        let modern = self.connect_as(modern()).await;
                        modern.map_err(|_| NotConnected::from(failure))
                    }
                    connected => connected,
                }
            }
        }
        .map_err(|not_connected| not_connected.failure)
    }

    fn login_of_server(&self) -> Result<&Login, Failure> {
        match &self.server {
            Server::Http(route) => route.login().ok_or_else(no_login),
            Server::Stdio(..) => Err(no_login()),
        }
    }

    async fn connect_as(&self, lifecycle: ClientLifecycleMode) -> Result<Connection, NotConnected> {
        let side = ClientSide {
            identity: self.identity.clone(),
            generation: self.generation.clone(),
            changed: self.changed.clone(),
            listeners: self.listeners.clone(),
            log: self.log.clone(),
        };
        let (service, child) = match &self.server {
            Server::Stdio(server, owner) => {
                let (transport, child) = server.start(owner, &self.children)?;
                match side.serve_with_lifecycle(transport, lifecycle).await {
                    Ok(service) => (service, Some(child)),
                    Err(error) => {
                        let mut not_connected = NotConnected::from(&error);
                        if !not_connected.refused
                            && let Some(why) = child.explain_exit().await
                        {
                            if let Some(hint) = start_hint(&why) {
                                not_connected.failure.hint = Some(hint.into());
                            }
                            not_connected.failure.error =
                                format!("the MCP server did not start: {why}");
                        }
                        return Err(not_connected);
                    }
                }
            }
            Server::Http(route) => (over_http::connect(route, side, lifecycle).await?, None),
        };
        let peer = service.peer().clone();
        // A cached list would hide a tool that the server has just added.
        peer.set_response_cache_config(ClientCacheConfig::disabled())
            .await;
        let (generation, changed) = (self.generation.clone(), self.changed.clone());
        changes::follow(&peer, move || offers_changed(&generation, &changed));
        Ok(Connection {
            peer,
            service: Mutex::new(service),
            child,
            since: Instant::now(),
        })
    }

    async fn request(
        &self,
        connection: &Connection,
        request: ClientRequest,
        progress: Option<&ProgressSink>,
    ) -> Result<ServerResult, Failure> {
        let sent = connection
            .peer
            .send_request_with_option(request, PeerRequestOptions::no_options())
            .await;
        let handle = match sent {
            Ok(handle) => handle,
            Err(error) => return Err(call_failure(connection, error).await),
        };
        let _listening = progress.map(|sink| {
            Listening::start(&self.listeners, handle.progress_token.clone(), sink.clone())
        });
        let mut guard = CancelOnDrop {
            peer: connection.peer.clone(),
            request: Some(handle.id.clone()),
        };
        let answer = handle.await_response().await;
        guard.request = None;
        match answer {
            Ok(result) => Ok(result),
            Err(error) => Err(call_failure(connection, error).await),
        }
    }
}

#[async_trait]
impl Adapter for McpAdapter {
    async fn list_tools(&self) -> Result<Vec<Tool>, Failure> {
        let _in_use = self.usage.begin();
        let connection = self.connection(Purpose::List).await?;
        if !Self::may_have_tools(&connection) {
            *self.incomplete() = None;
            return Ok(self.offered(&connection, &[]).await);
        }
        let Tools {
            mut tools,
            incomplete,
        } = self.all_tools(&connection).await?;
        *self.incomplete() = incomplete;
        let offered = self.offered(&connection, &tools).await;
        tools.extend(offered);
        Ok(tools)
    }

    async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        context: &CallContext,
    ) -> Result<UpstreamResult, Failure> {
        let _in_use = self.usage.begin();
        let connection = self.connection(Purpose::Call).await?;
        if let Some(offer) = self.offer(tool).await? {
            return self.take(&connection, offer, arguments).await;
        }
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        match self
            .request(&connection, request, context.progress.as_ref())
            .await?
        {
            ServerResult::InputRequiredResult(_) => Err(Failure::new(
                Code::UpstreamProtocol,
                format!("{tool} asks for more input while it runs, which is not supported yet"),
            )),
            result => upstream_result(&result),
        }
    }

    fn list_incomplete(&self) -> Option<Failure> {
        self.incomplete().clone()
    }

    fn lists_everything(&self) -> bool {
        self.incomplete().is_none() && !self.offers_missing.load(Ordering::Relaxed)
    }

    fn lists_data(&self, tool: &str) -> bool {
        self.offers_data(tool)
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    fn on_change(&self, changed: ChangeSignal) {
        let _ = self.changed.set(changed);
    }

    fn listing_lifetime(&self) -> Option<Duration> {
        Some(LISTING_LIFETIME)
    }

    fn auth(&self) -> Option<AuthState> {
        match &self.server {
            Server::Http(route) => route.auth(),
            Server::Stdio(..) => None,
        }
    }

    async fn login(&self, show: ShowUrl) -> Result<Value, Failure> {
        self.login_of_server()?.log_in(show).await
    }

    async fn logout(&self) -> Result<Value, Failure> {
        self.login_of_server()?.log_out().await
    }

    async fn close(&self) {
        let connection = self.slot.lock().await.take();
        if let Some(connection) = connection {
            connection.close().await;
        }
    }

    fn running(&self) -> Option<bool> {
        let latest = self.latest.read().unwrap_or_else(PoisonError::into_inner);
        let latest = latest.upgrade();
        Some(latest.is_some_and(|connection| !connection.peer.is_transport_closed()))
    }
}

impl Connection {
    async fn close(&self) {
        let mut service = self.service.lock().await;
        let _ = service.close_with_timeout(CLOSE_LIMIT).await;
        if let Some(child) = &self.child {
            child.stop().await;
        }
    }
}

/// What the server offers is not what it was.
fn offers_changed(generation: &AtomicU64, changed: &OnceLock<ChangeSignal>) {
    generation.fetch_add(1, Ordering::Relaxed);
    if let Some(changed) = changed.get() {
        changed();
    }
}

/// Ends a connection that nobody has used for so long. It is made again on the next use.
async fn stop_when_idle(connection: Weak<Connection>, slot: Slot, usage: Usage, limit: Duration) {
    loop {
        tokio::time::sleep(limit.saturating_sub(usage.idle_for()).max(IDLE_CHECK)).await;
        let mut slot = slot.lock().await;
        let Some(connection) = connection.upgrade() else {
            return;
        };
        if !slot
            .as_ref()
            .is_some_and(|current| Arc::ptr_eq(current, &connection))
        {
            return;
        }
        // Who wants the connection now waits for the slot and makes a new one.
        if usage.idle_for() >= limit {
            slot.take();
            drop(slot);
            tracing::debug!("a server that was not used for {limit:?} is stopped");
            return connection.close().await;
        }
    }
}
