//! What one plugin offers, for people: what each tool and skill is, what it may do, and what the rules say of it.

use serde_json::{Value, json};

use super::Facade;
use crate::{
    approval::{Kind, Subject},
    catalog::{Catalogue, Entry},
    plugin::{Plugin, Standing},
    policy::{Decision, Ruling},
    reply::{Code, Failure},
};

impl Facade {
    /// `{plugin, entries: [{kind, name, title?, description, effect, decision, broken?}], problem?}`. A plugin of which nothing is known is started
    /// for it.
    pub(crate) async fn offers(&self, plugin: &Plugin) -> Result<Value, Failure> {
        let catalogue = plugin.shown_catalogue().await?;
        let entries: Vec<Value> = entries(&catalogue)
            .map(|entry| summary(plugin, &entry))
            .collect();
        let mut offers = json!({ "plugin": plugin.prefix(), "entries": entries });
        if let Some(problem) = &catalogue.problem {
            offers["problem"] = json!(problem.error);
        }
        Ok(offers)
    }

    /// One of them, with `inputSchema`, `effectBy`, `rule` and, of a skill, `args`.
    pub(crate) async fn describe(
        &self,
        plugin: &Plugin,
        subject: Subject,
        name: &str,
    ) -> Result<Value, Failure> {
        let catalogue = plugin.shown_catalogue().await?;
        let entry = match subject {
            Subject::Tool => catalogue.tools.get(name).map(Entry::Tool),
            Subject::Skill => catalogue.skills.get(name).map(Entry::Skill),
        };
        let entry = entry.ok_or_else(|| unknown(plugin, subject, name))?;
        let Standing { judged, ruling, .. } = plugin.standing_of(&entry);
        let mut shown = summary(plugin, &entry);
        shown["effectBy"] = json!(judged.by);
        shown["rule"] = json!(ruling.rule);
        match entry {
            Entry::Tool(tool) => shown["inputSchema"] = json!(tool.input_schema),
            Entry::Skill(skill) => {
                shown["inputSchema"] = json!(skill.input_schema);
                shown["args"] = json!(skill.args);
            }
        }
        Ok(shown)
    }
}

fn entries(catalogue: &Catalogue) -> impl Iterator<Item = Entry<'_>> {
    let tools = catalogue.tools.values().map(Entry::Tool);
    tools.chain(catalogue.skills.values().map(Entry::Skill))
}

fn summary(plugin: &Plugin, entry: &Entry<'_>) -> Value {
    let Standing {
        subject,
        judged,
        ruling,
        ..
    } = plugin.standing_of(entry);
    let (name, description) = match entry {
        Entry::Tool(tool) => (&tool.name, &tool.description),
        Entry::Skill(skill) => (&skill.name, &skill.description),
    };
    let mut shown = json!({
        "plugin": plugin.prefix(),
        "kind": subject,
        "name": name,
        "description": description,
        "effect": judged.kind,
        "decision": becomes_of(judged.kind, &ruling),
    });
    match entry {
        Entry::Tool(tool) if tool.title.is_some() => shown["title"] = json!(tool.title),
        Entry::Skill(skill) if skill.error.is_some() => shown["broken"] = json!(skill.error),
        Entry::Tool(_) | Entry::Skill(_) => {}
    }
    shown
}

/// What becomes of a call: what only reads is called where no rule wants it asked about.
fn becomes_of(kind: Kind, ruling: &Ruling) -> Decision {
    match ruling.decision {
        Decision::Ask if kind == Kind::ReadOnly && !ruling.asks_by_rule() => Decision::Allow,
        decision => decision,
    }
}

fn unknown(plugin: &Plugin, subject: Subject, name: &str) -> Failure {
    let code = match subject {
        Subject::Tool => Code::UnknownTool,
        Subject::Skill => Code::UnknownSkill,
    };
    let (prefix, what) = (plugin.prefix(), subject.as_str());
    Failure::new(code, format!("{prefix} has no {what} {name:?}")).with_hint(format!(
        "See what it has: agent-tools discover --plugin {prefix} {name}"
    ))
}
