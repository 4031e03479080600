//! Doors for the fuzz targets: the rules of several files, and what they say.

#![allow(missing_docs)]

use std::time::Duration;

use super::{Candidate, Decision, Headless, Named, Policy, PolicyKeys};
use crate::{approval::Kind, config::ChosenBy, plugin::Found};

/// All rules that there are.
pub struct Rules(Policy);

/// Something that is judged.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub plugin: &'a str,
    /// It has only borrowed the name.
    pub borrowed: bool,
    pub name: &'a str,
    pub kind: Kind,
    pub tags: &'a [String],
    pub trusted: bool,
    pub free: bool,
}

impl Rules {
    pub fn new<'a>(layers: impl IntoIterator<Item = (ChosenBy, &'a PolicyKeys)>) -> Self {
        let mut policy = Policy::default();
        for (number, (author, keys)) in layers.into_iter().enumerate() {
            policy.add(keys, author, &format!("{number}.json"));
        }
        Self(policy)
    }

    /// Those of the files that were read.
    pub fn found(found: &mut Found) -> Self {
        Self(std::mem::take(&mut found.policy))
    }

    pub fn is_whole(&self) -> bool {
        self.0.is_whole()
    }

    pub fn judge(&self, asked: Asked<'_>) -> Decision {
        let plugin = Named {
            borrowed: asked.borrowed,
            ..named(asked.plugin)
        };
        let candidate = Candidate {
            plugin,
            name: asked.name,
            kind: asked.kind,
            tags: asked.tags,
            trusted: asked.trusted,
            free: asked.free,
        };
        self.0.judge(&candidate).decision
    }

    pub fn trusts(&self, plugin: &str) -> bool {
        self.0.trusts(named(plugin)).is_some()
    }

    pub fn calls_read_only(&self, plugin: &str, name: &str) -> bool {
        self.0.calls_read_only(named(plugin), name).is_some()
    }

    pub fn calls_destructive(&self, plugin: &str, name: &str) -> bool {
        self.0.calls_destructive(named(plugin), name).is_some()
    }

    /// How a person is asked, and for how long.
    pub fn asking(&self) -> (Headless, Duration) {
        let asking = self.0.asking();
        (asking.headless, asking.timeout)
    }
}

fn named(plugin: &str) -> Named<'_> {
    Named {
        prefix: plugin,
        declared: plugin,
        borrowed: false,
    }
}
