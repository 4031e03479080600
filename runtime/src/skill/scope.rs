//! The values that a running skill can refer to, and how much of them it may make.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::Value;

/// All values that one run makes, in bytes of memory, roughly. Templates copy values, and copies of copies grow fast.
const MAX_BYTES: usize = 128 * 1024 * 1024;

/// What goes wrong with the values of a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Trouble {
    #[error("{0}")]
    Missing(String),
    #[error("{0}")]
    Unfit(String),
    #[error("the skill's values grew beyond {} MB, which is the limit", MAX_BYTES / 1024 / 1024)]
    TooMuch,
}

/// The values by name.
pub(super) struct Scope {
    values: HashMap<String, Value>,
    left: AtomicUsize,
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            values: HashMap::new(),
            left: AtomicUsize::new(MAX_BYTES),
        }
    }
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.values.insert(name.to_owned(), value);
    }

    pub(super) fn forget(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// Accounts for a value that is about to be made.
    pub(super) fn charge(&self, value: &Value) -> Result<(), Trouble> {
        let bytes = weight(value);
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(bytes)
            })
            .map(|_| ())
            .map_err(|_| Trouble::TooMuch)
    }
}

fn weight(value: &Value) -> usize {
    let inner: usize = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| 40 + key.len() + weight(value))
            .sum(),
        _ => 0,
    };
    size_of::<Value>() + inner
}
