//! Ids of calls, unique over all runtimes.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    sync::atomic::{AtomicU64, Ordering},
};

/// Makes ids such as `c9f2ab31-17`.
pub(super) struct Receipts {
    run: u32,
    next: AtomicU64,
}

impl Default for Receipts {
    fn default() -> Self {
        let seeded = RandomState::new().build_hasher().finish();
        Self {
            run: (seeded >> 32) as u32,
            next: AtomicU64::new(1),
        }
    }
}

impl Receipts {
    pub(super) fn next(&self) -> String {
        format!(
            "c{:08x}-{}",
            self.run,
            self.next.fetch_add(1, Ordering::Relaxed)
        )
    }
}
