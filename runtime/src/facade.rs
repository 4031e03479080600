//! What a client sees: views of the catalogue as a tool list, and the dispatch of those tools.

mod answer;
mod call;
mod discover;
mod execute;
mod flat;
mod help;
mod list;
mod literal;
mod receipts;
mod sending;
mod skill;

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    adapter::{CallContext, Progress},
    config::{Deadlines, Options},
    guard::{Repeats, Seen, closest, refusal},
    plugin::{Plugin, PluginSet, Plugins},
    reply::{Code, Failure, Kept, Reply},
    request::Call,
};
use receipts::Receipts;
pub(crate) use sending::{cancelled, unknown_outcome};
pub(crate) use skill::SkillRuns;

/// Which tools a client sees.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct View {
    /// How the catalogue is shown.
    pub kind: ViewKind,
    /// Only this plugin.
    pub plugin: Option<String>,
}

/// How the catalogue is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ViewKind {
    /// Three tools per plugin: `_discover`, `_call`, `_run_skill`.
    #[default]
    Facade,
    /// One typed tool per tool and skill.
    Flat,
}

/// The verbs of the facade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Discover,
    Call,
    RunSkill,
}

/// The facade over a set of plugins.
pub(crate) struct Facade {
    plugins: PluginSet,
    deadlines: Deadlines,
    repeats: Repeats,
    kept: Kept,
    receipts: Receipts,
    runs: SkillRuns,
}

impl Facade {
    pub(crate) fn new(plugins: PluginSet, options: &Options) -> Self {
        Self {
            plugins,
            deadlines: options.deadlines,
            repeats: Repeats::new(options.repeats),
            kept: Kept::default(),
            receipts: Receipts::default(),
            runs: SkillRuns::default(),
        }
    }

    /// Forgets what was kept of long results.
    pub(crate) fn forget(&self) {
        self.kept.clear();
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
        match view.kind {
            ViewKind::Facade => Ok(list::facade_tools(&self.shown(view)?)),
            ViewKind::Flat => flat::tools(&self.shown(view)?, view.plugin.is_some()).await,
        }
    }

    /// The tools of a view as far as they are known without starting anything.
    pub(crate) async fn known_tools(&self, view: &View) -> Result<Vec<Value>, Failure> {
        match view.kind {
            ViewKind::Facade => self.tools(view).await,
            ViewKind::Flat => {
                Ok(flat::known_tools(&self.shown(view)?, view.plugin.is_some()).await)
            }
        }
    }

    /// Calls a tool of a view. Every outcome is a reply, but for a tool that does not exist.
    pub(crate) async fn dispatch(&self, call: Call) -> Result<Reply, Failure> {
        let (view, name) = (call.view.clone(), call.tool.clone());
        let reply = self.route(call).await?;
        if !reply.is_error {
            return Ok(reply);
        }
        let resolved = list::resolve(&self.plugins(), &name);
        Ok(match resolved.filter(|_| view.kind == ViewKind::Facade) {
            Some((plugin, _)) => {
                self.fitting_failure(reply, &answer::read_on_by_call(plugin.prefix()))
            }
            None => self.fitting_failure(reply, &answer::read_on_flat),
        })
    }

    async fn route(&self, call: Call) -> Result<Reply, Failure> {
        let Call {
            view,
            tool: name,
            arguments,
            session,
            shared_session,
            cancel,
            progress,
            sent,
        } = call;
        let plugins = self.shown(&view)?;
        let context = CallContext {
            cancel,
            session,
            shared_session,
            progress,
            sent,
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
            match flat::resolve(&plugins, view.plugin.is_some(), &name).await {
                Ok(Some((plugin, target))) => {
                    return Ok(flat::call(self, &plugin, target, &name, arguments, &context).await);
                }
                Ok(None) => {}
                // The facade's own names need no plugin.
                Err(_) if self.is_facade_name(&plugins, &name) => {}
                Err(failure) => return Ok(failure.into()),
            }
        }
        if view.kind == ViewKind::Flat && name == answer::READ_MORE {
            return Ok(self.read_more(&arguments, &answer::read_on_flat));
        }
        if name == help::NAME {
            return Ok(Reply::text(help::text(&plugins)));
        }
        // The facade's names work in every view: a client may have learnt them elsewhere.
        let Some((plugin, verb)) = list::resolve(&plugins, &name) else {
            return Err(self.unknown_tool(&view, &name, &context).await);
        };
        Ok(match verb {
            Verb::Discover => self.discover(&plugin, arguments).await,
            Verb::Call => self.call(&plugin, arguments, &context).await,
            Verb::RunSkill => self.run_skill(&plugin, arguments, &context).await,
        })
    }

    fn is_facade_name(&self, plugins: &[Arc<Plugin>], name: &str) -> bool {
        [answer::READ_MORE, help::NAME].contains(&name) || list::resolve(plugins, name).is_some()
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

    /// The plugins of a view; an unknown one is named with what there is.
    fn shown(&self, view: &View) -> Result<Plugins, Failure> {
        let Some(wanted) = &view.plugin else {
            return Ok(self.plugins());
        };
        match self.plugins.get(wanted) {
            Some(plugin) => Ok([plugin].into()),
            None => {
                let plugins = self.plugins();
                let known: Vec<&str> = plugins.iter().map(|plugin| plugin.prefix()).collect();
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
                .failed(&context.session, "", "", Code::UnknownFacadeTool, 0);
        if seen == Seen::TooOften {
            return refusal(name, Code::UnknownFacadeTool, failures);
        }
        let listed = self.tools(view).await.unwrap_or_default();
        let names = listed
            .iter()
            .filter_map(|tool| tool.get("name").and_then(Value::as_str));
        let hint = match closest(name, names) {
            Some(near) => format!("Did you mean {near}? {}() lists what there is.", help::NAME),
            None => format!("Call {}() to see what there is.", help::NAME),
        };
        Failure::new(
            Code::UnknownFacadeTool,
            format!("there is no tool {name:?}"),
        )
        .with_hint(hint)
    }
}
