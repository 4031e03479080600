//! Server-sent events: pieces of one answer, as they come up.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::header,
    response::{IntoResponse, Response},
};
use futures_util::stream;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_util::sync::CancellationToken;

use super::{Page, refusal::Refusal};

/// Events that wait to be sent.
const WAITING: usize = 64;
/// A silent stream says so often that it is there: a reader that is gone shows by that.
const SILENCE: Duration = Duration::from_secs(15);
/// What is under way when the runtime closes has this long to say how it ended.
const LAST_WORD: Duration = Duration::from_millis(500);

/// Where the events of one stream go.
#[derive(Clone)]
pub(super) struct Events(mpsc::Sender<Bytes>);

impl Events {
    /// False when nobody reads them any more.
    pub(super) async fn send(&self, name: &str, data: &Value) -> bool {
        self.0.send(written(name, data)).await.is_ok()
    }

    /// An event that may be left out where the reader does not keep up.
    pub(super) fn try_send(&self, name: &str, data: &Value) {
        let _ = self.0.try_send(written(name, data));
    }

    /// Waits until nobody reads them any more.
    pub(super) async fn unread(&self) {
        self.0.closed().await;
    }
}

/// JSON texts of this program hold no line breaks.
fn written(name: &str, data: &Value) -> Bytes {
    format!("event: {name}\ndata: {data}\n\n").into()
}

struct Reading {
    events: mpsc::Receiver<Bytes>,
    shutdown: CancellationToken,
    _place: OwnedSemaphorePermit,
}

impl Reading {
    async fn next(&mut self) -> Option<Bytes> {
        tokio::select! {
            biased;
            event = self.events.recv() => event,
            () = self.shutdown.cancelled() => {
                tokio::time::timeout(LAST_WORD, self.events.recv()).await.ok().flatten()
            }
            () = tokio::time::sleep(SILENCE) => Some(Bytes::from_static(b":\n\n")),
        }
    }
}

/// Answers with what `produce` sends, until that ends or the runtime closes.
pub(super) fn stream<F>(page: &Page, produce: impl FnOnce(Events) -> F) -> Result<Response, Refusal>
where
    F: Future<Output = ()> + Send + 'static,
{
    let place = page.0.streams.clone().try_acquire_owned();
    let (sender, events) = mpsc::channel(WAITING);
    let reading = Reading {
        events,
        shutdown: page.runtime().shutdown_token(),
        _place: place.map_err(|_| Refusal::Busy)?,
    };
    tokio::spawn(produce(Events(sender)));
    let body = stream::unfold(reading, |mut reading| async {
        let event = reading.next().await?;
        Some((Ok::<_, std::convert::Infallible>(event), reading))
    });
    let kind = [(header::CONTENT_TYPE, "text/event-stream")];
    Ok((kind, Body::from_stream(body)).into_response())
}
