//! What one plugin offers, without a query.

use serde_json::json;

use super::{
    Scope,
    names::{OTHERS, grouped},
};
use crate::{
    catalog::{Catalogue, summary},
    facade::search::Listed,
    plugin::Plugin,
    tokens::estimate,
};

/// An overview of one plugin stays below 250 tokens; names may be more than they are estimated to be.
const BUDGET: usize = 205;
/// Fewer tools than this are not grouped.
const MIN_GROUPED: usize = 20;

pub(super) fn text(scope: &Scope<'_>, listed: &Listed, used: &[String]) -> String {
    let Listed { plugin, catalogue } = listed;
    let (tools, skills) = (catalogue.tools.len(), catalogue.skills.len());
    if tools + skills == 0 {
        return format!(
            "{} has no tools and no skills: its service lists none.",
            plugin.prefix()
        );
    }
    let head = format!("{}: {}", plugin.prefix(), amounts(tools, skills));
    let ask = scope.discover(json!({ "query": "<a name, or what you want to do>" }));
    let ways: [&dyn Fn() -> String; 6] = [
        &|| described(plugin, catalogue, 60),
        &|| described(plugin, catalogue, 40),
        &|| named(catalogue, usize::MAX),
        &|| named(catalogue, 6),
        &|| named(catalogue, 3),
        &|| named(catalogue, 1),
    ];
    let mut text = String::new();
    for way in ways {
        text = format!("{head}. How to call one: {ask}{}{}", used_most(used), way());
        if estimate(&text) <= BUDGET {
            return text;
        }
    }
    cut(text)
}

/// `\nMost used: list_issues, create_issue`
pub(super) fn used_most(used: &[String]) -> String {
    match used.is_empty() {
        true => String::new(),
        false => format!("\nMost used: {}", used.join(", ")),
    }
}

/// `26 tools, 2 skills`
pub(super) fn amounts(tools: usize, skills: usize) -> String {
    let amount = |count: usize, what: &str| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{count} {what}s")),
    };
    let amounts = [amount(tools, "tool"), amount(skills, "skill")];
    amounts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A line with a sentence for each.
fn described(plugin: &Plugin, catalogue: &Catalogue, sentence: usize) -> String {
    let line = |name: &str, mark: &str, description: &str| {
        let said = summary(description, sentence);
        let colon = if said.is_empty() { "" } else { ": " };
        format!("\n{name} ({mark}){colon}{said}")
    };
    let effect = |read_only| if read_only { "read-only" } else { "changes" };
    let skills = catalogue.skills.values().map(|skill| {
        let mark = format!("skill, {}", effect(skill.read_only));
        line(&skill.name, &mark, &skill.description)
    });
    let tools = catalogue.tools.values();
    let tools = tools.map(|tool| line(&tool.name, effect(plugin.trusts(tool)), &tool.description));
    skills.chain(tools).collect()
}

/// The names, in groups where there are many, with so many names for each.
fn named(catalogue: &Catalogue, each: usize) -> String {
    let mut text = String::new();
    let skills: Vec<&str> = catalogue.skills.keys().map(String::as_str).collect();
    if !skills.is_empty() {
        text.push_str(&group("Skills", &skills, each.saturating_mul(2)));
    }
    let tools: Vec<&str> = catalogue.tools.keys().map(String::as_str).collect();
    if tools.len() < MIN_GROUPED {
        return text + &group("Tools", &tools, each.saturating_mul(4));
    }
    for (word, names) in grouped(&tools) {
        let title = if word == OTHERS { "Others" } else { &word };
        text.push_str(&group(title, &names, each));
    }
    text
}

/// `\nissue (8): list_issues, create_issue, …`
fn group(title: &str, names: &[&str], each: usize) -> String {
    let more = if names.len() > each { ", …" } else { "" };
    let shown = &names[..names.len().min(each)];
    format!("\n{title} ({}): {}{more}", names.len(), shown.join(", "))
}

/// As many lines as fit.
fn cut(text: String) -> String {
    const LEFT_OUT: &str = "\n… and more that are not named: search for them.";
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        if estimate(&kept) + estimate(line) + estimate(LEFT_OUT) > BUDGET {
            return kept.trim_end().to_owned() + LEFT_OUT;
        }
        kept.push_str(line);
    }
    kept
}
