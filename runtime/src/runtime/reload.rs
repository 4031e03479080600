//! Plugins that come, change and go while the runtime is open.

use std::{path::PathBuf, sync::Arc};

use super::{Inner, Runtime};
use crate::{
    plugin::{ChangeListener, Plugin, Watcher, find, retire, watched},
    reply::{Code, Failure},
};

/// A package manager at work changes what is to be watched a few times.
const MAX_ROUNDS: usize = 5;

impl Runtime {
    /// Finds the plugins again, by the options that the runtime was opened with.
    ///
    /// A plugin that is as it was goes on, with its child and its state. One that is gone or has changed is closed when
    /// its calls have ended. Where a manifest has become unreadable, the plugin goes on as it was and
    /// [`Runtime::status`] says so.
    pub async fn reload(&self) -> Result<(), Failure> {
        self.check_open()?;
        let inner = self.inner.clone();
        let reloaded = tokio::task::spawn_blocking(move || inner.reload()).await;
        reloaded.map_err(|error| Failure::new(Code::Internal, error.to_string()))
    }

    /// Has `listener` called whenever plugins came or went, what one of them offers is not what it was, or
    /// [`Runtime::status`] has other warnings. Another look at [`Runtime::tools`] tells whether a view is different.
    pub fn on_change(&self, listener: ChangeListener) {
        self.inner.changes.tell(listener);
    }
}

impl Inner {
    /// Watches what plugins are made of, until the runtime closes or is dropped.
    pub(super) fn watch(self: &Arc<Self>) {
        let inner = Arc::downgrade(self);
        let watcher = Watcher::start(move || {
            let Some(inner) = inner.upgrade() else { return };
            for _ in 0..MAX_ROUNDS {
                inner.reload();
                // What happened in a folder before it was watched is seen by another look.
                if !inner.watch_paths() {
                    break;
                }
            }
        });
        watcher.watch(self.paths());
        *self.watcher() = Some(watcher);
    }

    fn watch_paths(&self) -> bool {
        let paths = self.paths();
        let watcher = self.watcher();
        watcher.as_ref().is_some_and(|watcher| watcher.watch(paths))
    }

    fn configuration(&self) -> std::sync::MutexGuard<'_, Vec<PathBuf>> {
        self.configuration
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn paths(&self) -> Vec<PathBuf> {
        let mut paths = watched(&self.options);
        paths.extend(self.configuration().iter().cloned());
        for plugin in self.facade.plugins().iter() {
            paths.extend(plugin.files().iter().cloned());
        }
        paths
    }

    fn reload(&self) {
        let _one = self
            .reloading
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.shutdown.is_cancelled() {
            return;
        }
        let old = self.facade.plugins();
        let mut found = find(&self.options);
        *self.configuration() = std::mem::take(&mut found.watched);
        let (plugins, warnings) = self.builder.build_all(found, &old);
        let news = self.warn(warnings);
        let same = plugins.len() == old.len()
            && plugins
                .iter()
                .zip(old.iter())
                .all(|(a, b)| Arc::ptr_eq(a, b));
        if !same {
            self.put_in_place(plugins, &old);
        }
        if news || !same {
            self.changes.announce();
        }
    }

    fn put_in_place(&self, plugins: Vec<Arc<Plugin>>, old: &[Arc<Plugin>]) {
        let gone: Vec<Arc<Plugin>> = old
            .iter()
            .filter(|old| !plugins.iter().any(|plugin| Arc::ptr_eq(plugin, old)))
            .cloned()
            .collect();
        self.plugins.replace(plugins);
        tracing::info!(closed = gone.len(), "the plugins were loaded again");
        // Nothing has started where nothing asynchronous has run yet.
        if let Some(handle) = self.handle.get() {
            for plugin in gone {
                handle.spawn(retire(plugin));
            }
        }
    }
}
