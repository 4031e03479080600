//! What a plugin offers: listed once, renewed where it is known to be out of date, and kept where that fails.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::{Duration, Instant},
};

use serde_json::Value;

use super::{Plugin, PluginState};
use crate::{
    catalog::{Catalogue, Skill, Tool},
    plugin::Source,
    reply::{Code, Failure},
    trust::Listed,
};

#[derive(Clone)]
pub(super) struct Loaded {
    pub(super) catalogue: Arc<Catalogue>,
    pub(super) origin: Origin,
    pub(super) generation: u64,
    /// A newer one was wanted and could not be had.
    pub(super) overdue: bool,
    pub(super) at: Instant,
    /// How long the next renewal may keep callers waiting, and before when none is tried.
    pub(super) patience: Duration,
    pub(super) not_before: Instant,
}

/// Where a listing comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// From the service itself.
    Live,
    /// From an earlier run. It is shown, and never decides about a call.
    Kept,
}

/// A listing that is renewed keeps its callers waiting no longer than this at first; the old one serves them meanwhile.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// After a renewal that failed the old listing serves for this long.
const RENEWAL_PAUSE: Duration = Duration::from_secs(5);

/// A listing that is under way; it is over when this is dropped, also where nobody waits for it any more.
struct UnderWay<'a>(&'a RwLock<Option<tokio::time::Instant>>);

impl<'a> UnderWay<'a> {
    fn of(since: &'a RwLock<Option<tokio::time::Instant>>) -> Self {
        let now = tokio::time::Instant::now();
        *since.write().unwrap_or_else(PoisonError::into_inner) = Some(now);
        Self(since)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Plugin {
    /// What the plugin offers: the listing at hand, or a new one where that is missing or known to be out of date.
    pub(crate) async fn catalogue(&self) -> Result<Arc<Catalogue>, Failure> {
        self.load(false).await
    }

    /// As [`Plugin::catalogue`], and a listing older than its adapter vouches for is renewed.
    pub(crate) async fn fresh_catalogue(&self) -> Result<Arc<Catalogue>, Failure> {
        self.load(true).await
    }

    async fn load(&self, fresh: bool) -> Result<Arc<Catalogue>, Failure> {
        if let Some(set_up) = self.set_up() {
            // What is known of it is shown all the same.
            let _ = self.known_catalogue().await;
            return Err(set_up.failure(self.prefix()));
        }
        let asked = Instant::now();
        let _listing = self.listing.lock().await;
        let known = self.loaded();
        let live = known
            .as_ref()
            .filter(|loaded| loaded.origin == Origin::Live);
        if let Some(loaded) = live
            && self.is_current(loaded, fresh)
        {
            return Ok(loaded.catalogue.clone());
        }
        if let Some(failure) = self.failed_since(asked) {
            return Err(failure);
        }
        if live.is_none() {
            self.set_state(PluginState::Starting);
        }
        let patience = match live {
            // What has to start anyway may take its time.
            Some(old) if !self.has_stopped() => Some(old.patience),
            _ => None,
        };
        // Taken before listing: a change that is announced meanwhile makes the next use list again.
        let generation = self.generation();
        let listed = {
            let _under_way = UnderWay::of(&self.listing_since);
            self.list_within(patience).await
        };
        match listed {
            Ok(catalogue) => {
                // What is missing is asked for again at once, and from then on with pauses.
                let still_missing = catalogue.problem.is_some()
                    && live.is_some_and(|old| old.catalogue.problem.is_some());
                let pause = match still_missing {
                    true => RENEWAL_PAUSE,
                    false => Duration::ZERO,
                };
                let catalogue = Arc::new(catalogue);
                self.set_loaded(Loaded {
                    catalogue: catalogue.clone(),
                    origin: Origin::Live,
                    generation,
                    overdue: false,
                    at: Instant::now(),
                    patience: PATIENCE,
                    not_before: Instant::now() + pause,
                });
                self.set_state(match &catalogue.problem {
                    Some(problem) if catalogue.tools.is_empty() => {
                        PluginState::Failed(problem.error.clone())
                    }
                    _ => PluginState::Ready,
                });
                self.keep(&catalogue).await;
                if self.differs(known.as_ref(), &catalogue) | self.gate.take_news() {
                    self.changes.announce();
                }
                *self.failed.write().unwrap_or_else(PoisonError::into_inner) = None;
                Ok(catalogue)
            }
            Err(failure) => {
                self.set_state(PluginState::Failed(failure.error.clone()));
                let at = (Instant::now(), failure.clone());
                *self.failed.write().unwrap_or_else(PoisonError::into_inner) = Some(at);
                // Skills of a plugin whose service is down still help: an older listing is better than none.
                let Some(mut loaded) = live.cloned() else {
                    return Err(failure);
                };
                let catalogue = loaded.catalogue.clone();
                loaded.overdue = true;
                loaded.patience = (loaded.patience * 2).min(self.load_deadline);
                loaded.not_before = Instant::now() + RENEWAL_PAUSE;
                self.set_loaded(loaded);
                Ok(catalogue)
            }
        }
    }

    async fn list_within(&self, patience: Option<Duration>) -> Result<Catalogue, Failure> {
        match patience {
            None => self.list().await,
            Some(patience) => tokio::time::timeout(patience, self.list())
                .await
                .unwrap_or_else(|_| Err(self.slow_renewal(patience))),
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
        let declarative = self.listed_declarative().await;
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
        let incomplete = self.adapter.as_ref().and_then(|a| a.list_incomplete());
        let problem = problem.or(incomplete.filter(|_| tools.is_ok()));
        let skills = skills.unwrap_or_default().into_iter();
        let skills = skills.map(|skill| self.marked_skill(skill));
        let skills = skills.chain(declarative).collect();
        let catalogue = self.offered(tools.ok(), skills, context).await;
        let catalogue = catalogue.with_problem(problem);
        // Also of a listing that is out of date before anybody sees it: a change is a change.
        for tool in catalogue.tools.values() {
            self.gate.note(tool);
        }
        Ok(catalogue)
    }

    /// What of a listing is trusted and offered, marked as what it is taken for. Without `tools` none could be had.
    pub(super) async fn offered(
        &self,
        tools: Option<Vec<Tool>>,
        skills: Vec<Skill>,
        context: Option<Value>,
    ) -> Catalogue {
        let tools = match tools {
            Some(tools) => self.admitted(tools).await,
            None => Vec::new(),
        };
        let tools = tools
            .into_iter()
            .filter(|tool| self.manifest.filter.admits(&tool.name))
            .map(|tool| self.marked(tool))
            .filter(|tool| self.offers_tool(tool));
        let skills = skills.into_iter();
        let skills = skills
            .filter(|skill| self.manifest.filter.admits(&skill.name) && self.offers_skill(skill));
        Catalogue::new(tools.collect(), skills.collect(), context)
    }

    /// The tools whose definitions are trusted.
    async fn admitted(&self, tools: Vec<Tool>) -> Vec<Tool> {
        let Some(adapter) = self.adapter.as_ref() else {
            return tools;
        };
        let whole = adapter.lists_everything();
        let listed = tools.into_iter().map(|tool| Listed {
            lists_data: adapter.lists_data(&tool.name),
            tool,
        });
        let listed: Vec<Listed> = listed.collect();
        let gate = self.gate.clone();
        let admitted = tokio::task::spawn_blocking(move || gate.admit(listed, whole)).await;
        // What could not be looked at is not shown.
        admitted.unwrap_or_default()
    }

    pub(super) async fn listed_declarative(&self) -> Vec<Skill> {
        let listed = self.declarative.list().await.into_iter();
        listed
            .map(|skill| self.marked_skill(skill))
            .filter(|skill| self.offers_skill(skill))
            .collect()
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
        let hint = failure.hint.clone().unwrap_or_else(|| {
            "Other plugins are not affected. It is tried again on the next use.".into()
        });
        Err(Failure {
            code,
            error: format!(
                "the plugin {} is not available: {}",
                self.prefix(),
                failure.error
            ),
            hint: Some(hint),
            ..failure
        })
    }

    /// One tool that the listing lacks but the adapter knows.
    pub(crate) async fn describe(&self, tool: &str) -> Option<Tool> {
        let adapter = self
            .adapter
            .as_ref()
            .filter(|_| self.manifest.filter.admits(tool))?;
        let described = tokio::time::timeout(self.load_deadline, adapter.describe(tool)).await;
        let tool = described.ok().flatten().map(|tool| self.marked(tool));
        tool.filter(|tool| self.offers_tool(tool))
    }

    /// Whether the listing at hand is known to be out of date, for want of a newer one.
    pub(crate) fn is_outdated(&self) -> bool {
        self.has_stopped() || self.loaded().is_none_or(|loaded| loaded.overdue)
    }

    /// Why the plugin could not be started again, where it has stopped.
    pub(crate) fn why_stopped(&self) -> Option<Failure> {
        let failed = self.failed.read().unwrap_or_else(PoisonError::into_inner);
        let failed = failed.as_ref().filter(|_| self.has_stopped());
        failed.map(|(_, failure)| failure.clone())
    }

    /// Whether the plugin lists a tool of that name.
    pub(crate) async fn has_tool(&self, tool: &str) -> bool {
        let catalogue = self.catalogue().await;
        catalogue.is_ok_and(|catalogue| catalogue.tools.contains_key(tool))
    }

    /// Whether what answers for the plugin would have to be started, or connected to, again.
    pub(super) fn has_stopped(&self) -> bool {
        let running = self.adapter.as_ref().and_then(|adapter| adapter.running());
        running == Some(false)
    }

    pub(super) fn loaded(&self) -> Option<Loaded> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        loaded.clone()
    }

    pub(super) fn set_loaded(&self, loaded: Loaded) {
        *self.loaded.write().unwrap_or_else(PoisonError::into_inner) = Some(loaded);
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
        // Another process may have other tools.
        let renewed = loaded.generation == self.generation()
            && !expired
            && !self.has_stopped()
            && loaded.catalogue.problem.is_none()
            && !self.gate.may_have_opened();
        // How soon a stopped service is tried again is its adapter's matter.
        renewed || (!self.has_stopped() && Instant::now() < loaded.not_before)
    }

    fn failed_since(&self, asked: Instant) -> Option<Failure> {
        let failed = self.failed.read().unwrap_or_else(PoisonError::into_inner);
        failed
            .as_ref()
            .filter(|(at, _)| *at >= asked)
            .map(|(_, failure)| failure.clone())
    }

    /// Since when the plugin is being started and listed, while it is.
    pub(crate) fn listing_since(&self) -> Option<tokio::time::Instant> {
        *self
            .listing_since
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// How the last start or listing failed, if it did.
    pub(crate) fn last_failure(&self) -> Option<Failure> {
        let failed = self.failed.read().unwrap_or_else(PoisonError::into_inner);
        failed.as_ref().map(|(_, failure)| failure.clone())
    }
}
