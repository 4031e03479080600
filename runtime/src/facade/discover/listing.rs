//! What the plugins that are asked offer, as far as it can be known soon.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use indexmap::IndexMap;
use serde_json::{Value, json};
use tokio::{sync::mpsc, task::JoinSet, time::Instant};

use super::Scope;
use crate::{
    catalog::{Catalogue, Entry, one_line},
    facade::search::{Listed, Offer, prepare},
    plugin::{Plugin, SetUp},
    reply::Failure,
};

/// With several plugins, those that are not ready so long after their start began are left to start in the background.
const PATIENCE: Duration = Duration::from_millis(2500);
/// The same for those whose last start failed: long enough for one that fails again at once, or works again.
const PATIENCE_AFTER_FAILURE: Duration = Duration::from_millis(250);
/// A reason is cut here.
const REASON_CHARS: usize = 60;
/// So many plugins that were not searched, or that need set-up, are named with their reasons; the others are counted.
const REASONS: usize = 3;

/// What whoever asks does with the answer, and so how long it is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// Names what there is, soon.
    Overview,
    /// Searches, soon.
    Search,
    /// Searches all there is: a start is waited for until it succeeds or fails, which its deadline sees to.
    WholeSearch,
}

/// Plugins that go on starting after whoever asked has had an answer.
#[derive(Default)]
pub(in crate::facade) struct Loading(Mutex<JoinSet<()>>);

/// What there is to search in.
pub(super) struct Listing {
    need: Need,
    pub listed: Vec<Listed>,
    missing: Vec<Missing>,
}

/// A plugin that could not be asked.
struct Missing {
    plugin: Arc<Plugin>,
    cause: Cause,
}

enum Cause {
    Starting,
    /// Its tools are known, and their texts are not analysed yet.
    Reading,
    NeedsSetUp(SetUp),
    Failed(Failure),
}

impl Missing {
    /// The cause, without the name of the plugin that stands before it.
    fn reason(&self) -> String {
        match &self.cause {
            Cause::Starting => "still starting".to_owned(),
            Cause::Reading => "still being read".to_owned(),
            Cause::NeedsSetUp(set_up) => format!("needs set-up: {}", set_up.short),
            Cause::Failed(failure) => {
                let known = format!("the plugin {} is not available: ", self.plugin.prefix());
                let why = failure.error.strip_prefix(&known).unwrap_or(&failure.error);
                one_line(why, REASON_CHARS)
            }
        }
    }

    /// Whether a search in a moment may find what it has.
    fn is_coming(&self) -> bool {
        matches!(self.cause, Cause::Starting | Cause::Reading)
    }
}

impl Loading {
    /// Lists the plugins. With one plugin its failure is the answer; among several a failing one is named.
    pub(super) async fn listing(
        &self,
        plugins: &[Arc<Plugin>],
        need: Need,
    ) -> Result<Listing, Failure> {
        if let [only] = plugins {
            let catalogue = only.shown_catalogue().await?;
            if need != Need::Overview {
                prepare(only, &catalogue).await;
            }
            let plugin = only.clone();
            return Ok(Listing {
                need,
                listed: vec![Listed { plugin, catalogue }],
                missing: Vec::new(),
            });
        }
        let answers = self.answers(plugins, need).await;
        let mut listing = Listing {
            need,
            listed: Vec::new(),
            missing: Vec::new(),
        };
        for (plugin, answer) in plugins.iter().cloned().zip(answers) {
            let failed = |failure| match plugin.set_up() {
                Some(set_up) => Cause::NeedsSetUp(set_up.clone()),
                None => Cause::Failed(failure),
            };
            let known = match (answer, plugin.loaded_catalogue()) {
                (Some(answer), _) => answer.map_err(failed),
                (None, Some(known)) if need == Need::Overview || known.is_prepared() => Ok(known),
                (None, Some(_)) => Err(Cause::Reading),
                (None, None) => Err(plugin.last_failure().map_or(Cause::Starting, Cause::Failed)),
            };
            match known {
                Ok(catalogue) => listing.listed.push(Listed { plugin, catalogue }),
                Err(cause) => listing.missing.push(Missing { plugin, cause }),
            }
        }
        Ok(listing)
    }

    /// What the plugins answer in time, in their order. Nobody waits longer than [`PATIENCE`], whatever the others do.
    async fn answers(
        &self,
        plugins: &[Arc<Plugin>],
        need: Need,
    ) -> Vec<Option<Result<Arc<Catalogue>, Failure>>> {
        let now = Instant::now();
        let mut until: Vec<Option<Instant>> = plugins
            .iter()
            .map(|plugin| Some(now + patience_with(plugin)))
            .collect();
        let mut answers = vec![None; plugins.len()];
        let mut asked = self.ask(plugins, need);
        while let Some(latest) = until.iter().flatten().max() {
            let answer = match need {
                Need::WholeSearch => asked.recv().await,
                Need::Overview | Need::Search => tokio::time::timeout_at(*latest, asked.recv())
                    .await
                    .ok()
                    .flatten(),
            };
            let Some((position, answer)) = answer else {
                break;
            };
            answers[position] = Some(answer);
            until[position] = None;
        }
        answers
    }

    fn ask(
        &self,
        plugins: &[Arc<Plugin>],
        need: Need,
    ) -> mpsc::UnboundedReceiver<(usize, Result<Arc<Catalogue>, Failure>)> {
        let (answers, asked) = mpsc::unbounded_channel();
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        for (position, plugin) in plugins.iter().cloned().enumerate() {
            let answers = answers.clone();
            tasks.spawn(async move {
                let answer = plugin.shown_catalogue().await;
                if let (Ok(catalogue), true) = (&answer, need != Need::Overview) {
                    prepare(&plugin, catalogue).await;
                }
                // Nobody may be waiting any more; the plugin keeps what it has listed.
                let _ = answers.send((position, answer));
            });
        }
        asked
    }

    /// Lets nothing start any more.
    pub(in crate::facade) fn stop(&self) {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.abort_all();
    }
}

/// How long a plugin is waited for: what it has been starting for already counts.
fn patience_with(plugin: &Plugin) -> Duration {
    let patience = match plugin.last_failure() {
        Some(_) => PATIENCE_AFTER_FAILURE,
        None => PATIENCE,
    };
    let waited = plugin
        .listing_since()
        .map_or(Duration::ZERO, |since| since.elapsed());
    patience.saturating_sub(waited)
}

/// A line about those of the plugins that need set-up: what to do for each.
pub(super) fn set_up<'a>(plugins: impl Iterator<Item = &'a Plugin>) -> Option<String> {
    let mut needing: IndexMap<&str, &SetUp> = IndexMap::new();
    needing.extend(plugins.filter_map(|plugin| Some((plugin.prefix(), plugin.set_up()?))));
    let told = needing.iter().take(REASONS);
    let told: Vec<String> = told
        .map(|(prefix, set_up)| format!("{prefix}: {}", set_up.what))
        .collect();
    if told.is_empty() {
        return None;
    }
    let more = match needing.len() - told.len() {
        0 => String::new(),
        more => format!(" And {more} more."),
    };
    Some(format!("Needs set-up: {}.{more}", told.join(". ")))
}

/// The first of them, and how many more there are; none of none.
fn named(missing: &[&Missing], name: impl Fn(&Missing) -> String) -> Option<String> {
    let first: Vec<String> = missing.iter().take(REASONS).map(|one| name(one)).collect();
    match missing.len() - first.len() {
        _ if first.is_empty() => None,
        0 => Some(first.join(", ")),
        more => Some(format!("{}, and {more} more", first.join(", "))),
    }
}

impl Listing {
    /// How many tools and skills there are.
    pub(super) fn offered(&self) -> usize {
        let (tools, skills) = self.counts();
        tools + skills
    }

    /// How many tools, and how many skills.
    fn counts(&self) -> (usize, usize) {
        let catalogues = self.listed.iter().map(|listed| &listed.catalogue);
        catalogues.fold((0, 0), |(tools, skills), known| {
            (tools + known.tools.len(), skills + known.skills.len())
        })
    }

    /// The first `limit` entries, the skills of each plugin before its tools.
    pub(super) fn first(&self, limit: usize) -> Vec<Offer<'_>> {
        let offers = self.listed.iter().flat_map(|Listed { plugin, catalogue }| {
            let skills = catalogue.skills.values().map(Entry::Skill);
            let entries = skills.chain(catalogue.tools.values().map(Entry::Tool));
            entries.map(move |entry| Offer { plugin, entry })
        });
        offers.take(limit).collect()
    }

    /// What was searched: `github` or `70 plugins`.
    pub(super) fn name(&self, scope: &Scope<'_>) -> String {
        match (scope.is_one(), self.listed.len()) {
            (true, _) => scope.name(),
            (false, 1) => "1 plugin".to_owned(),
            (false, count) => format!("{count} plugins"),
        }
    }

    /// Which plugins were not searched, and why. Of several that need set-up the names alone are said: an overview says
    /// more of them, and each search would repeat it.
    pub(super) fn not_searched(&self) -> Option<String> {
        let (needing, failing): (Vec<&Missing>, Vec<&Missing>) = self
            .missing
            .iter()
            .partition(|missing| missing.plugin.set_up().is_some());
        let (alone, needing) = match (self.need, needing.len()) {
            (Need::Overview, _) => (Vec::new(), Vec::new()),
            (_, 1) => (needing, Vec::new()),
            _ => (Vec::new(), needing),
        };
        let mut parts = Vec::new();
        parts.extend(named(
            &failing.into_iter().chain(alone).collect::<Vec<_>>(),
            |missing| format!("{} ({})", missing.plugin.prefix(), missing.reason()),
        ));
        let prefixes = named(&needing, |missing| missing.plugin.prefix().to_owned());
        parts.extend(prefixes.map(|prefixes| format!("as they need set-up: {prefixes}")));
        if parts.is_empty() {
            return None;
        }
        let next = match self.missing.iter().any(|missing| missing.is_coming()) {
            true => " Search again in a moment.",
            false => "",
        };
        Some(format!("Not searched: {}.{next}", parts.join("; ")))
    }

    /// What has to be done for those of the plugins that need set-up.
    pub(super) fn set_up(&self) -> Option<String> {
        let listed = self.listed.iter().map(|listed| &*listed.plugin);
        let missing = self.missing.iter().map(|missing| &*missing.plugin);
        set_up(listed.chain(missing))
    }

    /// The plugins that were not searched, for programs: `[{plugin, why}]`.
    pub(super) fn missing(&self) -> Vec<Value> {
        let missing = self.missing.iter();
        missing
            .map(|missing| json!({ "plugin": missing.plugin.prefix(), "why": missing.reason() }))
            .collect()
    }

    /// What is to be known of plugins that cannot be searched, or that may not be what they seem.
    pub(super) fn reservations(&self, scope: &Scope<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.not_searched());
        if self.need == Need::Overview && !scope.is_one() {
            lines.extend(self.set_up());
        }
        let ([only], true) = (self.listed.as_slice(), scope.is_one()) else {
            return lines;
        };
        match (&only.catalogue.problem, only.plugin.reservation()) {
            (Some(problem), _) => lines.push(format!(
                "Incomplete: {}{}",
                problem.error,
                problem
                    .hint
                    .as_ref()
                    .map(|hint| format!(". {hint}"))
                    .unwrap_or_default()
            )),
            (None, Some(state)) => lines.push(format!("State: {state}.")),
            (None, None) => {}
        }
        if let Some(context) = &only.catalogue.context {
            lines.push(format!("Context: {context}"));
        }
        lines
    }

    /// The same for programs.
    pub(super) fn describe(&self, about: &mut Value) {
        let (tools, skills) = self.counts();
        about["tools"] = json!(tools);
        about["skills"] = json!(skills);
        if let [only] = self.listed.as_slice() {
            if let Some(problem) = &only.catalogue.problem {
                about["incomplete"] = json!(true);
                about["problem"] = problem.to_payload();
            } else if let Some(state) = only.plugin.reservation() {
                about["state"] = json!(state);
            }
            if let Some(context) = &only.catalogue.context {
                about["context"] = context.clone();
            }
        }
        if !self.missing.is_empty() {
            let missing = self.missing.iter();
            about["notSearched"] = missing
                .map(|missing| json!({ "plugin": missing.plugin.prefix(), "reason": missing.reason() }))
                .collect();
        }
    }
}
