//! The description of a skill: what it does and when to use it, in as few words as a prompt can bear.

use super::{MAX_DESCRIPTION, offered::Offered, phrases::phrases};
use crate::catalog::summary;

/// What a plugin's author says is cut here, so that there is room for what it can do.
const ABOUT: usize = 120;

/// `Issues and notes of a demo. Use it to list/create issues, add notes.`
pub(super) fn of_plugin(plugin: &Offered) -> String {
    let about = match &plugin.about {
        Some(about) if !about.trim().is_empty() => summary(about, ABOUT),
        _ => format!("The service {}", plugin.prefix),
    };
    let names: Vec<&str> = plugin
        .tools
        .iter()
        .chain(&plugin.skills)
        .map(|item| item.name.as_str())
        .collect();
    let lead = format!("{about}. Use it to ");
    match joined(
        &phrases(&plugin.prefix, &names),
        MAX_DESCRIPTION - lead.chars().count(),
    ) {
        uses if uses.is_empty() => {
            format!("{about}. Use it when a task concerns {}.", plugin.prefix)
        }
        uses => format!("{lead}{uses}."),
    }
}

/// The names of the plugins, as many as fit.
pub(super) fn of_all(plugins: &[Offered]) -> String {
    let names: Vec<String> = plugins.iter().map(|plugin| plugin.prefix.clone()).collect();
    let lead = "Use it when a task concerns one of these services: ";
    let fitting = joined(
        &names,
        MAX_DESCRIPTION - lead.len() - " and 9999 more.".len(),
    );
    match names.len() - fitting.split(", ").filter(|name| !name.is_empty()).count() {
        0 => format!("{lead}{fitting}."),
        others => format!("{lead}{fitting} and {others} more."),
    }
}

/// As many parts as fit into `room` characters with a full stop.
fn joined(parts: &[String], room: usize) -> String {
    let mut text = String::new();
    for part in parts {
        let separator = if text.is_empty() { "" } else { ", " };
        if text.chars().count() + separator.len() + part.chars().count() + 1 > room {
            break;
        }
        text.push_str(separator);
        text.push_str(part);
    }
    text
}
