//! How soon a service that keeps failing to start is tried again: at once, then after a second, two, four, … a minute.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use crate::reply::{Code, Failure};

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// A service that lived longer did not fail to start, whatever ended it.
const STABLE_AFTER: Duration = Duration::from_secs(30);

/// The recent starts of one service.
#[derive(Default)]
pub(super) struct Backoff(Mutex<State>);

#[derive(Default)]
struct State {
    failures: u32,
    not_before: Option<Instant>,
    why: String,
}

impl Backoff {
    /// Whether a start may be tried `now`.
    pub(super) fn check(&self, now: Instant) -> Result<(), Failure> {
        let state = self.lock();
        match state.not_before {
            Some(then) if now < then => {
                let wait = then - now;
                Err(Failure::new(
                    Code::PluginUnavailable,
                    format!(
                        "{}; it has failed {} times in a row and is started again in {:.1} s at the earliest",
                        state.why,
                        state.failures,
                        wait.as_secs_f32()
                    ),
                )
                .with("retryAfterMs", u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)))
            }
            _ => Ok(()),
        }
    }

    /// A start failed `now`.
    pub(super) fn failed(&self, now: Instant, why: &str) {
        let mut state = self.lock();
        state.failures = state.failures.saturating_add(1);
        why.clone_into(&mut state.why);
        // The first failure may be a matter of the moment.
        state.not_before = state.failures.checked_sub(2).map(|again| {
            let pause = FIRST_PAUSE.saturating_mul(1 << again.min(10));
            now + pause.min(LONGEST_PAUSE)
        });
    }

    /// A service that had started has ended by itself after `lived`; that is noticed `now`.
    pub(super) fn ended(&self, now: Instant, lived: Duration, why: &str) {
        if lived >= STABLE_AFTER {
            *self.lock() = State::default();
        } else {
            self.failed(now, why);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let backoff = Backoff::default();
        let mut now = Instant::now();
        backoff.failed(now, "no token");
        assert!(backoff.check(now).is_ok(), "the second try is free");
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            backoff.failed(now, "no token");
            let failure = backoff.check(now).unwrap_err();
            assert_eq!(failure.fields["retryAfterMs"], seconds * 1000);
            // The cause comes first: what shortens the text cuts off its end.
            assert!(failure.error.starts_with("no token; "), "{}", failure.error);
            now += Duration::from_secs(seconds);
            assert!(backoff.check(now).is_ok());
        }
    }

    #[test]
    fn a_service_that_lived_long_starts_anew() {
        let backoff = Backoff::default();
        let now = Instant::now();
        for _ in 0..3 {
            backoff.failed(now, "x");
        }
        backoff.ended(now, STABLE_AFTER, "x");
        assert!(backoff.check(now).is_ok());
        backoff.ended(now, Duration::ZERO, "x");
        backoff.ended(now, Duration::ZERO, "x");
        assert!(backoff.check(now).is_err());
    }
}
