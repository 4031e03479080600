//! What is known of a plugin's offer without starting it.

use crate::{
    catalog::{Catalogue, Skill, Tool, signature},
    plugin::Plugin,
};

/// One plugin, as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Offered {
    pub prefix: String,
    /// What the service is.
    pub about: Option<String>,
    /// One more sentence of its author.
    pub hint: Option<String>,
    pub require_confirm: bool,
    pub tools: Vec<Item>,
    pub skills: Vec<Item>,
    /// False when there may be more than the manifest says.
    pub listed: bool,
}

/// A tool or a skill.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub name: String,
    pub text: String,
    /// A signature or prose; of skills only.
    pub arguments: Option<String>,
    pub reads: bool,
}

impl Offered {
    pub(super) async fn of(plugin: &Plugin) -> Self {
        let manifest = &plugin.manifest;
        let known = plugin.listing_at_hand().await;
        let (tools, skills) = match &known {
            Some(catalogue) => listed(plugin, catalogue),
            None => told_by_manifest(plugin),
        };
        Self {
            prefix: manifest.prefix.clone(),
            about: manifest.description.clone(),
            hint: manifest.discover_hint.clone(),
            require_confirm: manifest.require_confirm,
            tools,
            skills,
            listed: known.is_some_and(|catalogue| catalogue.problem.is_none()),
        }
    }
}

fn listed(plugin: &Plugin, catalogue: &Catalogue) -> (Vec<Item>, Vec<Item>) {
    let tool = |tool: &Tool| Item {
        name: tool.name.clone(),
        text: tool.description.clone(),
        arguments: None,
        reads: plugin.trusts(tool),
    };
    let usable = |skill: &&Skill| skill.error.is_none();
    (
        catalogue.tools.values().map(tool).collect(),
        catalogue
            .skills
            .values()
            .filter(usable)
            .map(skill)
            .collect(),
    )
}

fn skill(skill: &Skill) -> Item {
    Item {
        name: skill.name.clone(),
        text: skill.description.clone(),
        arguments: match &skill.input_schema {
            Some(schema) => Some(signature(schema)),
            None => skill.args.clone(),
        },
        reads: skill.read_only,
    }
}

fn told_by_manifest(plugin: &Plugin) -> (Vec<Item>, Vec<Item>) {
    let manifest = &plugin.manifest;
    let reading = |name: &String| Item {
        name: name.clone(),
        reads: true,
        ..Item::default()
    };
    let skill = |name: &str| Item {
        name: name.to_owned(),
        reads: manifest.readonly_skills.iter().any(|known| known == name),
        ..Item::default()
    };
    (
        manifest.readonly_tools.iter().map(reading).collect(),
        manifest.skill_names().map(skill).collect(),
    )
}
