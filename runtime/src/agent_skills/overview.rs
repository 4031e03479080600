//! The one `SKILL.md` that names all plugins, where one for each would be too many.

use super::{
    AgentSkill, AgentSkillOptions, LEAD, about, frontmatter,
    offered::Offered,
    ways::{ANY, Ways},
};
use crate::catalog::summary;

/// Plugins that are named; the specification asks for files of at most 500 lines.
const NAMED: usize = 400;
const ABOUT: usize = 120;

pub(super) fn skill(plugins: &[Offered], options: &AgentSkillOptions) -> AgentSkill {
    let description = about::of_all(plugins);
    let ways = Ways::of(&options.view, ANY, true);
    let mut text = frontmatter(LEAD, &description, options.commands_only);
    text.push_str("\n# Services behind agent-tools\n\n## How to use them\n\n");
    text.push_str(&ways.steps);
    text.push_str(
        "\nWhat changes something needs `\"confirm\":true` beside the arguments: pass it only when the user wants the change.\n",
    );
    text.push_str("\n## Services\n\n");
    for plugin in plugins.iter().take(NAMED) {
        let about = summary(plugin.about.as_deref().unwrap_or_default(), ABOUT);
        text.push_str(&match about.is_empty() {
            true => format!("- `{}`\n", plugin.prefix),
            false => format!("- `{}`: {about}.\n", plugin.prefix),
        });
    }
    if plugins.len() > NAMED {
        text.push_str(&format!("- and {} more\n", plugins.len() - NAMED));
    }
    AgentSkill {
        name: LEAD.to_owned(),
        description,
        plugin: None,
        listed: plugins.iter().all(|plugin| plugin.listed),
        text,
    }
}
