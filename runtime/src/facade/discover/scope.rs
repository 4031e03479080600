//! Whose tools are asked for, and how a further `discover` of the same is spelled.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    facade::verbs::{Reach, Spelling, Verb},
    plugin::Plugin,
};

/// Whose tools are asked for.
pub(super) struct Scope<'a> {
    asked: Asked<'a>,
    /// All that the caller's view has.
    within: &'a [Arc<Plugin>],
    reach: Reach,
}

enum Asked<'a> {
    One(&'a Plugin),
    /// So many plugins.
    All(usize),
}

impl<'a> Scope<'a> {
    pub(super) fn of(plugins: &'a [Arc<Plugin>], within: &'a [Arc<Plugin>], reach: Reach) -> Self {
        let asked = match plugins {
            [only] => Asked::One(only),
            several => Asked::All(several.len()),
        };
        Self {
            asked,
            within,
            reach,
        }
    }

    pub(super) fn is_one(&self) -> bool {
        matches!(self.asked, Asked::One(_))
    }

    pub(super) fn reach(&self) -> Reach {
        self.reach
    }

    /// The plugins that the caller can reach.
    pub(super) fn within(&self) -> &'a [Arc<Plugin>] {
        self.within
    }

    /// `github` or `70 plugins`.
    pub(super) fn name(&self) -> String {
        match self.asked {
            Asked::One(plugin) => plugin.prefix().to_owned(),
            Asked::All(1) => "1 plugin".to_owned(),
            Asked::All(count) => format!("{count} plugins"),
        }
    }

    /// A `discover` over the same, written out.
    pub(super) fn discover(&self, body: Value) -> String {
        match self.asked {
            Asked::One(plugin) => self.reach.to(plugin.prefix()).discover_with(body),
            Asked::All(_) => format!("{} {body}", Verb::Discover.shared_name()),
        }
    }

    /// How calls to a plugin are spelled.
    pub(super) fn to<'p>(&self, plugin: &'p Plugin) -> Spelling<'p> {
        self.reach.to(plugin.prefix())
    }
}
