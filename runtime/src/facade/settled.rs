//! What is decided once and then stays, for as long as the plugins are the same ones.
//!
//! A tool list that changes costs its client the cache of everything behind it, so lists are not made again with what
//! calls and searches have brought to light meanwhile.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use serde_json::Value;
use tokio::sync::OnceCell;

use super::{
    about::About,
    auto::Choice,
    pins::{Pinned, Pins},
};
use crate::{
    plugin::{Plugin, Plugins},
    view::View,
};

/// What has been decided so far.
pub(super) struct Settled {
    pins: Pins,
    misread_pins: Vec<String>,
    now: Mutex<Arc<Decided>>,
}

/// For one set of plugins. The flat view's list is not among it: that one follows what services list.
struct Decided {
    /// Held weakly: a plugin that is gone ends when nothing holds it any more.
    plugins: Weak<[Arc<Plugin>]>,
    about: Kept<String, About>,
    /// By the one plugin of the view.
    choices: Kept<Option<String>, Choice>,
    lists: Kept<View, List>,
}

/// A tool list.
pub(super) struct List {
    pub tools: Vec<Value>,
    pub pinned: Pinned,
}

impl Settled {
    pub(super) fn new(pins: &[String], plugins: &Plugins) -> Self {
        let (pins, misread_pins) = Pins::read(pins);
        for warning in &misread_pins {
            tracing::warn!("{warning}");
        }
        Self {
            pins,
            misread_pins,
            now: Mutex::new(Arc::new(Decided::about(plugins))),
        }
    }

    pub(super) fn pins(&self) -> &Pins {
        &self.pins
    }

    /// What is said of each plugin.
    pub(super) async fn about(&self, all: &Plugins, plugins: &[Arc<Plugin>]) -> Vec<About> {
        let decided = self.decided(all);
        let mut about = Vec::with_capacity(plugins.len());
        for plugin in plugins {
            let slot = decided.about.slot(plugin.prefix().to_owned());
            about.push(slot.get_or_init(|| About::of(plugin)).await.clone());
        }
        about
    }

    /// What `auto` stands for.
    pub(super) async fn choice<F: Future<Output = Choice>>(
        &self,
        all: &Plugins,
        plugin: Option<&String>,
        choose: impl FnOnce() -> F,
    ) -> Choice {
        let slot = self.decided(all).choices.slot(plugin.cloned());
        *slot.get_or_init(choose).await
    }

    /// The list of a view, made once.
    pub(super) async fn list<F: Future<Output = List>>(
        &self,
        all: &Plugins,
        view: &View,
        make: impl FnOnce() -> F,
    ) -> Arc<OnceCell<List>> {
        let slot = self.decided(all).lists.slot(view.clone());
        slot.get_or_init(make).await;
        slot
    }

    /// The same if it has been made.
    pub(super) fn made_list(&self, all: &Plugins, view: &View) -> Option<Arc<OnceCell<List>>> {
        let slot = self.decided(all).lists.slot(view.clone());
        slot.initialized().then_some(slot)
    }

    /// What is wrong with pins.
    pub(super) fn warnings(&self) -> Vec<String> {
        let decided = self.now().clone();
        let mut warnings = self.misread_pins.clone();
        for slot in decided.lists.slots() {
            let of_list = slot.get().map(|list| list.pinned.warnings.as_slice());
            for warning in of_list.unwrap_or_default() {
                if !warnings.contains(warning) {
                    warnings.push(warning.clone());
                }
            }
        }
        warnings
    }

    /// What `auto` has chosen for all plugins, if it was asked.
    pub(super) fn chosen(&self) -> Option<Value> {
        let decided = self.now().clone();
        let slot = decided.choices.slot(None);
        slot.get().map(|choice| choice.to_json())
    }

    /// What is decided for these plugins; nothing yet when they are others than before.
    fn decided(&self, all: &Plugins) -> Arc<Decided> {
        let mut now = self.now();
        if !Weak::ptr_eq(&now.plugins, &Arc::downgrade(all)) {
            *now = Arc::new(Decided::about(all));
        }
        now.clone()
    }

    fn now(&self) -> std::sync::MutexGuard<'_, Arc<Decided>> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Decided {
    fn about(plugins: &Plugins) -> Self {
        Self {
            plugins: Arc::downgrade(plugins),
            about: Kept::default(),
            choices: Kept::default(),
            lists: Kept::default(),
        }
    }
}

/// Values that are made once each, whoever asks first.
struct Kept<K, V>(Mutex<HashMap<K, Arc<OnceCell<V>>>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V> Kept<K, V> {
    fn slot(&self, key: K) -> Arc<OnceCell<V>> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.entry(key).or_default().clone()
    }

    fn slots(&self) -> Vec<Arc<OnceCell<V>>> {
        let slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slots.values().cloned().collect()
    }
}
