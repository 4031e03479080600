//! What a client sees: views of the catalogue as a tool list, and the dispatch of those tools.

mod about;
mod answer;
mod auto;
mod call;
mod describe;
mod discover;
mod domains;
mod estimate;
mod execute;
mod explain;
mod flat;
mod help;
mod instructions;
mod list;
mod literal;
mod pins;
mod receipts;
mod search;
mod sending;
mod settled;
mod skill;
mod skill_runs;
mod unified;
mod verbs;
mod vocabulary;

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{
    adapter::{CallContext, Progress},
    audit::Recording,
    config::{Deadlines, Options},
    guard::{Consents, Repeats, Seen, closest, refusal},
    plugin::{Plugin, PluginSet, Plugins},
    policy::Remembered,
    reply::{Code, Failure, Kept, Reply, in_session},
    request::Call,
    usage::Usage,
    view::{View, ViewKind},
};
use about::About;
use auto::Choice;
pub use discover::SearchOptions;
use flat::Place;
use receipts::Receipts;
use search::Indexes;
pub(crate) use sending::{cancelled, unknown_outcome};
use settled::{List, Settled};
pub(crate) use skill_runs::SkillRuns;
use verbs::{Reach, Verb};

/// The facade over a set of plugins.
pub(crate) struct Facade {
    plugins: PluginSet,
    deadlines: Deadlines,
    repeats: Repeats,
    consents: Consents,
    kept: Kept,
    receipts: Receipts,
    runs: SkillRuns,
    loading: discover::Loading,
    indexes: Indexes,
    usage: Usage,
    settled: Settled,
}

impl Facade {
    pub(crate) fn new(plugins: PluginSet, options: &Options, usage: Usage) -> Self {
        let pins = options.pin.as_deref().unwrap_or_default();
        Self {
            settled: Settled::new(pins, &plugins.now()),
            plugins,
            deadlines: options.deadlines,
            repeats: Repeats::new(options.repeats),
            consents: Consents::new(Remembered::of_user()),
            kept: Kept::default(),
            receipts: Receipts::default(),
            runs: SkillRuns::default(),
            loading: discover::Loading::default(),
            indexes: Indexes::default(),
            usage,
        }
    }

    /// Forgets what was kept of long results.
    pub(crate) fn forget(&self) {
        self.kept.clear();
    }

    /// Lets no plugin go on starting for an answer that has been given.
    pub(crate) fn stop_loading(&self) {
        self.loading.stop();
    }

    /// Keeps for the next run how often what was called.
    pub(crate) async fn keep_usage(&self) {
        self.usage.keep().await;
    }

    /// The plugins as they are now.
    pub(crate) fn plugins(&self) -> Plugins {
        self.plugins.now()
    }

    /// The plugin of that prefix.
    pub(crate) fn plugin(&self, prefix: &str) -> Option<Arc<Plugin>> {
        self.plugins.get(prefix)
    }

    /// The tools of a view, as MCP tool objects.
    pub(crate) async fn tools(&self, view: &View) -> Result<Vec<Value>, Failure> {
        let (all, plugins) = self.shown(view)?;
        let view = self.settled_view(view, &all, &plugins).await;
        match view.kind {
            ViewKind::Flat => flat::tools(&plugins, view.plugin.is_some()).await,
            _ => {
                let list = self.list(&view, &all, &plugins).await;
                Ok(list
                    .get()
                    .map(|list| list.tools.clone())
                    .unwrap_or_default())
            }
        }
    }

    /// The tools of a view as far as they are known without starting anything.
    pub(crate) async fn known_tools(&self, view: &View) -> Result<Vec<Value>, Failure> {
        let (all, plugins) = self.shown(view)?;
        let view = self.settled_view(view, &all, &plugins).await;
        if view.kind == ViewKind::Flat {
            return Ok(flat::known_tools(&plugins, view.plugin.is_some()).await);
        }
        if let Some(made) = self.settled.made_list(&all, &view) {
            return Ok(made
                .get()
                .map(|list| list.tools.clone())
                .unwrap_or_default());
        }
        let mut tools = self.verbs(&view, &all, &plugins).await;
        tools.extend(self.settled.pins().find_known(&plugins).await.tools);
        Ok(tools)
    }

    /// What an MCP client's model is told of the view: when to look here, and how.
    pub(crate) async fn instructions(&self, view: &View) -> String {
        let Ok((all, plugins)) = self.shown(view) else {
            return String::new();
        };
        let kind = self.settled_view(view, &all, &plugins).await.kind;
        let about = self.settled.about(&all, &plugins).await;
        instructions::text(
            kind,
            &about,
            has_skills(&plugins),
            view.kind == ViewKind::Auto,
            &plugins,
        )
    }

    /// Whether what services list makes the list of a view another one.
    pub(crate) async fn follows_services(&self, view: &View) -> bool {
        match self.shown(view) {
            Ok((all, plugins)) => {
                self.settled_view(view, &all, &plugins).await.kind == ViewKind::Flat
            }
            Err(_) => true,
        }
    }

    /// What the `auto` view of all plugins shows, once it was asked for.
    pub(crate) fn chosen(&self) -> Option<Value> {
        self.settled.chosen()
    }

    /// What is wrong with pinned tools.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.settled.warnings()
    }

    /// The plugins of a view, and the view that `auto` stands for.
    pub(crate) async fn settled(&self, view: &View) -> Result<(View, Plugins), Failure> {
        let (all, plugins) = self.shown(view)?;
        let view = self.settled_view(view, &all, &plugins).await;
        Ok((view, plugins))
    }

    /// The view with `auto` replaced by what it stands for.
    async fn settled_view(&self, view: &View, all: &Plugins, plugins: &[Arc<Plugin>]) -> View {
        let kind = match view.kind {
            ViewKind::Auto => {
                let choose = || async {
                    let about = self.settled.about(all, plugins).await;
                    let unified = unified::list::tools(&about, has_skills(plugins));
                    let choice = Choice::of(plugins, view.plugin.is_some(), &unified).await;
                    tracing::info!(plugin = view.plugin, choice = %choice.to_json(), "the view is chosen");
                    choice
                };
                let choice = self.settled.choice(all, view.plugin.as_ref(), choose);
                choice.await.kind
            }
            kind => kind,
        };
        View {
            kind,
            plugin: view.plugin.clone(),
        }
    }

    /// The list of a view of verbs. It stays as it is for as long as the plugins are the same.
    async fn list(
        &self,
        view: &View,
        all: &Plugins,
        plugins: &[Arc<Plugin>],
    ) -> Arc<tokio::sync::OnceCell<List>> {
        let make = || async {
            let mut tools = self.verbs(view, all, plugins).await;
            let mut pinned = self.settled.pins().find(plugins).await;
            for warning in &pinned.warnings {
                tracing::warn!("{warning}");
            }
            tools.append(&mut pinned.tools);
            List { tools, pinned }
        };
        self.settled.list(all, view, make).await
    }

    async fn verbs(&self, view: &View, all: &Plugins, plugins: &[Arc<Plugin>]) -> Vec<Value> {
        let about: Vec<About> = self.settled.about(all, plugins).await;
        match view.kind {
            ViewKind::Facade => list::facade_tools(plugins, &about),
            _ => unified::list::tools(&about, has_skills(plugins)),
        }
    }

    /// Calls a tool of a view. Every outcome is a reply, but for a tool that does not exist.
    pub(crate) async fn dispatch(
        &self,
        call: Call,
        recording: Arc<Recording>,
    ) -> Result<Reply, Failure> {
        in_session(call.own_session(), self.answered(call, recording)).await
    }

    async fn answered(&self, mut call: Call, recording: Arc<Recording>) -> Result<Reply, Failure> {
        let (all, plugins) = self.shown(&call.view)?;
        call.view = self.settled_view(&call.view, &all, &plugins).await;
        let (view, name) = (call.view.clone(), call.tool.clone());
        let shared = Verb::shared(&name).map(|_| self.read_on_shared(&call.arguments));
        let reply = self.route(call, recording, &all, &plugins).await?;
        if !reply.is_error {
            return Ok(reply);
        }
        if view.kind == ViewKind::Flat {
            return Ok(self.fitting_failure(reply, &answer::read_on_flat));
        }
        if let Some(read_on) = shared {
            return Ok(self.fitting_failure(reply, &read_on));
        }
        let (plugin, reach) = match list::resolve(&plugins, &name) {
            Some((plugin, _)) => (Some(plugin), Reach::Own),
            None => (
                self.pinned(&view, &all, &name).map(|(plugin, _)| plugin),
                reach_of(&view),
            ),
        };
        Ok(match plugin {
            Some(plugin) => {
                self.fitting_failure(reply, &answer::read_on_by_call(reach.to(plugin.prefix())))
            }
            None => self.fitting_failure(reply, &unified::read_on),
        })
    }

    /// What a pinned tool of a list that was made stands for.
    fn pinned(
        &self,
        view: &View,
        all: &Plugins,
        name: &str,
    ) -> Option<(Arc<Plugin>, flat::Target)> {
        let list = self.settled.made_list(all, view)?;
        let (prefix, target) = list.get()?.pinned.targets.get(name)?;
        let plugin = all.iter().find(|plugin| plugin.prefix() == prefix)?;
        Some((plugin.clone(), target.clone()))
    }

    async fn route(
        &self,
        call: Call,
        recording: Arc<Recording>,
        all: &Plugins,
        plugins: &[Arc<Plugin>],
    ) -> Result<Reply, Failure> {
        let Call {
            view,
            tool: name,
            arguments,
            session,
            shared_session,
            cancel,
            progress,
            sent,
            approver,
            decided,
            client: _,
        } = call;
        let context = CallContext {
            cancel,
            session,
            shared_session,
            progress,
            sent,
            approver,
            decided,
            recording,
        };
        let arguments = match arguments {
            Value::Object(map) => map,
            Value::Null => Map::new(),
            other => {
                let failure = Failure::new(
                    Code::BadCallShape,
                    format!("the arguments of {name} must be an object, not {other}"),
                );
                return Ok(failure.with_hint(format!("{name} {{…}}")).into());
            }
        };
        if view.kind == ViewKind::Flat {
            match flat::resolve(plugins, view.plugin.is_some(), &name).await {
                Ok(Some((plugin, target))) => {
                    let place = Place::Flat;
                    let called =
                        flat::call(self, &plugin, target, &name, arguments, place, &context);
                    return Ok(called.await);
                }
                Ok(None) => {}
                // The facade's own names need no plugin.
                Err(_) if self.is_facade_name(plugins, &name) => {}
                Err(failure) => return Ok(failure.into()),
            }
        }
        if view.kind == ViewKind::Flat && name == answer::READ_MORE {
            return Ok(self.read_more(&arguments, &answer::read_on_flat));
        }
        if name == help::NAME {
            return Ok(Reply::text(help::text(plugins, reach_of(&view))));
        }
        // The facade's names work in every view: a client may have learnt them elsewhere.
        if let Some(verb) = Verb::shared(&name) {
            return Ok(self.shared(plugins, verb, arguments, &context).await);
        }
        let Some((plugin, verb)) = list::resolve(plugins, &name) else {
            if view.kind != ViewKind::Flat && !self.settled.pins().is_empty() {
                // A client may know the list from an earlier run.
                self.list(&view, all, plugins).await;
                if let Some((plugin, target)) = self.pinned(&view, all, &name) {
                    let place = Place::Pinned(reach_of(&view));
                    let called =
                        flat::call(self, &plugin, target, &name, arguments, place, &context);
                    return Ok(called.await);
                }
            }
            return Err(self.unknown_tool(&view, &name, &context).await);
        };
        Ok(match verb {
            Verb::Discover => {
                self.discover(&[plugin], plugins, Reach::Own, arguments)
                    .await
            }
            Verb::Call => self.call(&plugin, Reach::Own, arguments, &context).await,
            Verb::RunSkill => {
                self.run_skill(&plugin, Reach::Own, arguments, &context)
                    .await
            }
        })
    }

    fn is_facade_name(&self, plugins: &[Arc<Plugin>], name: &str) -> bool {
        [answer::READ_MORE, help::NAME].contains(&name)
            || Verb::shared(name).is_some()
            || list::resolve(plugins, name).is_some()
    }

    /// Progress that the embedding program reports, towards whoever made the call.
    pub(crate) fn report(&self, plugin: &str, call_id: &str, progress: Progress) {
        if self.runs.report(call_id, &progress) {
            return;
        }
        let plugins = self.plugins();
        let plugin = plugins.iter().find(|known| known.host_name() == plugin);
        if let Some(Ok(adapter)) = plugin.map(|plugin| plugin.adapter()) {
            adapter.report(call_id, progress);
        }
    }

    /// All plugins, and those of a view; an unknown one is named with what there is.
    fn shown(&self, view: &View) -> Result<(Plugins, Plugins), Failure> {
        let all = self.plugins();
        let Some(wanted) = &view.plugin else {
            return Ok((all.clone(), all));
        };
        match all.iter().find(|plugin| plugin.prefix() == wanted) {
            Some(plugin) => {
                let only = [plugin.clone()].into();
                Ok((all, only))
            }
            None => {
                let known: Vec<&str> = all.iter().map(|plugin| plugin.prefix()).collect();
                Err(Failure::new(
                    Code::PluginUnavailable,
                    format!("there is no plugin {wanted:?}"),
                )
                .with_hint(format!("The plugins are: {}.", known.join(", "))))
            }
        }
    }

    async fn unknown_tool(&self, view: &View, name: &str, context: &CallContext) -> Failure {
        let (seen, failures) =
            self.repeats
                .failed(&context.session, "", name, Code::UnknownFacadeTool, 0);
        if seen == Seen::TooOften {
            return refusal(name, Code::UnknownFacadeTool, failures);
        }
        let listed = self.tools(view).await.unwrap_or_default();
        let names = listed
            .iter()
            .filter_map(|tool| tool.get("name").and_then(Value::as_str));
        let overview = match view.kind {
            ViewKind::Unified => Verb::Discover.shared_name(),
            _ => help::NAME.to_owned(),
        };
        let hint = match closest(name, names) {
            Some(near) => format!("Did you mean {near}? {overview}() lists what there is."),
            None => format!("Call {overview}() to see what there is."),
        };
        Failure::new(
            Code::UnknownFacadeTool,
            format!("there is no tool {name:?}"),
        )
        .with_hint(hint)
    }
}

/// Known from manifests, so that it does not change with what services list.
fn has_skills(plugins: &[Arc<Plugin>]) -> bool {
    let mut manifests = plugins.iter().map(|plugin| &plugin.manifest);
    manifests.any(|manifest| manifest.skill_names().next().is_some())
}

/// Whose verbs a view of verbs has.
fn reach_of(view: &View) -> Reach {
    match view.kind {
        ViewKind::Unified => Reach::Shared,
        _ => Reach::Own,
    }
}
