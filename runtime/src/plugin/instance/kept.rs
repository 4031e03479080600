//! What can be shown of a plugin without starting it, and what is kept for the next run.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use super::{
    Plugin, PluginState,
    listing::{Loaded, Origin, PATIENCE},
};
use crate::{
    adapter::ChangeSignal,
    catalog::{Catalogue, Kept},
    plugin::Source,
    reply::Failure,
};

/// Services that announce changes often are listed again no more often than this.
const RENEWALS_APART: Duration = Duration::from_millis(200);

impl Plugin {
    /// What can be shown at once: the listing at hand or the one that an earlier run kept. Only a plugin of which nothing
    /// is known is started for it, and one that runs is asked where its listing is out of date.
    pub(crate) async fn shown_catalogue(&self) -> Result<Arc<Catalogue>, Failure> {
        let known = self.known().await;
        match known {
            Some(known) if known.origin == Origin::Kept => Ok(known.catalogue),
            Some(known) if self.has_stopped() && known.catalogue.problem.is_none() => {
                Ok(known.catalogue)
            }
            _ => self.fresh_catalogue().await,
        }
    }

    /// The listing at hand, or the one that an earlier run kept. Starts nothing.
    pub(crate) async fn known_catalogue(&self) -> Option<Arc<Catalogue>> {
        self.known().await.map(|known| known.catalogue)
    }

    /// Why what is shown may not be what a call would meet: `idle`, `starting` or `failed: …`; `None` for a plugin that is
    /// ready.
    pub(crate) fn reservation(&self) -> Option<String> {
        match self.state() {
            PluginState::Ready => None,
            PluginState::Idle => Some("idle".to_owned()),
            PluginState::Starting => Some("starting".to_owned()),
            PluginState::Failed(why) => Some(format!("failed: {why}")),
        }
    }

    async fn known(&self) -> Option<Loaded> {
        match self.loaded() {
            Some(loaded) if loaded.origin == Origin::Live && !self.has_stopped() => Some(loaded),
            Some(loaded) => Some(self.with_skills_of_now(loaded).await),
            None => self.kept().await,
        }
    }

    /// The files of declarative skills are read whether the service runs or not.
    async fn with_skills_of_now(&self, loaded: Loaded) -> Loaded {
        if self.declarative.has_not_changed() {
            return loaded;
        }
        let old = &loaded.catalogue;
        let tools = old.tools.values().cloned().collect();
        let modules = old
            .skills
            .values()
            .filter(|skill| !self.declarative.has(&skill.name));
        let skills = modules
            .cloned()
            .chain(self.listed_declarative().await)
            .collect();
        let catalogue =
            Catalogue::new(tools, skills, old.context.clone()).with_problem(old.problem.clone());
        let renewed = Loaded {
            catalogue: Arc::new(catalogue),
            ..loaded
        };
        self.set_loaded(renewed.clone());
        renewed
    }

    async fn kept(&self) -> Option<Loaded> {
        let cache = self.cache.clone()?;
        let key = self.identity.key().to_owned();
        let read = tokio::task::spawn_blocking(move || cache.read(&key)).await;
        let Kept { tools, skills } = read.ok().flatten()?;
        let skills = skills.into_iter().chain(self.listed_declarative().await);
        let now = Instant::now();
        let loaded = Loaded {
            catalogue: Arc::new(Catalogue::new(tools, skills.collect(), None)),
            origin: Origin::Kept,
            generation: 0,
            overdue: false,
            at: now,
            patience: PATIENCE,
            not_before: now,
        };
        let mut slot = self
            .loaded
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        // Somebody may have listed meanwhile, which is worth more.
        Some(slot.get_or_insert(loaded).clone())
    }

    /// How many tools and skills there are, as far as that is known without starting anything.
    pub(super) fn counts(&self) -> Option<(usize, usize)> {
        if let Some(loaded) = self.loaded() {
            let Catalogue { tools, skills, .. } = &*loaded.catalogue;
            return Some((tools.len(), skills.len()));
        }
        *self.kept_counts.get_or_init(|| {
            let kept = self.cache.as_ref()?.read(self.identity.key())?;
            Some((kept.tools.len(), kept.skills.len() + self.declarative.len()))
        })
    }

    /// Keeps a listing for the next run. What the embedding program itself answers cannot be known again, context is of the
    /// moment, and what a manifest says by itself is there anyway.
    pub(super) async fn keep(&self, catalogue: &Catalogue) {
        let whole = catalogue.problem.is_none() && catalogue.context.is_none();
        let source = &self.manifest.source;
        if !whole || matches!(source, Source::Embedded | Source::Cli(_) | Source::None) {
            return;
        }
        let Some(cache) = self.cache.clone() else {
            return;
        };
        let modules = catalogue
            .skills
            .values()
            .filter(|skill| !self.declarative.has(&skill.name));
        let kept = Kept {
            tools: catalogue.tools.values().cloned().collect(),
            skills: modules.cloned().collect(),
        };
        let key = self.identity.key().to_owned();
        // Waited for, as a program may end as soon as it has its answer.
        let _ = tokio::task::spawn_blocking(move || cache.write(&key, &kept)).await;
    }

    /// Whether clients that saw what was known before would see something else now.
    pub(super) fn differs(&self, known: Option<&Loaded>, now: &Catalogue) -> bool {
        match known {
            Some(known) => {
                let before = &known.catalogue;
                before.tools != now.tools || before.skills != now.skills
            }
            // Views left the plugin out when it had failed.
            None => self.has_failed(),
        }
    }

    /// Lists again whenever the service says so, without anyone waiting for it.
    pub(crate) fn follow_changes(self: &Arc<Self>) {
        let Ok(adapter) = self.adapter() else { return };
        let plugin = Arc::downgrade(self);
        let changed: ChangeSignal = Arc::new(move || {
            if let Some(plugin) = plugin.upgrade() {
                plugin.renew_soon();
            }
        });
        adapter.on_change(changed);
    }

    fn renew_soon(self: Arc<Self>) {
        if self.renewing.swap(true, Ordering::Relaxed) {
            return;
        }
        let plugin = Arc::downgrade(&self);
        tokio::spawn(async move {
            tokio::time::sleep(RENEWALS_APART).await;
            let Some(plugin) = plugin.upgrade() else {
                return;
            };
            // What is announced from here on needs another renewal.
            plugin.renewing.store(false, Ordering::Relaxed);
            // A server that has been stopped meanwhile is not started for it.
            if !plugin.has_stopped() {
                let _ = plugin.catalogue().await;
            }
        });
    }
}
