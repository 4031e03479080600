//! What a tool or a skill may do, who says so, and what the rules say about it.

use std::sync::{Arc, PoisonError};

use super::Plugin;
use crate::{
    approval::{Kind, Subject},
    catalog::{Entry, Skill, Tool},
    checksum,
    config::ChosenBy,
    plugin::Manifest,
    policy::{Asking, Candidate, Decision, Named, Policy, Ruling},
    reply::Failure,
    trust::Definition,
};

/// What something may do, and who says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judged {
    pub kind: Kind,
    pub by: String,
}

impl Judged {
    fn new(kind: Kind, by: impl Into<String>) -> Self {
        Self {
            kind,
            by: by.into(),
        }
    }
}

impl Judged {
    /// This, or what does more.
    pub(crate) fn graver(self, other: Self) -> Self {
        match other.kind > self.kind {
            true => other,
            false => self,
        }
    }
}

/// Where a tool or skill stands: what it may do and what the rules say about it.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    pub subject: Subject,
    pub judged: Judged,
    pub ruling: Ruling,
    pub tags: Vec<String>,
    /// Stands for it as it is defined.
    pub definition: String,
    /// Whether a call is refused without `confirm`.
    pub confirm: bool,
}

impl Plugin {
    /// The rules.
    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The rules, for another plugin.
    pub(crate) fn shared_policy(&self) -> Arc<Policy> {
        self.policy.clone()
    }

    /// What a tool may do: what the user says counts before the manifest, and that before the service.
    pub(crate) fn judged_tool(&self, tool: &Tool) -> Judged {
        if let Some(judged) = self.judged_name(&tool.name, &self.manifest.readonly_tools) {
            return judged;
        }
        let hints = tool.hints;
        if hints.destructive == Some(true) {
            return Judged::new(
                Kind::Destructive,
                "the service says that it may destroy something",
            );
        }
        self.judged_claim(
            hints.read_only,
            Subject::Tool,
            &tool.name,
            "the service says that it only reads",
        )
    }

    /// What a skill may do.
    pub(crate) fn judged_skill(&self, skill: &Skill) -> Judged {
        if let Some(judged) = self.judged_name(&skill.name, &self.manifest.readonly_skills) {
            return judged;
        }
        self.judged_claim(
            skill.read_only,
            Subject::Skill,
            &skill.name,
            "the skill says that it only reads",
        )
    }

    /// What becomes of somebody's word that a tool or skill only reads.
    fn judged_claim(&self, reads: bool, subject: Subject, name: &str, claim: &str) -> Judged {
        let manifest = &self.manifest;
        if reads && manifest.trusted {
            return Judged::new(Kind::ReadOnly, claim);
        }
        let claim = match manifest.disbelieved.iter().any(|known| known == name) {
            true => Some("the plugin says that it only reads"),
            // What is marked does not say it any more.
            false => (reads || self.is_disbelieved(subject, name)).then_some(claim),
        };
        match claim.filter(|_| !manifest.trusted) {
            Some(claim) => {
                let by = format!("{claim}, and its plugin is not trusted");
                Judged::new(Kind::Mutating, by)
            }
            None => Judged::new(Kind::Mutating, "nobody says that it only reads"),
        }
    }

    fn is_disbelieved(&self, subject: Subject, name: &str) -> bool {
        let disbelieved = self.disbelieved.read();
        let disbelieved = disbelieved.unwrap_or_else(PoisonError::into_inner);
        disbelieved.contains(&(subject, name.to_owned()))
    }

    /// Keeps in mind whether a listed tool or skill says that it only reads and is not believed.
    fn note_claim(&self, subject: Subject, name: &str, reads: bool) {
        if self.manifest.trusted {
            return;
        }
        let disbelieved = self.disbelieved.write();
        let mut disbelieved = disbelieved.unwrap_or_else(PoisonError::into_inner);
        let key = (subject, name.to_owned());
        match reads {
            true => disbelieved.insert(key),
            false => disbelieved.remove(&key),
        };
    }

    /// What the user or the manifest say by name.
    fn judged_name(&self, name: &str, readonly: &[String]) -> Option<Judged> {
        let (policy, plugin) = (&self.policy, Named::from(&self.manifest));
        if let Some(file) = policy.calls_destructive(plugin, name) {
            let by = format!("policy.destructiveTools in {file}");
            return Some(Judged::new(Kind::Destructive, by));
        }
        if let Some(file) = policy.calls_read_only(plugin, name) {
            let by = format!("policy.readonlyTools in {file}");
            return Some(Judged::new(Kind::ReadOnly, by));
        }
        let has = |list: &[String]| list.iter().any(|known| known == name);
        if has(&self.manifest.destructive_tools) {
            let by = "destructiveTools of the plugin";
            return Some(Judged::new(Kind::Destructive, by));
        }
        has(readonly).then(|| Judged::new(Kind::ReadOnly, "the plugin's list of what only reads"))
    }

    /// Whether somebody besides the service says that the tool only reads.
    pub(crate) fn vouches_read_only(&self, name: &str) -> bool {
        let judged = self.judged_name(name, &self.manifest.readonly_tools);
        judged.is_some_and(|judged| judged.kind == Kind::ReadOnly)
    }

    /// The tool with annotations that say what it is taken for.
    pub(super) fn marked(&self, mut tool: Tool) -> Tool {
        self.note_claim(Subject::Tool, &tool.name, tool.hints.read_only);
        let kind = self.judged_tool(&tool).kind;
        let hints = &mut tool.hints;
        hints.read_only = kind == Kind::ReadOnly;
        match kind {
            Kind::Destructive => hints.destructive = Some(true),
            // An annotation that the user has overruled.
            Kind::ReadOnly if hints.destructive == Some(true) => hints.destructive = Some(false),
            Kind::ReadOnly | Kind::Mutating => {}
        }
        tool
    }

    /// The same for a skill.
    pub(super) fn marked_skill(&self, mut skill: Skill) -> Skill {
        self.note_claim(Subject::Skill, &skill.name, skill.read_only);
        skill.read_only = self.judged_skill(&skill).kind == Kind::ReadOnly;
        skill
    }

    /// What a tool may do, and what the rules say about it.
    pub(crate) fn ruling_on_tool(&self, tool: &Tool) -> (Kind, Ruling) {
        let kind = self.judged_tool(tool).kind;
        let ruling = self.ruling(&tool.name, kind, &self.tags_of(tool));
        (kind, ruling)
    }

    /// What a skill may do, and what the rules say about it.
    pub(crate) fn ruling_on_skill(&self, skill: &Skill) -> (Kind, Ruling) {
        let kind = self.judged_skill(skill).kind;
        let ruling = self.ruling(&skill.name, kind, &self.manifest.tags);
        (kind, ruling)
    }

    /// The tool as the rules see it.
    pub(crate) fn candidate<'a>(
        &'a self,
        name: &'a str,
        kind: Kind,
        tags: &'a [String],
    ) -> Candidate<'a> {
        Candidate {
            plugin: Named::from(&self.manifest),
            name,
            kind,
            tags,
            trusted: self.manifest.trusted,
            free: !self.manifest.require_confirm,
        }
    }

    /// Its own tags and those of its plugin.
    pub(crate) fn tags_of(&self, tool: &Tool) -> Vec<String> {
        let tags = self.manifest.tags.iter().chain(&tool.tags);
        tags.cloned().collect()
    }

    fn ruling(&self, name: &str, kind: Kind, tags: &[String]) -> Ruling {
        self.policy.judge(&self.candidate(name, kind, tags))
    }

    fn standing_of_tool(&self, tool: &Tool) -> Standing {
        let judged = self.judged_tool(tool);
        let tags = self.tags_of(tool);
        Standing {
            subject: Subject::Tool,
            ruling: self.ruling(&tool.name, judged.kind, &tags),
            judged,
            tags,
            definition: self.definition_of(tool),
            confirm: self.needs_confirm(tool),
        }
    }

    fn standing_of_skill(&self, skill: &Skill) -> Standing {
        let judged = self.judged_skill(skill);
        let tags = self.manifest.tags.clone();
        Standing {
            subject: Subject::Skill,
            ruling: self.ruling(&skill.name, judged.kind, &tags),
            judged,
            tags,
            definition: skill.definition(),
            confirm: self.skill_needs_confirm(skill),
        }
    }

    /// Where something that is listed stands.
    pub(crate) fn standing_of(&self, entry: &Entry<'_>) -> Standing {
        match entry {
            Entry::Tool(tool) => self.standing_of_tool(tool),
            Entry::Skill(skill) => self.standing_of_skill(skill),
        }
    }

    /// Where a tool or skill of that name stands, a tool before a skill. What is denied is known, too.
    pub(crate) async fn standing(&self, name: &str) -> Result<Option<Standing>, Failure> {
        let catalogue = self.catalogue().await?;
        if let Some(tool) = catalogue.tools.get(name) {
            return Ok(Some(self.standing_of_tool(tool)));
        }
        if let Some(skill) = catalogue.skills.get(name) {
            return Ok(Some(self.standing_of_skill(skill)));
        }
        let denied = self.denied.read().unwrap_or_else(PoisonError::into_inner);
        let subjects = [Subject::Tool, Subject::Skill];
        let mut denied = subjects
            .into_iter()
            .filter_map(|subject| denied.get(&(subject, name.to_owned())));
        Ok(denied.next().cloned())
    }

    /// Whether a listed tool is offered. What is denied is kept in mind with its rule.
    pub(super) fn offers_tool(&self, tool: &Tool) -> bool {
        let (_, ruling) = self.ruling_on_tool(tool);
        let standing = || self.standing_of_tool(tool);
        self.offers(Subject::Tool, &tool.name, &ruling, standing)
    }

    /// The same for a skill.
    pub(super) fn offers_skill(&self, skill: &Skill) -> bool {
        let (_, ruling) = self.ruling_on_skill(skill);
        let standing = || self.standing_of_skill(skill);
        self.offers(Subject::Skill, &skill.name, &ruling, standing)
    }

    fn offers(
        &self,
        subject: Subject,
        name: &str,
        ruling: &Ruling,
        standing: impl FnOnce() -> Standing,
    ) -> bool {
        let denied = (ruling.decision == Decision::Deny).then(standing);
        let offered = denied.is_none();
        let mut known = self.denied.write().unwrap_or_else(PoisonError::into_inner);
        let key = (subject, name.to_owned());
        match denied {
            Some(standing) => drop(known.insert(key, standing)),
            None => drop(known.remove(&key)),
        }
        offered
    }

    /// The rule that denies a tool or skill of the last listing.
    pub(crate) fn denies(&self, subject: Subject, name: &str) -> Option<Ruling> {
        let denied = self.denied.read().unwrap_or_else(PoisonError::into_inner);
        let standing = denied.get(&(subject, name.to_owned()))?;
        Some(standing.ruling.clone())
    }

    /// Stands for where the plugin comes from, so that another one that takes its name is not taken for it.
    pub(crate) fn origin(&self) -> String {
        origin(&self.manifest)
    }

    /// Whether a call of the tool is refused without `confirm`.
    pub(crate) fn needs_confirm(&self, tool: &Tool) -> bool {
        let (kind, ruling) = self.ruling_on_tool(tool);
        let reads = kind == Kind::ReadOnly && self.trusts(tool);
        needs_confirm(reads, self.has_changed(tool), &ruling)
    }

    /// Whether a run of the skill is refused without `confirm`.
    pub(crate) fn skill_needs_confirm(&self, skill: &Skill) -> bool {
        let (kind, ruling) = self.ruling_on_skill(skill);
        needs_confirm(kind == Kind::ReadOnly, false, &ruling)
    }

    /// Whether the tool is not what it was when it was judged to be read-only.
    pub(crate) fn has_changed(&self, tool: &Tool) -> bool {
        tool.hints.read_only && !self.trusts(tool) && self.manifest.require_confirm
    }

    /// Stands for the tool as it is defined now.
    pub(crate) fn definition_of(&self, tool: &Tool) -> String {
        Definition::of(tool).checksums().fingerprint()
    }

    /// How the user is asked about what is called here.
    pub(crate) fn asking(&self) -> Asking {
        self.policy.asking()
    }
}

fn needs_confirm(reads: bool, changed: bool, ruling: &Ruling) -> bool {
    match ruling.decision {
        Decision::Ask if ruling.explicit => true,
        Decision::Allow if ruling.explicit => changed,
        _ => !reads,
    }
}

fn origin(manifest: &Manifest) -> String {
    let Manifest {
        configured,
        dir,
        content,
        chosen_by,
        ..
    } = manifest;
    let place = match configured {
        // Items of `plugins` have one name for all.
        Some(entry) => format!("{:?} {:?} {dir:?}", entry.file, entry.name),
        None => format!("{dir:?}"),
    };
    // What a project may rewrite at any time is not the same any more when it does.
    let may_be_rewritten = *chosen_by == ChosenBy::Project || configured.is_none();
    let content = may_be_rewritten.then_some(content.hash);
    checksum::hex(&format!("{place} {content:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::configured::ConfigEntry;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn two_folders_that_one_file_names_are_two_places() {
        let of = |dir: &str| {
            let manifest =
                Manifest::from_settings(&json!({"prefix": "x", "host": true}), Path::new(dir));
            origin(&Manifest {
                configured: Some(ConfigEntry {
                    file: "/home/u/agent-tools.json".into(),
                    name: Some("plugins".into()),
                }),
                ..manifest.unwrap()
            })
        };
        assert_eq!(of("/home/u/a"), of("/home/u/a"));
        assert_ne!(of("/home/u/a"), of("/home/u/b"));
    }
}
