//! The rules of one file, ready to be matched.

use std::time::Duration;

use super::{
    Candidate, Decision, Headless, PolicyKeys,
    plugin_name::{Named, PluginGlob, ToolGlob},
};
use crate::{approval::Kind, config::ChosenBy, similar::closest};

/// Where a rule stands in the order of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Tool,
    Group,
    Default,
}

/// A rule that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Matched {
    pub level: Level,
    pub decision: Decision,
    /// As it is written: `tools["github/delete_*"]: deny`.
    pub rule: String,
    /// The file that it is in.
    pub file: String,
    pub author: ChosenBy,
    /// It names the plugin, and not whatever plugin there is.
    pub by_name: bool,
}

impl Matched {
    /// The rule with the file that it is in.
    pub(crate) fn shown(&self) -> String {
        format!("{} ({})", self.rule, self.file)
    }
}

/// The rules of one file.
#[derive(Debug)]
pub(super) struct Layer {
    pub author: ChosenBy,
    /// The file, or what else they come from.
    pub file: String,
    tools: Vec<Rule<ToolGlob>>,
    groups: Vec<Rule<Group>>,
    default: Option<Decision>,
    pub headless: Option<Headless>,
    pub timeout: Option<Duration>,
    trust: Vec<PluginGlob>,
    readonly: Vec<ToolGlob>,
    destructive: Vec<ToolGlob>,
}

#[derive(Debug)]
struct Rule<M> {
    matcher: M,
    text: String,
    decision: Decision,
}

#[derive(Debug)]
enum Group {
    Plugin(PluginGlob),
    Tag(String),
    Kind(Kind),
}

const GROUPS: [&str; 5] = ["plugin:", "tag:", "readOnly", "mutating", "destructive"];

impl Layer {
    /// The error says which rule cannot be read.
    pub(super) fn new(keys: &PolicyKeys, author: ChosenBy, file: String) -> Result<Self, String> {
        let mut tools = Vec::new();
        for (glob, decision) in &keys.tools {
            tools.push(Rule {
                matcher: ToolGlob::new(glob).map_err(|what| format!("tools: {what}"))?,
                text: format!("tools[{glob:?}]"),
                decision: *decision,
            });
        }
        let mut groups = Vec::new();
        for (group, decision) in &keys.groups {
            groups.push(Rule {
                matcher: Group::parse(group)?,
                text: format!("groups[{group:?}]"),
                decision: *decision,
            });
        }
        Ok(Self {
            author,
            file,
            tools,
            groups,
            default: keys.default,
            headless: keys.headless,
            timeout: keys.ask_timeout_ms.map(Duration::from_millis),
            trust: PluginGlob::all(&keys.trust).map_err(|what| format!("trust: {what}"))?,
            readonly: ToolGlob::all("readonlyTools", &keys.readonly_tools)?,
            destructive: ToolGlob::all("destructiveTools", &keys.destructive_tools)?,
        })
    }

    pub(super) fn trusts(&self, plugin: Named<'_>) -> bool {
        self.trust.iter().any(|glob| glob.frees(plugin))
    }

    pub(super) fn calls_read_only(&self, plugin: Named<'_>, name: &str) -> bool {
        self.readonly.iter().any(|glob| glob.frees(plugin, name))
    }

    pub(super) fn calls_destructive(&self, plugin: Named<'_>, name: &str) -> bool {
        self.destructive
            .iter()
            .any(|glob| glob.matches(plugin, name))
    }

    /// Whether something is loosened for plugins of that name.
    pub(super) fn frees_by_name(&self, plugin: Named<'_>) -> bool {
        let allows = |decision: Decision| decision == Decision::Allow;
        let tools = self.tools.iter().filter(|rule| allows(rule.decision));
        let groups = self.groups.iter().filter(|rule| allows(rule.decision));
        let groups = groups.filter_map(|rule| match &rule.matcher {
            Group::Plugin(glob) => Some(glob),
            Group::Tag(_) | Group::Kind(_) => None,
        });
        let globs = tools.map(|rule| rule.matcher.plugin()).chain(groups);
        globs
            .chain(&self.trust)
            .chain(self.readonly.iter().map(ToolGlob::plugin))
            .any(|glob| !glob.any && glob.matches(plugin))
    }

    /// The rules that match, in the order of precedence.
    pub(super) fn matching(&self, candidate: &Candidate<'_>) -> Vec<Matched> {
        let matched = |level, decision, text: &str, by_name| Matched {
            level,
            decision,
            rule: format!("{text}: {}", decision.as_str()),
            file: self.file.clone(),
            author: self.author,
            by_name,
        };
        let tools = self.tools.iter().filter(|rule| rule.holds(candidate));
        let groups = self.groups.iter().filter(|rule| {
            // What a plugin says about itself frees nothing, unless it is trusted.
            let by_tag = matches!(rule.matcher, Group::Tag(_));
            let counts = !by_tag || candidate.trusted || rule.decision != Decision::Allow;
            counts && rule.matcher.holds(candidate, rule.decision)
        });
        let tools = tools.map(|rule| {
            let by_name = !rule.matcher.plugin().any;
            matched(Level::Tool, rule.decision, &rule.text, by_name)
        });
        let groups = groups.map(|rule| {
            let by_name = matches!(&rule.matcher, Group::Plugin(glob) if !glob.any);
            matched(Level::Group, rule.decision, &rule.text, by_name)
        });
        let default = self
            .default
            .map(|decision| matched(Level::Default, decision, "default", false));
        tools.chain(groups).chain(default).collect()
    }

    /// The keys that would loosen something.
    pub(super) fn loosening(keys: &PolicyKeys) -> Vec<String> {
        let allow = |decision: &Decision| *decision == Decision::Allow;
        let tools = keys.tools.iter().filter(|(_, decision)| allow(decision));
        let groups = keys.groups.iter().filter(|(_, decision)| allow(decision));
        let mut loosening: Vec<String> = tools
            .map(|(glob, _)| format!("tools[{glob:?}]: allow"))
            .chain(groups.map(|(group, _)| format!("groups[{group:?}]: allow")))
            .collect();
        if keys.default == Some(Decision::Allow) {
            loosening.push("default: allow".into());
        }
        if keys.headless == Some(Headless::Confirm) {
            loosening.push("headless: confirm".into());
        }
        for (key, globs) in [
            ("trust", &keys.trust),
            ("readonlyTools", &keys.readonly_tools),
        ] {
            if !globs.is_empty() {
                loosening.push(key.into());
            }
        }
        loosening
    }
}

impl Rule<ToolGlob> {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        let Candidate { plugin, name, .. } = *candidate;
        // A text that can be read in two ways allows the first alone, and forbids both.
        match self.decision {
            Decision::Allow => self.matcher.names_first(plugin, name),
            Decision::Ask | Decision::Deny => self.matcher.matches(plugin, name),
        }
    }
}

impl Group {
    fn parse(text: &str) -> Result<Self, String> {
        if let Some(glob) = text.strip_prefix("plugin:") {
            let glob = PluginGlob::new(glob).map_err(|what| format!("{text:?}: {what}"))?;
            return Ok(Self::Plugin(glob));
        }
        if let Some(tag) = text.strip_prefix("tag:") {
            return match tag.is_empty() {
                true => Err(format!("{text:?}: the name of the tag is empty")),
                false => Ok(Self::Tag(tag.to_owned())),
            };
        }
        Ok(Self::Kind(match text {
            "readOnly" => Kind::ReadOnly,
            "mutating" => Kind::Mutating,
            "destructive" => Kind::Destructive,
            _ => {
                let near = closest(text, GROUPS.into_iter())
                    .map(|near| format!("; did you mean {near:?}?"));
                return Err(format!(
                    "{text:?} is no group: there are plugin:<glob>, tag:<tag>, readOnly, mutating and destructive{}",
                    near.unwrap_or_default()
                ));
            }
        }))
    }

    fn holds(&self, candidate: &Candidate<'_>, decision: Decision) -> bool {
        match self {
            Self::Plugin(glob) => glob.matches(candidate.plugin),
            Self::Tag(tag) => candidate
                .tags
                .iter()
                .any(|own| own.eq_ignore_ascii_case(tag)),
            // What destroys something changes it, too; but who allows changes has not allowed that.
            Self::Kind(Kind::Mutating) if decision != Decision::Allow => {
                candidate.kind != Kind::ReadOnly
            }
            Self::Kind(kind) => candidate.kind == *kind,
        }
    }
}
