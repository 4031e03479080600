//! How many requests are under way at the same time. An answer that is still being sent counts.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::access;

/// Room for so many.
#[derive(Clone)]
pub(super) struct Capacity(Arc<Semaphore>);

impl Capacity {
    pub(super) fn of(requests: usize) -> Self {
        Self(Arc::new(Semaphore::new(
            requests.min(Semaphore::MAX_PERMITS),
        )))
    }
}

/// 503 when there is no room.
pub(super) async fn admit(
    State(capacity): State<Capacity>,
    request: Request,
    next: Next,
) -> Response {
    let Ok(place) = capacity.0.try_acquire_owned() else {
        let mut refusal = access::error(
            StatusCode::SERVICE_UNAVAILABLE,
            "too many requests are under way; try again in a moment",
        );
        let soon = HeaderValue::from_static("1");
        refusal.headers_mut().insert(header::RETRY_AFTER, soon);
        return refusal;
    };
    let response = next.run(request).await;
    response.map(|body| {
        Body::new(Held {
            body,
            _place: place,
        })
    })
}

/// A body that holds a place until it has been sent, or nobody wants it any more.
struct Held {
    body: Body,
    _place: OwnedSemaphorePermit,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
