//! Who uses a connection, and since when nobody does.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// Counts the requests under way.
#[derive(Clone)]
pub(super) struct Usage(Arc<Mutex<State>>);

struct State {
    under_way: usize,
    last_end: Instant,
}

/// One request under way.
pub(super) struct InUse(Usage);

impl Default for Usage {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(State {
            under_way: 0,
            last_end: Instant::now(),
        })))
    }
}

impl Usage {
    /// Begins a request; it ends when the value is dropped.
    pub(super) fn begin(&self) -> InUse {
        self.lock().under_way += 1;
        InUse(self.clone())
    }

    /// How long nothing has been under way.
    pub(super) fn idle_for(&self) -> Duration {
        let state = self.lock();
        match state.under_way {
            0 => state.last_end.elapsed(),
            _ => Duration::ZERO,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.under_way = state.under_way.saturating_sub(1);
        state.last_end = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_begins_with_the_end_of_the_last_request() {
        let usage = Usage::default();
        let (first, second) = (usage.begin(), usage.begin());
        std::thread::sleep(Duration::from_millis(5));
        drop(first);
        assert_eq!(usage.idle_for(), Duration::ZERO);
        drop(second);
        std::thread::sleep(Duration::from_millis(5));
        assert!(usage.idle_for() >= Duration::from_millis(5));
    }
}
