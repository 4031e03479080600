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

    /// As [`Plugin::known_catalogue`]. What a manifest says by itself is listed for it, which starts nothing either.
    pub(crate) async fn listing_at_hand(&self) -> Option<Arc<Catalogue>> {
        let of_manifest = matches!(self.manifest.source, Source::Cli(_) | Source::None);
        match of_manifest && self.skills.is_none() && self.set_up().is_none() {
            true => self.catalogue().await.ok(),
            false => self.known_catalogue().await,
        }
    }

    /// The listing that is in memory already.
    pub(crate) fn loaded_catalogue(&self) -> Option<Arc<Catalogue>> {
        self.loaded().map(|known| known.catalogue)
    }

    /// The names of the skills that there are, as far as that is known without starting anything: the manifest names
    /// their files.
    pub(crate) fn skill_names(&self) -> Vec<String> {
        match self.loaded_catalogue() {
            Some(known) => known.skills.keys().cloned().collect(),
            None => {
                let named = self.manifest.skill_names();
                let admitted = named.filter(|name| self.manifest.filter.admits(name));
                admitted.map(str::to_owned).collect()
            }
        }
    }

    /// Whether there is a skill of that name.
    pub(crate) fn has_skill(&self, name: &str) -> bool {
        self.skill_names().iter().any(|known| known == name)
    }

    /// Why what is shown may not be what a call would meet: `idle`, `starting`, `failed: …` or `needs set-up: …`; `None` for
    /// a plugin that is ready.
    pub(crate) fn reservation(&self) -> Option<String> {
        match self.state() {
            PluginState::Ready => None,
            PluginState::Idle => Some("idle".to_owned()),
            PluginState::Starting => Some("starting".to_owned()),
            PluginState::Failed(why) => Some(format!("failed: {why}")),
            PluginState::NeedsSetUp(what) => Some(format!("needs set-up: {what}")),
        }
    }

    async fn known(&self) -> Option<Loaded> {
        match self.loaded() {
            Some(loaded) if loaded.origin == Origin::Live && !self.has_stopped() => Some(loaded),
            Some(loaded) => Some(self.with_skills_of_now(loaded).await),
            None if self.set_up().is_some() && self.lists_without_start() => {
                self.listed_without_start().await
            }
            None => self.kept().await,
        }
    }

    /// Whether its tools are known from its manifest, or from a document that lies beside it.
    fn lists_without_start(&self) -> bool {
        match &self.manifest.source {
            Source::Cli(_) | Source::None => true,
            Source::OpenApi(settings) => {
                !settings.document.contains("://") && !settings.document.contains("${")
            }
            _ => false,
        }
    }

    async fn listed_without_start(&self) -> Option<Loaded> {
        let tools = match &self.adapter {
            Some(adapter) => Some(adapter.list_tools().await.ok()?),
            None => None,
        };
        let skills = self.listed_declarative().await;
        let catalogue = self.offered(tools, skills, None).await;
        Some(self.shown_before_start(catalogue))
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
        let key = self.kept_key().to_owned();
        let gate = self.gate.clone();
        let read = tokio::task::spawn_blocking(move || {
            let kept = cache.read(&key)?;
            let tools = gate.admit_kept(kept.tools);
            Some(Kept { tools, ..kept })
        });
        let Kept { tools, skills } = read.await.ok().flatten()?;
        let skills = skills.into_iter().chain(self.listed_declarative().await);
        Some(self.shown_before_start(Catalogue::new(tools, skills.collect(), None)))
    }

    /// The name under which its listing is kept. Without what it needs it is not known whose listing that would be, and the
    /// last one is shown.
    fn kept_key(&self) -> &str {
        match self.set_up() {
            Some(_) => self.identity.key_without_needs(),
            None => self.identity.key(),
        }
    }

    /// Takes a listing that no start has brought. One that somebody has listed meanwhile is worth more.
    fn shown_before_start(&self, catalogue: Catalogue) -> Loaded {
        let now = Instant::now();
        let loaded = Loaded {
            catalogue: Arc::new(catalogue),
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
        slot.get_or_insert(loaded).clone()
    }

    /// How many tools and skills there are, as far as that is known without starting anything.
    pub(super) fn counts(&self) -> Option<(usize, usize)> {
        if let Some(loaded) = self.loaded() {
            let Catalogue { tools, skills, .. } = &*loaded.catalogue;
            return Some((tools.len(), skills.len()));
        }
        *self.kept_counts.get_or_init(|| {
            let kept = self.cache.as_ref()?.read(self.kept_key())?;
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
        let mut keys = vec![self.identity.key().to_owned()];
        if self.manifest.needs.has_required() {
            keys.push(self.identity.key_without_needs().to_owned());
        }
        // Waited for, as a program may end as soon as it has its answer.
        let write = move || keys.iter().for_each(|key| cache.write(key, &kept));
        let _ = tokio::task::spawn_blocking(write).await;
    }

    /// Whether clients that saw what was known before would see something else now.
    pub(super) fn differs(&self, known: Option<&Loaded>, now: &Catalogue) -> bool {
        match known {
            Some(known) => {
                let before = &known.catalogue;
                before.tools != now.tools || before.skills != now.skills
            }
            // Views left the plugin out when it had failed.
            None => self.last_failure().is_some(),
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
