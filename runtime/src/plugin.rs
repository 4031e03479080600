//! Plugins: their manifests, where they are found, and the life of each.

mod build;
mod changes;
mod configured;
mod find;
mod identity;
mod instance;
mod manifest;
mod own_prefixes;
mod prefix;
mod related;
mod restraint;
mod retire;
mod set;
mod watch;

pub(crate) use build::PluginBuilder;
pub use changes::ChangeListener;
pub(crate) use changes::Changes;
pub(crate) use configured::{ConfigKeys, audit_settings};
pub(crate) use find::watched;
pub use find::{Found, find};
pub(crate) use identity::{Identity, is_program};
pub(crate) use instance::Standing;
pub use instance::{Plugin, PluginState};
pub(crate) use manifest::{EXTENSION, ManifestKeys, SetUp};
pub use manifest::{Manifest, Source, Timeouts};
pub(crate) use related::{Targets, broken_links, linked};
pub(crate) use retire::retire;
pub(crate) use set::{PluginSet, Plugins};
pub(crate) use watch::Watcher;
