//! What `Debug` output shows in place of values that may be secrets: that there is one, and nothing of it.

use std::fmt;

use indexmap::IndexMap;

/// A value.
pub(crate) struct Redacted;

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<redacted>")
    }
}

/// Named values, such as variables or headers: their names.
pub(crate) struct Names<'a, T>(pub &'a IndexMap<String, T>);

impl<T> fmt::Debug for Names<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.0.keys().map(|name| (name, Redacted)))
            .finish()
    }
}
