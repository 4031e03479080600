//! Plugins: their manifests, where they are found, and the life of each.

mod build;
mod definitions;
mod find;
mod instance;
mod manifest;
mod prefix;
mod set;

pub(crate) use build::PluginBuilder;
pub use find::{Found, find};
pub use instance::{Plugin, PluginState};
pub use manifest::{Manifest, Source, Timeouts};
pub(crate) use set::{PluginSet, Plugins};
