//! The stream of a server's own messages. The protocol crate opens it again when it ends, at once where it broke off, so a
//! server that ends every one has to be left alone.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream::BoxStream};
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::Sse;

use crate::adapter::event_stream::{Broken, Event, EventStream};

/// A stream that ends sooner, without a message, was of no use.
const USEFUL: Duration = Duration::from_secs(5);
/// After so many useless ones in a row no further is opened.
const MAX_USELESS: usize = 5;

/// How many streams of a server were of no use, one after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Useless(Arc<AtomicUsize>);

impl Useless {
    /// Whether there were too many.
    pub(super) fn too_many(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= MAX_USELESS
    }
}

struct ServerStream {
    events: EventStream,
    opened: Instant,
    useful: bool,
    useless: Useless,
}

/// The events as the protocol crate wants them.
pub(super) fn server_events(
    events: EventStream,
    useless: Useless,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let stream = ServerStream {
        events,
        opened: Instant::now(),
        useful: false,
        useless,
    };
    futures_util::stream::unfold(stream, |mut stream| async {
        Some((stream.next().await?, stream))
    })
    .boxed()
}

impl ServerStream {
    async fn next(&mut self) -> Option<Result<Sse, SseError>> {
        let next = self.events.next().await;
        match &next {
            Ok(Some(event)) if event.is_message() => self.useful = true,
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => self.ended(),
        }
        next.transpose().map(|event: Result<Event, Broken>| {
            event
                .map(sse)
                .map_err(|broken| SseError::Body(Box::new(broken)))
        })
    }

    fn ended(&mut self) {
        match self.useful || self.opened.elapsed() >= USEFUL {
            true => self.useless.0.store(0, Ordering::Relaxed),
            false => {
                self.useless.0.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

fn sse(event: Event) -> Sse {
    let milliseconds = |wait: Duration| wait.as_millis().try_into().ok();
    Sse {
        event: event.name,
        data: Some(event.data).filter(|data| !data.trim().is_empty()),
        id: event.id,
        retry: event.retry.and_then(milliseconds),
    }
}
