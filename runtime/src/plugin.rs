//! Plugins: their manifests, where they are found, and the life of each.

mod find;
mod instance;
mod manifest;

pub use find::{Found, find};
pub use instance::{Plugin, PluginState};
pub use manifest::{Manifest, Source, Timeouts};
