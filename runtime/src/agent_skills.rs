//! `SKILL.md` files (agentskills.io) made from what plugins offer, for clients that find skills where they do not look for
//! tools. Nothing is started for them: they say what is known.

mod about;
mod document;
mod folder;
mod name;
mod offered;
mod overview;
mod phrases;
mod ways;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{View, catalog::one_line, plugin::Plugin};
pub(crate) use folder::write;
pub use folder::{FileState, Written, WrittenFile};
use name::Names;
use offered::Offered;
use ways::Ways;

/// The longest description, in characters: clients put it into the prompt of every request. About 60 tokens.
const MAX_DESCRIPTION: usize = 240;
/// What the name of each of these skills begins with.
const LEAD: &str = "agent-tools";
/// Key and value by which a file is known to be ours.
const MARK: (&str, &str) = ("generated-by", "agent-tools-runtime");

/// Which skills are made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct AgentSkillOptions {
    /// The view that the client has: the calls are written for it.
    pub view: View,
    /// One skill that names all plugins, in place of one for each.
    pub one: bool,
    /// A person may call them; the model is not shown them (`disable-model-invocation`).
    pub commands_only: bool,
}

/// One `SKILL.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentSkill {
    /// At most 64 lower-case letters, digits and hyphens; its folder has the same name.
    pub name: String,
    /// What it does and when to use it, at most 240 characters.
    pub description: String,
    /// The plugin's prefix; none for the skill that names all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plugin: Option<String>,
    /// Whether what the plugin offers was known; if not, the file holds what the manifest says.
    pub listed: bool,
    /// The file.
    pub text: String,
}

/// The skills of these plugins, in their order.
pub(crate) async fn agent_skills(
    plugins: &[Arc<Plugin>],
    options: &AgentSkillOptions,
) -> Vec<AgentSkill> {
    let mut offered = Vec::with_capacity(plugins.len());
    for plugin in plugins {
        offered.push(Offered::of(plugin).await);
    }
    made_of(&offered, options)
}

fn made_of(offered: &[Offered], options: &AgentSkillOptions) -> Vec<AgentSkill> {
    if options.one {
        return match offered.is_empty() {
            true => Vec::new(),
            false => vec![overview::skill(offered, options)],
        };
    }
    let mut names = Names::default();
    offered
        .iter()
        .map(|plugin| {
            let name = names.of(&plugin.prefix);
            let ways = Ways::of(&options.view, &plugin.prefix, !plugin.skills.is_empty());
            document::skill(plugin, name, &ways, options.commands_only)
        })
        .collect()
}

/// `metadata` of the frontmatter, which tells our files from those of others.
pub(crate) fn metadata() -> serde_json::Value {
    serde_json::json!({ MARK.0: MARK.1 })
}

/// The lines above the text: values as JSON strings, which YAML reads alike.
fn frontmatter(name: &str, description: &str, commands_only: bool) -> String {
    let description = serde_json::Value::from(description);
    let hidden = match commands_only {
        true => "disable-model-invocation: true\n",
        false => "",
    };
    format!(
        "---\nname: {name}\ndescription: {description}\n{hidden}metadata:\n  {}: {}\n---\n",
        MARK.0, MARK.1
    )
}

/// One line of someone else's text: without line breaks and what cannot be seen, and without backticks, which would end the
/// code around it.
fn line(text: &str) -> String {
    one_line(text, usize::MAX).replace('`', "'")
}

#[cfg(test)]
mod tests;
