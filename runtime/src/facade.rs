//! What a client sees: views of the catalogue as a tool list, and the dispatch of those tools.

mod call;
mod discover;
mod execute;
mod flat;
mod help;
mod list;
mod literal;
mod skill;

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::{
    adapter::CallContext,
    config::Deadlines,
    guard::closest,
    plugin::Plugin,
    reply::{Code, Failure, Reply},
};
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

/// The facade over a fixed set of plugins.
pub(crate) struct Facade {
    plugins: Vec<Arc<Plugin>>,
    deadlines: Deadlines,
    runs: SkillRuns,
}

impl Facade {
    pub(crate) fn new(plugins: Vec<Arc<Plugin>>, deadlines: Deadlines) -> Self {
        Self {
            plugins,
            deadlines,
            runs: SkillRuns::default(),
        }
    }

    pub(crate) fn plugins(&self) -> &[Arc<Plugin>] {
        &self.plugins
    }

    /// The tools of a view, as MCP tool objects.
    pub(crate) async fn tools(&self, view: &View) -> Result<Vec<Value>, Failure> {
        match view.kind {
            ViewKind::Facade => Ok(list::facade_tools(&self.shown(view)?)),
            ViewKind::Flat => flat::tools(&self.shown(view)?, view.plugin.is_some()).await,
        }
    }

    /// Calls a tool of a view. Every outcome is a reply.
    pub(crate) async fn dispatch(
        &self,
        view: &View,
        name: &str,
        arguments: Map<String, Value>,
        cancel: CancellationToken,
    ) -> Result<Reply, Failure> {
        let plugins = self.shown(view)?;
        let context = CallContext {
            cancel,
            deadline: self.deadlines.call(),
        };
        if view.kind == ViewKind::Flat
            && let Some((plugin, target)) =
                flat::resolve(&plugins, view.plugin.is_some(), name).await
        {
            return Ok(flat::call(self, &plugin, target, name, arguments, &context).await);
        }
        if name == help::NAME {
            return Ok(Reply::text(help::text(&plugins)));
        }
        // The facade's names work in every view: a client may have learnt them elsewhere.
        let Some((plugin, verb)) = list::resolve(&plugins, name) else {
            return Err(self.unknown_tool(view, name).await);
        };
        Ok(match verb {
            Verb::Discover => discover::run(&plugin, arguments).await,
            Verb::Call => call::run(&plugin, arguments, &context).await,
            Verb::RunSkill => self.run_skill(&plugin, arguments, &context).await,
        })
    }

    /// The plugins of a view; an unknown one is named with what there is.
    fn shown(&self, view: &View) -> Result<Vec<Arc<Plugin>>, Failure> {
        let Some(wanted) = &view.plugin else {
            return Ok(self.plugins.clone());
        };
        match self.plugins.iter().find(|plugin| plugin.prefix() == wanted) {
            Some(plugin) => Ok(vec![plugin.clone()]),
            None => {
                let known: Vec<&str> = self.plugins.iter().map(|plugin| plugin.prefix()).collect();
                Err(Failure::new(
                    Code::PluginUnavailable,
                    format!("there is no plugin {wanted:?}"),
                )
                .with_hint(format!("The plugins are: {}.", known.join(", "))))
            }
        }
    }

    async fn unknown_tool(&self, view: &View, name: &str) -> Failure {
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
