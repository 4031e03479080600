//! The `SKILL.md` of one plugin.

use super::{
    AgentSkill, about, frontmatter, line,
    offered::{Item, Offered},
    ways::Ways,
};
use crate::catalog::summary;

/// Tools that are described; of the others only names are given.
const DESCRIBED_TOOLS: usize = 40;
const NAMED_TOOLS: usize = 200;
const SKILLS: usize = 60;
/// Of one tool's description.
const TEXT: usize = 160;
/// Of one skill's arguments.
const ARGUMENTS: usize = 300;

pub(super) fn skill(
    plugin: &Offered,
    name: String,
    ways: &Ways,
    commands_only: bool,
) -> AgentSkill {
    let description = about::of_plugin(plugin);
    let mut text = frontmatter(&name, &description, commands_only);
    text.push_str(&head(plugin));
    text.push_str("\n## How to use it\n\n");
    text.push_str(&ways.steps);
    text.push('\n');
    text.push_str(&notes(plugin, ways));
    text.push_str(&skills(plugin));
    text.push_str(&tools(plugin));
    AgentSkill {
        name,
        description,
        plugin: Some(plugin.prefix.clone()),
        listed: plugin.listed,
        text,
    }
}

fn head(plugin: &Offered) -> String {
    let mut text = format!("\n# {}\n\n", plugin.prefix);
    for sentence in [&plugin.about, &plugin.hint].into_iter().flatten() {
        text.push_str(line(sentence).trim_end_matches('.'));
        text.push_str(". ");
    }
    text.push_str(&match plugin.listed {
        true => format!(
            "{} and {}.\n",
            counted(plugin.tools.len(), "tool"),
            counted(plugin.skills.len(), "skill")
        ),
        false => "It has not been listed as a whole yet, so there may be more than stands here.\n"
            .to_owned(),
    });
    text
}

fn notes(plugin: &Offered, ways: &Ways) -> String {
    let mut text = String::new();
    if let Some(example) = &ways.example {
        text.push_str(&format!(
            "Your client may show these names with one of its own in front, such as `mcp__…__{example}`.\n"
        ));
    }
    if plugin.require_confirm {
        text.push_str(
            "What *changes* something needs `\"confirm\":true` beside the arguments: pass it only when the user wants the change.\n",
        );
    }
    text
}

fn skills(plugin: &Offered) -> String {
    if plugin.skills.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n## Skills\n\n");
    for skill in plugin.skills.iter().take(SKILLS) {
        text.push_str(&entry(skill));
        if let Some(arguments) = &skill.arguments {
            text.push_str(&format!(
                " Arguments: `{}`",
                cut(&line(arguments), ARGUMENTS)
            ));
        }
        text.push('\n');
    }
    text
}

fn tools(plugin: &Offered) -> String {
    let (described, others) = plugin
        .tools
        .split_at(plugin.tools.len().min(DESCRIBED_TOOLS));
    if described.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n## Tools\n\n");
    for tool in described {
        text.push_str(&entry(tool));
        text.push('\n');
    }
    if !others.is_empty() {
        let names: Vec<String> = others
            .iter()
            .take(NAMED_TOOLS)
            .map(|tool| format!("`{}`", line(&tool.name)))
            .collect();
        let rest = others.len() - names.len();
        let more = if rest > 0 {
            format!(" and {rest} more")
        } else {
            String::new()
        };
        text.push_str(&format!("\nAlso {}{more}.\n", names.join(", ")));
    }
    text
}

/// `- `name` (reads): What it does.`
fn entry(item: &Item) -> String {
    let effect = if item.reads { "reads" } else { "changes" };
    let name = line(&item.name);
    match summary(&item.text, TEXT) {
        text if text.is_empty() => format!("- `{name}` ({effect})."),
        text => format!("- `{name}` ({effect}): {text}."),
    }
}

fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
