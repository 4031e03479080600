//! The life of one plugin: started on first use, listed once, kept true.

mod kept;
mod listing;
mod standing;

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, OnceLock, PoisonError, RwLock, atomic::AtomicBool},
    time::{Duration, Instant},
};

use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::{Changes, Identity, Manifest, SetUp};
use crate::{
    adapter::{Adapter, CallContext, SkillRunner},
    approval::Subject,
    catalog::{
        Catalogue, CatalogueCache, Tool,
        search::{Section, Server},
    },
    policy::Policy,
    reply::{Code, Failure},
    skill::{Outcome, SkillFiles, ToolCaller},
    trust::Gate,
};
use listing::Loaded;
pub(crate) use standing::Standing;

/// Where a plugin is in its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PluginState {
    /// Not used yet.
    Idle,
    /// Being started and listed.
    Starting,
    /// Usable.
    Ready,
    /// The last start failed; the next use tries again.
    Failed(String),
    /// Not started before the user has done this.
    NeedsSetUp(String),
}

impl PluginState {
    /// `idle`, `starting`, `ready`, `failed` or `needs set-up`.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Starting => "starting",
            Self::Ready => "ready",
            Self::Failed(_) => "failed",
            Self::NeedsSetUp(_) => "needs set-up",
        }
    }
}

/// One plugin.
pub struct Plugin {
    /// What it says about itself.
    pub manifest: Manifest,
    adapter: Option<Arc<dyn Adapter>>,
    /// What runs the skills that are modules.
    skills: Option<Arc<dyn SkillRunner>>,
    declarative: SkillFiles,
    gate: Arc<Gate>,
    load_deadline: Duration,
    pub(super) identity: Identity,
    policy: Arc<Policy>,
    /// What the policy withholds of the last listing, and the rules that do.
    denied: RwLock<HashMap<(Subject, String), Standing>>,
    /// What says of itself that it only reads, and is not believed.
    disbelieved: RwLock<HashSet<(Subject, String)>>,
    cache: Option<Arc<CatalogueCache>>,
    changes: Changes,
    /// Held by whoever lists; others wait for the outcome.
    listing: Mutex<()>,
    loaded: RwLock<Option<Loaded>>,
    /// Since when it is being started and listed, while it is.
    listing_since: RwLock<Option<tokio::time::Instant>>,
    /// A renewal that nobody waits for is under way.
    renewing: AtomicBool,
    /// How many tools and skills were kept, once that was looked at.
    kept_counts: OnceLock<Option<(usize, usize)>>,
    /// The last failure and when it was known, so that waiting callers share one attempt.
    failed: RwLock<Option<(Instant, Failure)>>,
    state: RwLock<PluginState>,
}

/// What a plugin shares with its runtime.
pub(crate) struct Shared {
    pub identity: Identity,
    pub policy: Arc<Policy>,
    pub gate: Gate,
    pub cache: Option<Arc<CatalogueCache>>,
    pub changes: Changes,
    /// How long starting and listing may take.
    pub load_deadline: Duration,
}

impl Plugin {
    pub(crate) fn new(
        manifest: Manifest,
        adapter: Option<Arc<dyn Adapter>>,
        skills: Option<Arc<dyn SkillRunner>>,
        shared: Shared,
    ) -> Self {
        let Shared {
            identity,
            policy,
            gate,
            cache,
            changes,
            load_deadline,
        } = shared;
        let state = match &manifest.set_up {
            Some(set_up) => PluginState::NeedsSetUp(set_up.what.clone()),
            None => PluginState::Idle,
        };
        Self {
            declarative: SkillFiles::new(manifest.dir.clone(), manifest.declarative_skills()),
            manifest,
            adapter,
            skills,
            gate: Arc::new(gate),
            load_deadline,
            identity,
            policy,
            denied: RwLock::default(),
            disbelieved: RwLock::default(),
            cache,
            changes,
            listing: Mutex::default(),
            loaded: RwLock::default(),
            listing_since: RwLock::default(),
            renewing: AtomicBool::default(),
            kept_counts: OnceLock::new(),
            failed: RwLock::default(),
            state: RwLock::new(state),
        }
    }

    /// The prefix.
    pub fn prefix(&self) -> &str {
        &self.manifest.prefix
    }

    /// The files that it depends on.
    pub(crate) fn files(&self) -> &[PathBuf] {
        self.identity.files()
    }

    /// What the embedding program calls it, if it does.
    pub(crate) fn host_name(&self) -> &str {
        self.adapter
            .as_ref()
            .and_then(|adapter| adapter.host_name())
            .unwrap_or(self.prefix())
    }

    /// What the user has to do before it can be started.
    pub(crate) fn set_up(&self) -> Option<&SetUp> {
        self.manifest.set_up.as_ref()
    }

    /// Where the plugin is in its life.
    pub fn state(&self) -> PluginState {
        self.state
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn adapter(&self) -> Result<&Arc<dyn Adapter>, Failure> {
        self.adapter.as_ref().ok_or_else(|| {
            Failure::new(
                Code::UnknownTool,
                format!("the plugin {} has skills only, no tools", self.prefix()),
            )
        })
    }

    /// Runs a skill. What is declarative calls tools through `caller`; a module finds its way back by `call_id`.
    pub(crate) async fn run_skill(
        &self,
        call_id: &str,
        skill: &str,
        arguments: Map<String, Value>,
        caller: &dyn ToolCaller,
        context: &CallContext,
    ) -> Result<Outcome, Failure> {
        if self.declarative.has(skill) {
            return self.declarative.run(skill, arguments, caller).await;
        }
        let runner = self.skills.as_ref().ok_or_else(|| {
            Failure::new(
                Code::UnknownSkill,
                format!("{} has no skills", self.prefix()),
            )
        })?;
        let value = runner.run_skill(call_id, skill, arguments, context).await?;
        Ok(value.into())
    }

    /// What of it is trusted.
    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Whether a tool may be called without consent: it is read-only, and it is still what it was when that was judged.
    pub(crate) fn trusts(&self, tool: &Tool) -> bool {
        self.gate.trusts(tool)
    }

    /// The user agreed to a call of the tool.
    pub(crate) fn agreed(&self, tool: &str) {
        self.gate.agreed(tool);
    }

    /// What a search needs of a catalogue of this plugin.
    pub(crate) fn section(&self, catalogue: &Catalogue) -> Arc<Section> {
        let manifest = &self.manifest;
        let server = Server {
            name: format!("{} {}", manifest.prefix, manifest.name),
            text: manifest.description.clone().unwrap_or_default(),
        };
        let kept = self.cache.as_ref().map(|cache| cache.sections());
        catalogue.section(&server, kept)
    }

    /// What is known without starting the plugin, for `list` and diagnosis.
    pub fn status(&self) -> Value {
        let state = self.state();
        let mut status = serde_json::json!({
            "prefix": self.prefix(),
            "name": self.manifest.name,
            "description": self.manifest.description,
            "dir": self.manifest.dir,
            "state": state.name(),
        });
        if let Some(hint) = &self.manifest.discover_hint {
            status["discoverHint"] = Value::from(hint.as_str());
        }
        if let Some(running) = self.adapter.as_ref().and_then(|adapter| adapter.running()) {
            status["running"] = Value::from(running);
        }
        if let Some(auth) = self.adapter.as_ref().and_then(|adapter| adapter.auth()) {
            status["auth"] = Value::from(auth.as_str());
        }
        if let PluginState::Failed(reason) | PluginState::NeedsSetUp(reason) = state {
            status["reason"] = Value::from(reason);
        }
        if let Some((tools, skills)) = self.counts() {
            status["tools"] = Value::from(tools);
            status["skills"] = Value::from(skills);
        }
        let held = self.gate.held();
        if !held.is_empty() {
            status["heldBack"] = Value::from(held);
        }
        if let Some(Loaded { catalogue, .. }) = self.loaded() {
            if let Some(problem) = &catalogue.problem {
                status["incomplete"] = Value::from(true);
                status["reason"] = Value::from(problem.error.clone());
            }
            let broken = catalogue.skills.values();
            let broken: Vec<&str> = broken.filter_map(|skill| skill.error.as_deref()).collect();
            if !broken.is_empty() {
                status["brokenSkills"] = Value::from(broken);
            }
        }
        status
    }

    pub(crate) async fn close(&self) {
        if let Some(adapter) = &self.adapter {
            adapter.close().await;
        }
        if let Some(skills) = &self.skills {
            skills.close().await;
        }
        // What needs set-up was never started.
        if self.set_up().is_none() {
            self.set_state(PluginState::Idle);
        }
    }

    fn set_state(&self, state: PluginState) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
    }
}
