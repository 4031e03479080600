//! The connections of the HTTP transport: how many there are, and how long a client may keep one without using it.

use std::{io, sync::Arc, time::Duration};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;

/// The line of a request and all its headers, in bytes. There are a hundred headers at most, by the HTTP library.
const MAX_HEAD: usize = 32 * 1024;
const MAX_BUFFER: usize = 64 * 1024;
/// Clients that are told at the same time that there is no room; further ones are just dropped.
const REFUSALS: usize = 64;
/// How long such a client may take to read it.
const REFUSAL_LIMIT: Duration = Duration::from_secs(1);
/// When the system has no room for another connection.
const PAUSE: Duration = Duration::from_millis(500);
const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// What clients may take up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Connections at the same time.
    pub connections: usize,
    /// How long a client may take for the head of a request, stay silent before the next one, or take nothing of an answer.
    pub patience: Duration,
}

/// Serves until `shutdown`, and then what is under way.
pub(super) async fn serve(
    listener: TcpListener,
    app: Router,
    limits: Limits,
    shutdown: CancellationToken,
) {
    let room = Arc::new(Semaphore::new(
        limits.connections.min(Semaphore::MAX_PERMITS),
    ));
    let refusals = Arc::new(Semaphore::new(REFUSALS));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            biased;
            () = shutdown.cancelled() => break,
            // What has ended needs no place in the set.
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                if !is_of_one_client(&error) {
                    tracing::error!(%error, "no connection can be accepted");
                    tokio::time::sleep(PAUSE).await;
                }
                continue;
            }
        };
        // Without this, Nagle's algorithm and the peer's delayed acknowledgement cost 40 ms a call.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "TCP_NODELAY is not to be had");
        }
        if let Ok(place) = room.clone().try_acquire_owned() {
            let connection = connection(stream, app.clone(), limits, shutdown.clone());
            connections.spawn(async move {
                connection.await;
                drop(place);
            });
        } else if let Ok(place) = refusals.clone().try_acquire_owned() {
            connections.spawn(async move {
                let _ = tokio::time::timeout(REFUSAL_LIMIT, refuse(stream)).await;
                drop(place);
            });
        }
    }
    drop(listener);
    while connections.join_next().await.is_some() {}
}

/// Serves one client until it leaves, or `shutdown`.
pub(super) async fn connection(
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
    app: Router,
    limits: Limits,
    shutdown: CancellationToken,
) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.patience));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.patience)
        .max_header_size(MAX_HEAD)
        .max_buf_size(MAX_BUFFER)
        // One buffer: with several, hyper writes the answer to what is no request into one that still waits for its client.
        .writev(false)
        .serve_connection(
            TokioIo::new(Box::pin(stream)),
            TowerToHyperService::new(app),
        );
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = shutdown.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended");
    }
}

/// Says that there is no room. What the client has sent is read, as unread data would make the system take the answer back.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(BUSY).await?;
    stream.shutdown().await?;
    let mut ignored = [0; 4096];
    while stream.read(&mut ignored).await? > 0 {}
    Ok(())
}

fn is_of_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
