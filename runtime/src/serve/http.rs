//! MCP over Streamable HTTP: `/mcp` for all plugins, `/mcp/<prefix>` for one.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    Router,
    extract::{Path, Query, Request, State, rejection::QueryRejection},
    http::StatusCode,
    middleware::{self, Next},
    response::Response,
    serve::ListenerExt,
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use serde::Deserialize;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::{
    access::{self, Token},
    body::{self, Limit},
    handler::Handler,
    origin::{self, Allowed},
};
use crate::{Code, Failure, Runtime, View, ViewKind, redacted::Redacted};

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
    /// More values of the `Host` header to accept, `name` or `name:port`.
    pub allowed_hosts: Vec<String>,
    /// More values of the `Origin` header to accept, such as `https://app.example.com:443`.
    pub allowed_origins: Vec<String>,
    /// The longest request body, in bytes.
    pub max_body_bytes: usize,
}

impl fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpOptions")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("token", &self.token.as_ref().map(|_| Redacted))
            .field("allowed_hosts", &self.allowed_hosts)
            .field("allowed_origins", &self.allowed_origins)
            .field("max_body_bytes", &self.max_body_bytes)
            .finish()
    }
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".into(),
            port: 8321,
            token: None,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            max_body_bytes: DEFAULT_BODY_LIMIT,
        }
    }
}

/// A listening server. It stops when the runtime closes.
#[derive(Debug)]
pub struct HttpServer {
    /// Where it listens.
    pub address: SocketAddr,
    task: JoinHandle<()>,
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
    let listener = bind(&options).await?;
    let address = listener.local_addr().map_err(|error| {
        Failure::new(Code::BindFailed, format!("the address is unknown: {error}"))
    })?;
    let shutdown = runtime.shutdown_token();
    let app = router(runtime.clone(), &options, shutdown.clone());
    // Without this, Nagle's algorithm and the peer's delayed acknowledgement cost 40 ms a call.
    let listener = listener.tap_io(|stream| {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY is not to be had");
        }
    });
    let task = tokio::spawn(async move {
        let served = axum::serve(listener, app)
            .with_graceful_shutdown(shutdown.cancelled_owned())
            .await;
        if let Err(error) = served {
            tracing::error!(%error, "the HTTP server ended");
        }
    });
    Ok(HttpServer { address, task })
}

async fn bind(options: &HttpOptions) -> Result<TcpListener, Failure> {
    let host = options.host.trim_start_matches('[').trim_end_matches(']');
    let loopback = host == "localhost"
        || host
            .parse::<IpAddr>()
            .is_ok_and(|address| address.is_loopback());
    if !loopback && options.token.is_none() {
        return Err(Failure::new(
            Code::ConfigInvalid,
            format!("listening on {host} would let other machines in, and no token is set"),
        )
        .with_hint("Set a token (--token, AGENT_TOOLS_HTTP_TOKEN), or listen on 127.0.0.1."));
    }
    TcpListener::bind((host, options.port)).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            Failure::new(Code::PortInUse, format!("port {} on {host} is taken by another program", options.port))
                .with_hint("Choose another one (--port, AGENT_TOOLS_HTTP_PORT; 0 takes a free one), or stop that program.")
        }
        _ => Failure::new(Code::BindFailed, format!("{host}:{} cannot be listened on: {error}", options.port))
            .with_hint("Check the address; ports below 1024 need special rights."),
    })
}

fn router(runtime: Runtime, options: &HttpOptions, shutdown: CancellationToken) -> Router {
    let served = runtime.clone();
    // Stateless: the newest protocol has no sessions, and older clients leave theirs behind.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(options.max_body_bytes)
        .with_cancellation_token(shutdown)
        // Both are checked first of all, by `origin`.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let service = StreamableHttpService::new(
        move || Ok(Handler::new(served.clone(), View::default())),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    Router::new()
        .route_service("/mcp", service.clone())
        .route_service("/mcp/", service.clone())
        .route_service("/mcp/{prefix}", service.clone())
        .route_service("/mcp/{prefix}/", service)
        .layer(middleware::from_fn_with_state(
            Limit(options.max_body_bytes),
            body::read,
        ))
        .layer(middleware::from_fn_with_state(runtime, choose_view))
        .layer(middleware::from_fn(access::accept_leniently))
        .layer(middleware::from_fn(access::only_post))
        .layer(middleware::from_fn_with_state(
            Token(options.token.as_deref().map(Arc::from)),
            access::require_token,
        ))
        .layer(middleware::from_fn_with_state(
            allowed(options),
            origin::check,
        ))
        .fallback(|| async {
            access::error(
                StatusCode::NOT_FOUND,
                "nothing is here; the endpoints are /mcp and /mcp/<prefix>",
            )
        })
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
    State(runtime): State<Runtime>,
    prefix: Option<Path<String>>,
    query: Result<Query<ViewQuery>, QueryRejection>,
    mut request: Request,
    next: Next,
) -> Response {
    let Ok(Query(query)) = query else {
        return access::error(
            StatusCode::BAD_REQUEST,
            "the query parameter view is facade or flat",
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
        ViewKind::Facade
    });
    request.extensions_mut().insert(View { kind, plugin });
    next.run(request).await
}
