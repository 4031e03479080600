//! Plugins: their manifests, where they are found, and the life of each.

mod build;
mod configured;
mod definitions;
mod find;
mod instance;
mod manifest;
mod prefix;
mod set;

pub(crate) use build::PluginBuilder;
pub(crate) use configured::ConfigKeys;
pub use find::{Found, find};
pub use instance::{Plugin, PluginState};
pub(crate) use manifest::{EXTENSION, ManifestKeys};
pub use manifest::{Manifest, Source, Timeouts};
pub(crate) use set::{PluginSet, Plugins};
