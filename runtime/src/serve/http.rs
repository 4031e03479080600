//! MCP over Streamable HTTP: `/mcp` for all plugins, `/mcp/<prefix>` for one.

use std::{fmt, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Path, Query, Request, State, rejection::QueryRejection},
    http::StatusCode,
    middleware::{self, Next},
    response::Response,
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use serde::Deserialize;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{
    access::{self, Token},
    body::{self, Limit},
    capacity::{self, Capacity},
    connections::{self, Limits},
    elicitation::Seal,
    handler::Handler,
    listener, metrics,
    origin::{self, Allowed},
    page::{self, Page},
};
use crate::{Code, Failure, Runtime, View, ViewKind, redacted::Redacted, secrets};

const DEFAULT_BODY_LIMIT: usize = 4 * 1024 * 1024;

/// How to listen. Every field may be absent.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct HttpOptions {
    /// Address or `localhost`.
    pub host: String,
    /// 0 takes a free port.
    pub port: u16,
    /// A bearer token that every request must carry. Needed to listen beyond this machine.
    pub token: Option<String>,
    /// Whether `confirm: true` stands for the yes of a person whom the client has asked. Needs a token, as whoever reaches the
    /// server consents to everything.
    pub approved_by_client: bool,
    /// More values of the `Host` header to accept, `name` or `name:port`.
    pub allowed_hosts: Vec<String>,
    /// More values of the `Origin` header to accept, such as `https://app.example.com:443`.
    pub allowed_origins: Vec<String>,
    /// The longest request body, in bytes.
    pub max_body_bytes: usize,
    /// Connections at the same time; further ones are refused.
    pub max_connections: usize,
    /// Requests under way at the same time, answers that are still being sent included; further ones are refused.
    pub max_requests: usize,
    /// How long a client may take for the head of a request and for its body, stay silent before the next request, and
    /// take nothing of an answer, in milliseconds each.
    pub client_timeout_ms: u64,
    /// Which tools `/mcp` shows where the request does not say; what the runtime was configured with when absent.
    pub view: Option<ViewKind>,
    /// Whether `GET /metrics` answers with counts for Prometheus; under the same rules as `/mcp`.
    pub metrics: bool,
    /// Whether `GET /` answers with the page of the runtime. When absent, where only this machine reaches the server.
    pub page: Option<bool>,
}

impl fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpOptions")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("token", &self.token.as_ref().map(|_| Redacted))
            .field("approved_by_client", &self.approved_by_client)
            .field("allowed_hosts", &self.allowed_hosts)
            .field("allowed_origins", &self.allowed_origins)
            .field("max_body_bytes", &self.max_body_bytes)
            .field("max_connections", &self.max_connections)
            .field("max_requests", &self.max_requests)
            .field("client_timeout_ms", &self.client_timeout_ms)
            .field("view", &self.view)
            .field("metrics", &self.metrics)
            .field("page", &self.page)
            .finish()
    }
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".into(),
            port: 8321,
            token: None,
            approved_by_client: false,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            max_body_bytes: DEFAULT_BODY_LIMIT,
            max_connections: 512,
            max_requests: 256,
            client_timeout_ms: 30_000,
            view: None,
            metrics: false,
            page: None,
        }
    }
}

impl HttpOptions {
    fn patience(&self) -> Duration {
        Duration::from_millis(self.client_timeout_ms)
    }

    pub(super) fn body(&self) -> Limit {
        Limit {
            bytes: self.max_body_bytes,
            patience: self.patience(),
        }
    }

    pub(super) fn limits(&self) -> Limits {
        Limits {
            connections: self.max_connections,
            patience: self.patience(),
        }
    }
}

/// A listening server. It stops when the runtime closes.
pub struct HttpServer {
    /// Where it listens.
    pub address: SocketAddr,
    /// The link to the page, with its token, where there is a page.
    pub page_url: Option<String>,
    task: JoinHandle<()>,
}

impl fmt::Debug for HttpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServer")
            .field("address", &self.address)
            .field("page_url", &self.page_url.as_ref().map(|_| Redacted))
            .finish_non_exhaustive()
    }
}

impl HttpServer {
    /// The endpoint of all plugins.
    pub fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    /// Waits until the server has stopped.
    pub async fn stopped(self) {
        // A panic of the task is reported by the runtime it ran on.
        let _ = self.task.await;
    }
}

/// Starts the server; returns when it listens.
pub async fn serve_http(runtime: &Runtime, options: HttpOptions) -> Result<HttpServer, Failure> {
    check_approval(&options)?;
    if let Some(token) = &options.token {
        secrets::remember(token);
    }
    let listener = listener::listen(&options).await?;
    let address = listener.local_addr().map_err(|error| {
        Failure::new(Code::BindFailed, format!("the address is unknown: {error}"))
    })?;
    let shutdown = runtime.shutdown_token();
    let seal = Arc::new(Seal::new()?);
    let page = match options
        .page
        .unwrap_or(address.ip().to_canonical().is_loopback())
    {
        true => Some(Page::new(runtime.clone(), options.body())?),
        false => None,
    };
    let app = router(
        runtime.clone(),
        seal,
        &options,
        page.as_ref(),
        shutdown.clone(),
    );
    let task = tokio::spawn(connections::serve(
        listener,
        app,
        options.limits(),
        shutdown,
    ));
    Ok(HttpServer {
        address,
        page_url: page.map(|page| page.link(address)),
        task,
    })
}

fn check_approval(options: &HttpOptions) -> Result<(), Failure> {
    let open = options.token.as_deref().is_none_or(str::is_empty);
    match options.approved_by_client && open {
        false => Ok(()),
        true => Err(Failure::new(
            Code::ConfigInvalid,
            "a client's `confirm: true` would stand for a person's yes, and no token is set: any program could consent",
        )
        .with_hint("Set a token that the client alone knows (--token, AGENT_TOOLS_HTTP_TOKEN), or leave --approved-by-client out.")),
    }
}

/// `page`: what `GET /` answers with, where it is to.
pub(super) fn router(
    runtime: Runtime,
    seal: Arc<Seal>,
    options: &HttpOptions,
    page: Option<&Page>,
    shutdown: CancellationToken,
) -> Router {
    let served = runtime.clone();
    let view = options.view.or_else(|| runtime.configured_view());
    let view = view.unwrap_or_default();
    // Stateless: the newest protocol has no sessions, and older clients leave theirs behind.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(options.max_body_bytes)
        .with_cancellation_token(shutdown)
        // Both are checked first of all, by `origin`.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let approved = options.approved_by_client;
    let service = StreamableHttpService::new(
        move || {
            let handler = Handler::new(served.clone(), View::default(), seal.clone());
            Ok(handler.approved_by_client(approved))
        },
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let metrics = match options.metrics {
        true => metrics::router(runtime.clone()),
        false => Router::new(),
    };
    let capacity =
        middleware::from_fn_with_state(Capacity::of(options.max_requests), capacity::admit);
    // Who has the page's token needs no other, and browsers ask for a page without any.
    let page = page
        .map_or_else(Router::new, page::router)
        .layer(capacity.clone());
    Router::new()
        .route_service("/mcp", service.clone())
        .route_service("/mcp/", service.clone())
        .route_service("/mcp/{prefix}", service.clone())
        .route_service("/mcp/{prefix}/", service)
        .layer(middleware::from_fn_with_state(options.body(), body::read))
        .layer(middleware::from_fn_with_state((runtime, view), choose_view))
        .layer(capacity)
        .layer(middleware::from_fn(access::accept_leniently))
        .layer(middleware::from_fn(access::only_post))
        .merge(metrics)
        .layer(middleware::from_fn_with_state(
            Token(options.token.as_deref().map(Arc::from)),
            access::require_token,
        ))
        .merge(page)
        .layer(middleware::from_fn_with_state(
            allowed(options),
            origin::check,
        ))
        .fallback(access::nothing_here)
}

/// What is allowed besides this machine. The address that the server listens on is one of its names.
fn allowed(options: &HttpOptions) -> Allowed {
    let own =
        Some(&options.host).filter(|host| !matches!(host.as_str(), "0.0.0.0" | "::" | "[::]"));
    let hosts = options.allowed_hosts.iter().chain(own).cloned().collect();
    Allowed {
        hosts,
        origins: options.allowed_origins.clone().into(),
    }
}

#[derive(Deserialize)]
struct ViewQuery {
    view: Option<ViewKind>,
}

/// Puts the request's view where the handler finds it.
async fn choose_view(
    State((runtime, default)): State<(Runtime, ViewKind)>,
    prefix: Option<Path<String>>,
    query: Result<Query<ViewQuery>, QueryRejection>,
    mut request: Request,
    next: Next,
) -> Response {
    let Ok(Query(query)) = query else {
        return access::error(
            StatusCode::BAD_REQUEST,
            "the query parameter view is facade, unified, flat or auto",
        );
    };
    let plugin = prefix.map(|Path(prefix)| prefix);
    if let Some(prefix) = &plugin
        && !runtime.has_plugin(prefix)
    {
        return access::error(
            StatusCode::NOT_FOUND,
            &format!(
                "there is no plugin {prefix:?}; POST to /mcp and call agent_tools_help for a list"
            ),
        );
    }
    // A client that connects to one plugin searches its tools by itself.
    let kind = query.view.unwrap_or(if plugin.is_some() {
        ViewKind::Flat
    } else {
        default
    });
    request.extensions_mut().insert(View { kind, plugin });
    next.run(request).await
}
