//! The plugins of a runtime, which may change while it runs.

use std::sync::{Arc, PoisonError, RwLock};

use super::Plugin;

/// The plugins of a runtime. Cloning gives another handle to the same set.
#[derive(Clone)]
pub(crate) struct PluginSet(Arc<RwLock<Plugins>>);

/// The plugins at one moment, in a stable order.
pub(crate) type Plugins = Arc<[Arc<Plugin>]>;

impl PluginSet {
    pub(crate) fn new(plugins: Vec<Arc<Plugin>>) -> Self {
        Self(Arc::new(RwLock::new(plugins.into())))
    }

    /// The plugins as they are now. Whoever holds them keeps seeing these.
    pub(crate) fn now(&self) -> Plugins {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Puts other plugins in their place.
    pub(crate) fn replace(&self, plugins: Vec<Arc<Plugin>>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = plugins.into();
    }

    /// The plugin of that prefix.
    pub(crate) fn get(&self, prefix: &str) -> Option<Arc<Plugin>> {
        let plugins = self.now();
        plugins
            .iter()
            .find(|plugin| plugin.prefix() == prefix)
            .cloned()
    }
}
