//! The life of one plugin: started on first use, listed once, kept true.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use serde_json::{Map, Value};
use tokio::sync::Mutex;

use super::{Manifest, Source};
use crate::{
    adapter::{Adapter, CallContext, SkillRunner},
    catalog::{Catalogue, Skill, Tool},
    reply::{Code, Failure},
    skill::{Outcome, SkillFiles, ToolCaller},
};

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
}

/// One plugin.
pub struct Plugin {
    /// What it says about itself.
    pub manifest: Manifest,
    adapter: Option<Arc<dyn Adapter>>,
    /// What runs the skills that are modules.
    skills: Option<Arc<dyn SkillRunner>>,
    declarative: SkillFiles,
    load_deadline: Duration,
    loaded: Mutex<Option<Loaded>>,
    /// The last failure and when it was known, so that waiting callers share one attempt.
    failed: RwLock<Option<(Instant, Failure)>>,
    state: RwLock<PluginState>,
}

#[derive(Clone)]
struct Loaded {
    catalogue: Arc<Catalogue>,
    generation: u64,
    at: Instant,
    /// How long the next renewal may keep callers waiting, and before when none is tried.
    patience: Duration,
    not_before: Instant,
}

/// A listing that is renewed keeps its callers waiting no longer than this at first; the old one serves them meanwhile.
const PATIENCE: Duration = Duration::from_secs(2);
/// After a renewal that failed the old listing serves for this long.
const RENEWAL_PAUSE: Duration = Duration::from_secs(5);

impl Plugin {
    pub(crate) fn new(
        manifest: Manifest,
        adapter: Option<Arc<dyn Adapter>>,
        skills: Option<Arc<dyn SkillRunner>>,
        load_deadline: Duration,
    ) -> Self {
        Self {
            declarative: SkillFiles::new(manifest.dir.clone(), manifest.declarative_skills()),
            manifest,
            adapter,
            skills,
            load_deadline,
            loaded: Mutex::default(),
            failed: RwLock::default(),
            state: RwLock::new(PluginState::Idle),
        }
    }

    /// The prefix.
    pub fn prefix(&self) -> &str {
        &self.manifest.prefix
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

    /// What the plugin offers: the listing at hand, or a new one where that is missing or known to be out of date.
    pub(crate) async fn catalogue(&self) -> Result<Arc<Catalogue>, Failure> {
        self.load(false).await
    }

    /// As [`Plugin::catalogue`], and a listing older than its adapter vouches for is renewed.
    pub(crate) async fn fresh_catalogue(&self) -> Result<Arc<Catalogue>, Failure> {
        self.load(true).await
    }

    async fn load(&self, fresh: bool) -> Result<Arc<Catalogue>, Failure> {
        let asked = Instant::now();
        let mut slot = self.loaded.lock().await;
        if let Some(loaded) = slot.as_ref()
            && self.is_current(loaded, fresh)
        {
            return Ok(loaded.catalogue.clone());
        }
        if let Some(failure) = self.failed_since(asked) {
            return Err(failure);
        }
        if slot.is_none() {
            self.set_state(PluginState::Starting);
        }
        // Taken before listing: a change that is announced meanwhile makes the next use list again.
        let generation = self.generation();
        let listed = match slot.as_ref() {
            None => self.list().await,
            Some(old) => tokio::time::timeout(old.patience, self.list())
                .await
                .unwrap_or_else(|_| Err(self.slow_renewal(old.patience))),
        };
        match listed {
            Ok(catalogue) => {
                let catalogue = Arc::new(catalogue);
                *slot = Some(Loaded {
                    catalogue: catalogue.clone(),
                    generation,
                    at: Instant::now(),
                    patience: PATIENCE,
                    not_before: Instant::now(),
                });
                self.set_state(match &catalogue.problem {
                    None => PluginState::Ready,
                    Some(problem) => PluginState::Failed(problem.error.clone()),
                });
                Ok(catalogue)
            }
            Err(failure) => {
                self.set_state(PluginState::Failed(failure.error.clone()));
                let known = (Instant::now(), failure.clone());
                *self.failed.write().unwrap_or_else(PoisonError::into_inner) = Some(known);
                // Skills of a plugin whose service is down still help: an older listing is better than none.
                match slot.as_mut() {
                    Some(loaded) => {
                        loaded.patience = (loaded.patience * 2).min(self.load_deadline);
                        loaded.not_before = Instant::now() + RENEWAL_PAUSE;
                        Ok(loaded.catalogue.clone())
                    }
                    None => Err(failure),
                }
            }
        }
    }

    fn slow_renewal(&self, patience: Duration) -> Failure {
        Failure::new(
            Code::PluginUnavailable,
            format!(
                "the plugin {} did not list its tools again within {} s; the older list is used",
                self.prefix(),
                patience.as_secs_f32()
            ),
        )
    }

    /// Lists skills and tools. What works is kept: skills whose service is down are still found, and the other way round.
    async fn list(&self) -> Result<Catalogue, Failure> {
        let declarative = self.declarative.list().await;
        let skills = match &self.skills {
            Some(runner) => self.within_deadline(runner.list_skills()).await,
            None => Ok(Vec::new()),
        };
        let tools = match (&self.adapter, &skills) {
            // The adapter is in the same module host, which could not be opened.
            (Some(_), Err(failure)) if matches!(self.manifest.source, Source::Module { .. }) => {
                Err(failure.clone())
            }
            (Some(adapter), _) => self.within_deadline(adapter.list_tools()).await,
            (None, _) => Ok(Vec::new()),
        };
        let context = match (&self.adapter, &tools) {
            (Some(adapter), Ok(_)) => self
                .within_deadline(async { Ok(adapter.discover_context().await) })
                .await
                .ok()
                .flatten(),
            _ => None,
        };
        let problem = match (tools.as_ref().err(), skills.as_ref().err()) {
            (Some(failure), _)
                if declarative.is_empty() && skills.as_ref().map_or(0, Vec::len) == 0 =>
            {
                return Err(failure.clone());
            }
            (None, Some(failure))
                if declarative.is_empty() && tools.as_ref().map_or(0, Vec::len) == 0 =>
            {
                return Err(failure.clone());
            }
            (tools, skills) => tools.or(skills).cloned(),
        };
        let tools = tools
            .unwrap_or_default()
            .into_iter()
            .map(|tool| self.marked(tool))
            .collect();
        let skills = skills
            .unwrap_or_default()
            .into_iter()
            .chain(declarative)
            .map(|skill| self.marked_skill(skill))
            .collect();
        Ok(Catalogue::new(tools, skills, context).with_problem(problem))
    }

    async fn within_deadline<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let failure = match tokio::time::timeout(self.load_deadline, work).await {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(failure)) => failure,
            Err(_) => Failure::new(
                Code::PluginUnavailable,
                format!(
                    "it did not start and list its tools within {} s",
                    self.load_deadline.as_secs_f32()
                ),
            ),
        };
        let code = match failure.code {
            Code::Internal | Code::UpstreamProtocol | Code::PluginCrashed => {
                Code::PluginUnavailable
            }
            code => code,
        };
        let hint = failure.hint.unwrap_or_else(|| {
            "Other plugins are not affected. It is tried again on the next use.".into()
        });
        Err(Failure::new(
            code,
            format!(
                "the plugin {} is not available: {}",
                self.prefix(),
                failure.error
            ),
        )
        .with_hint(hint))
    }

    /// The manifest's read-only list adds to what the service says.
    fn marked(&self, mut tool: Tool) -> Tool {
        if self.manifest.readonly_tools.contains(&tool.name) {
            tool.hints.read_only = true;
        }
        tool
    }

    fn marked_skill(&self, mut skill: Skill) -> Skill {
        if self.manifest.readonly_skills.contains(&skill.name) {
            skill.read_only = true;
        }
        skill
    }

    /// One tool that the listing lacks but the adapter knows.
    pub(crate) async fn describe(&self, tool: &str) -> Option<Tool> {
        let adapter = self.adapter.as_ref()?;
        let described = tokio::time::timeout(self.load_deadline, adapter.describe(tool)).await;
        described.ok().flatten().map(|tool| self.marked(tool))
    }

    /// Whether the plugin lists a tool of that name.
    pub(crate) async fn has_tool(&self, tool: &str) -> bool {
        let catalogue = self.catalogue().await;
        catalogue.is_ok_and(|catalogue| catalogue.tools.contains_key(tool))
    }

    /// What is known without starting the plugin, for `list` and diagnosis.
    pub fn status(&self) -> Value {
        let (state, reason) = match self.state() {
            PluginState::Idle => ("idle", None),
            PluginState::Starting => ("starting", None),
            PluginState::Ready => ("ready", None),
            PluginState::Failed(why) => ("failed", Some(why)),
        };
        let mut status = serde_json::json!({
            "prefix": self.prefix(),
            "name": self.manifest.name,
            "description": self.manifest.description,
            "dir": self.manifest.dir,
            "state": state,
        });
        if let Some(running) = self.adapter.as_ref().and_then(|adapter| adapter.running()) {
            status["running"] = Value::from(running);
        }
        if let Some(auth) = self.adapter.as_ref().and_then(|adapter| adapter.auth()) {
            status["auth"] = Value::from(auth.as_str());
        }
        if let Some(reason) = reason {
            status["reason"] = Value::from(reason);
        }
        if let Ok(loaded) = self.loaded.try_lock()
            && let Some(loaded) = loaded.as_ref()
        {
            status["tools"] = Value::from(loaded.catalogue.tools.len());
            status["skills"] = Value::from(loaded.catalogue.skills.len());
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
        self.set_state(PluginState::Idle);
    }

    fn generation(&self) -> u64 {
        let tools = self
            .adapter
            .as_ref()
            .map_or(0, |adapter| adapter.generation());
        tools.wrapping_add(self.declarative.generation())
    }

    fn is_current(&self, loaded: &Loaded, fresh: bool) -> bool {
        let lifetime = self
            .adapter
            .as_ref()
            .and_then(|adapter| adapter.listing_lifetime());
        let expired = fresh && lifetime.is_some_and(|lifetime| loaded.at.elapsed() > lifetime);
        let renewed = loaded.generation == self.generation()
            && !expired
            && loaded.catalogue.problem.is_none();
        renewed || Instant::now() < loaded.not_before
    }

    fn failed_since(&self, asked: Instant) -> Option<Failure> {
        let failed = self.failed.read().unwrap_or_else(PoisonError::into_inner);
        failed
            .as_ref()
            .filter(|(at, _)| *at >= asked)
            .map(|(_, failure)| failure.clone())
    }

    fn set_state(&self, state: PluginState) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
    }
}
