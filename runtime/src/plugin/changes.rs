//! Word of a change: plugins came or went, or what one of them offers is not what it was.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

/// Called after a change. It must not wait for anything.
pub type ChangeListener = Arc<dyn Fn() + Send + Sync>;

/// Where changes are announced. Cloning gives another handle to the same place.
#[derive(Clone)]
pub(crate) struct Changes(Arc<Inner>);

struct Inner {
    count: watch::Sender<u64>,
    listeners: Mutex<Vec<ChangeListener>>,
}

impl Default for Changes {
    fn default() -> Self {
        Self(Arc::new(Inner {
            count: watch::Sender::new(0),
            listeners: Mutex::default(),
        }))
    }
}

impl Changes {
    /// Tells everybody.
    pub(crate) fn announce(&self) {
        self.0.count.send_modify(|count| *count += 1);
        for listener in self.listeners().clone() {
            listener();
        }
    }

    /// Sees how many changes there have been, and waits for the next.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.count.subscribe()
    }

    /// Adds someone to tell.
    pub(crate) fn tell(&self, listener: ChangeListener) {
        self.listeners().push(listener);
    }

    /// Nobody is told any more.
    pub(crate) fn forget_listeners(&self) {
        self.listeners().clear();
    }

    fn listeners(&self) -> std::sync::MutexGuard<'_, Vec<ChangeListener>> {
        self.0
            .listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
