//! What may be called, what is asked about first, and what is not to be had at all.
//!
//! A rule by tool goes before one by group, and that before the default; of several that match in one level the
//! strictest counts. The user's rules decide, and a project's only where they are stricter.

#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod keys;
mod layer;
mod plugin_name;
mod remembered;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    approval::Kind,
    checksum,
    config::{ChosenBy, own_file},
    plugin::Manifest,
};

pub use keys::PolicyKeys;
use layer::Layer;
pub(crate) use layer::{Level, Matched};
pub(crate) use plugin_name::Named;
pub(crate) use remembered::{Allowed, Remembered};

/// What a rule says about a tool or a skill, the milder first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It is called without asking.
    Allow,
    /// The user is asked first.
    Ask,
    /// It is neither shown nor called.
    Deny,
}

impl Decision {
    /// `allow`, `ask` or `deny`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// What becomes of a call that is to be asked about, where nobody can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Headless {
    /// `confirm: true` suffices, unless the tool may destroy something.
    #[default]
    Confirm,
    /// It is refused.
    Refuse,
}

/// How the user is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asking {
    pub headless: Headless,
    /// No answer within this time means no.
    pub timeout: Duration,
}

/// An answer may take five minutes.
const ASK_TIMEOUT: Duration = Duration::from_secs(300);

/// A tool or skill that is judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub plugin: Named<'a>,
    pub name: &'a str,
    pub kind: Kind,
    pub tags: &'a [String],
    /// The user trusts its plugin.
    pub trusted: bool,
    /// Its plugin says that nothing of it needs consent, and that counts.
    pub free: bool,
}

/// What the rules say about one tool or skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ruling {
    pub decision: Decision,
    /// The rule that decided, as it is written, and the file it is in.
    pub rule: String,
    /// It names the tool or a group that the tool is in, and is no default.
    pub explicit: bool,
}

/// Every rule that there is.
#[derive(Debug, Default)]
pub(crate) struct Policy {
    layers: Vec<Layer>,
    /// Files whose rules cannot be known. Nothing is called until they are mended.
    unreadable: Vec<PathBuf>,
    /// What all of this was made from.
    text: String,
}

impl Policy {
    /// Adds the rules of a file, or of the options. What cannot be used is said in sentences.
    pub(crate) fn add(&mut self, keys: &PolicyKeys, author: ChosenBy, file: &str) -> Vec<String> {
        let written = serde_json::to_string(keys).unwrap_or_default();
        self.text
            .push_str(&format!("{author:?} {file} {written}\n"));
        let mut warnings = Vec::new();
        if author == ChosenBy::Project {
            let loosening = Layer::loosening(keys);
            if !loosening.is_empty() {
                warnings.push(format!(
                    "policy: a project's file may only tighten, so that this is ignored: {}; write it into {}",
                    loosening.join(", "),
                    own_file()
                ));
            }
        }
        match Layer::new(keys, author, file.to_owned()) {
            Ok(layer) => self.layers.push(layer),
            Err(what) => {
                warnings.push(format!(
                    "policy: {what}; nothing is called until this is mended"
                ));
                self.unreadable(Path::new(file));
            }
        }
        warnings
    }

    /// A file whose rules cannot be known may have denied anything.
    pub(crate) fn unreadable(&mut self, file: &Path) {
        self.text
            .push_str(&format!("unreadable {}\n", file.display()));
        self.unreadable.push(file.to_owned());
    }

    /// Whether every rule is known.
    pub(crate) fn is_whole(&self) -> bool {
        self.unreadable.is_empty()
    }

    /// Tells policies apart.
    pub(crate) fn fingerprint(&self) -> String {
        checksum::hex(&self.text)
    }

    /// Whether the user trusts the plugin by name, and the file that says so.
    pub(crate) fn trusts(&self, plugin: Named<'_>) -> Option<&str> {
        let layer = self.users().find(|layer| layer.trusts(plugin));
        layer.map(|layer| layer.file.as_str())
    }

    /// The file that says that a tool or skill never changes anything.
    pub(crate) fn calls_read_only(&self, plugin: Named<'_>, name: &str) -> Option<&str> {
        let layer = self
            .users()
            .find(|layer| layer.calls_read_only(plugin, name));
        layer.map(|layer| layer.file.as_str())
    }

    /// The file that says that a tool or skill may destroy something.
    pub(crate) fn calls_destructive(&self, plugin: Named<'_>, name: &str) -> Option<&str> {
        let mut layers = self.layers.iter();
        let layer = layers.find(|layer| layer.calls_destructive(plugin, name));
        layer.map(|layer| layer.file.as_str())
    }

    /// Whether the user loosens something for plugins of that name.
    pub(crate) fn frees_by_name(&self, plugin: Named<'_>) -> bool {
        self.users().any(|layer| layer.frees_by_name(plugin))
    }

    /// How the user is asked. A project may only make it stricter.
    pub(crate) fn asking(&self) -> Asking {
        let headless = match self
            .projects()
            .any(|layer| layer.headless == Some(Headless::Refuse))
        {
            true => Headless::Refuse,
            false => self
                .users()
                .find_map(|layer| layer.headless)
                .unwrap_or_default(),
        };
        let own = self.users().find_map(|layer| layer.timeout);
        let shortest = self.projects().filter_map(|layer| layer.timeout).min();
        let timeout = own.unwrap_or(ASK_TIMEOUT);
        Asking {
            headless,
            timeout: shortest.map_or(timeout, |shortest| shortest.min(timeout)),
        }
    }

    /// Every rule that matches: the user's first, in the order of precedence.
    pub(crate) fn matching(&self, candidate: &Candidate<'_>) -> Vec<Matched> {
        let layers = self.users().chain(self.projects());
        layers.flat_map(|layer| layer.matching(candidate)).collect()
    }

    /// What the rules say.
    pub(crate) fn judge(&self, candidate: &Candidate<'_>) -> Ruling {
        if let Some(file) = self.unreadable.first() {
            return Ruling {
                decision: Decision::Deny,
                rule: format!("the rules in {} cannot be read", file.display()),
                explicit: true,
            };
        }
        let ruling = self.ruling(candidate);
        if candidate.kind != Kind::Destructive || !self.is_destructive_by_projects(candidate) {
            return ruling;
        }
        // The word of a project frees it from no rule about what it is besides.
        [Kind::Mutating, Kind::ReadOnly]
            .map(|kind| self.ruling(&Candidate { kind, ..*candidate }))
            .into_iter()
            .fold(ruling, Ruling::stricter)
    }

    /// Whether projects, and no file of the user, say that it may destroy something.
    fn is_destructive_by_projects(&self, candidate: &Candidate<'_>) -> bool {
        let calls = |layer: &Layer| layer.calls_destructive(candidate.plugin, candidate.name);
        self.projects().any(calls) && !self.users().any(calls)
    }

    fn ruling(&self, candidate: &Candidate<'_>) -> Ruling {
        let users = self.users().flat_map(|layer| layer.matching(candidate));
        // What the user says of a name is not meant for a plugin that has only borrowed it, and holds where it is stricter.
        let (by_name, meant): (Vec<_>, Vec<_>) =
            users.partition(|rule| candidate.plugin.borrowed && rule.by_name);
        let own = match strictest(meant) {
            Some(rule) if rule.level != Level::Default || rule.decision == Decision::Deny => {
                Ruling::of(&rule)
            }
            _ if candidate.free => Ruling {
                decision: Decision::Allow,
                rule: format!(
                    "requireConfirm: false of the plugin {}",
                    candidate.plugin.prefix
                ),
                explicit: true,
            },
            Some(rule) => Ruling::of(&rule),
            None => Ruling {
                decision: Decision::Ask,
                rule: "the built-in default: ask".to_owned(),
                explicit: false,
            },
        };
        // No file of a project loosens what another one says, either.
        let projects = self.projects().map(|layer| layer.matching(candidate));
        std::iter::once(by_name)
            .chain(projects)
            .filter_map(strictest)
            .map(|rule| Ruling::of(&rule))
            .fold(own, Ruling::stricter)
    }

    /// Has a manifest name nothing that is denied, as far as that can be seen from names.
    pub(crate) fn withhold(&self, manifest: &mut Manifest) {
        let denies = |name: &str, kind| {
            let candidate = Candidate {
                plugin: Named::from(&*manifest),
                name,
                kind,
                tags: &manifest.tags,
                trusted: manifest.trusted,
                free: !manifest.require_confirm,
            };
            self.judge(&candidate).decision == Decision::Deny
        };
        let reads = |name: &str| manifest.readonly_skills.iter().any(|known| known == name);
        let kind = |name: &str| match reads(name) {
            true => Kind::ReadOnly,
            false => Kind::Mutating,
        };
        let withheld = manifest
            .skill_names()
            .filter(|name| denies(name, kind(name)))
            .map(str::to_owned)
            .collect();
        let named = |name: &&String| !denies(name, Kind::ReadOnly);
        let readonly = manifest
            .readonly_tools
            .iter()
            .filter(named)
            .cloned()
            .collect();
        manifest.withheld = withheld;
        manifest.readonly_tools = readonly;
    }

    fn users(&self) -> impl Iterator<Item = &Layer> {
        self.layers
            .iter()
            .filter(|layer| layer.author == ChosenBy::User)
    }

    fn projects(&self) -> impl Iterator<Item = &Layer> {
        self.layers
            .iter()
            .filter(|layer| layer.author == ChosenBy::Project)
    }
}

impl Ruling {
    /// Whether a rule that is no default wants the user asked.
    pub(crate) fn asks_by_rule(&self) -> bool {
        self.explicit && self.decision == Decision::Ask
    }

    fn of(rule: &Matched) -> Self {
        Self {
            decision: rule.decision,
            rule: rule.shown(),
            explicit: rule.level != Level::Default,
        }
    }

    /// This one, or another that asks for more: a rule that asks holds for what only reads, too, and a default does not.
    pub(crate) fn stricter(self, other: Self) -> Self {
        let asks_for = |ruling: &Self| match ruling.decision {
            Decision::Allow => 0,
            Decision::Ask => 1 + u8::from(ruling.explicit),
            Decision::Deny => 3,
        };
        match asks_for(&other) > asks_for(&self) {
            true => other,
            false => self,
        }
    }
}

/// The rule of the first level that has one; of several there the strictest.
fn strictest(matching: Vec<Matched>) -> Option<Matched> {
    [Level::Tool, Level::Group, Level::Default]
        .into_iter()
        .find_map(|level| {
            let rules = matching.iter().filter(|rule| rule.level == level);
            // Of equally strict ones the first is named.
            rules.rev().max_by_key(|rule| rule.decision)
        })
        .cloned()
}

#[cfg(test)]
mod tests;
