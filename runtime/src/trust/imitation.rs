//! Names that can be taken for another plugin's.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{definition::Definition, scan::looks_like};
use crate::{catalog::Tool, plugin::Plugin};

/// Names in one sentence.
const MAX_NAMES: usize = 5;

/// One tool, for a comparison with others that look the same.
struct Owner<'a> {
    prefix: &'a str,
    tool: &'a Tool,
}

impl Owner<'_> {
    fn name(&self) -> &str {
        &self.tool.name
    }
}

/// What can be mistaken among the plugins, as sentences: prefixes, tools whose names look the same, and tools of the same
/// name. A server that is there twice imitates nothing. Of plugins that are not listed yet nothing is known.
pub(crate) fn imitations(plugins: &[Arc<Plugin>]) -> Vec<String> {
    let prefixes: Vec<&str> = plugins.iter().map(|plugin| plugin.prefix()).collect();
    let mut sentences = alike_prefixes(&prefixes);
    let listed: Vec<_> = plugins
        .iter()
        .filter_map(|plugin| Some((plugin.prefix(), plugin.loaded_catalogue()?)))
        .collect();
    let mut by_looks: BTreeMap<String, Vec<Owner>> = BTreeMap::new();
    for (prefix, catalogue) in &listed {
        for tool in catalogue.tools.values() {
            let owners = by_looks.entry(looks(&tool.name)).or_default();
            owners.push(Owner { prefix, tool });
        }
    }
    let mut same = Vec::new();
    for owners in by_looks.values() {
        sentences.extend(look_alikes(owners));
        same.extend(same_name(owners));
    }
    if !same.is_empty() {
        sentences.push(format!(
            "tools of different plugins have the same name: {}; make sure that the one that is called is the one that is meant",
            some(&same)
        ));
    }
    sentences
}

fn alike_prefixes(prefixes: &[&str]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (at, prefix) in prefixes.iter().enumerate() {
        for other in &prefixes[at + 1..] {
            if looks(prefix) == looks(other) {
                sentences.push(format!(
                    "the plugins {prefix} and {other} can be mistaken for each other"
                ));
            }
        }
    }
    sentences
}

/// The name without what the eye passes over.
fn looks(name: &str) -> String {
    let name: String = looks_like(name)
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect();
    // Once more, as a capital letter may look like a small one of another kind.
    looks_like(&name.to_lowercase())
}

/// Names of letters that only look the same. Other spellings of a word are none of it.
fn look_alikes(owners: &[Owner]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (at, owner) in owners.iter().enumerate() {
        let imitated = owners[..at].iter().find(|other| {
            other.prefix != owner.prefix
                && other.name() != owner.name()
                && other.name().is_ascii() != owner.name().is_ascii()
        });
        if let Some(other) = imitated {
            sentences.push(format!(
                "{:?} of {} looks like {:?} of {}, and has other letters",
                other.name(),
                other.prefix,
                owner.name(),
                owner.prefix
            ));
        }
    }
    sentences
}

/// `name (a, b)` where plugins have different tools of one name.
fn same_name(owners: &[Owner]) -> Vec<String> {
    let names: BTreeSet<&str> = owners.iter().map(Owner::name).collect();
    let shared = names.into_iter().filter_map(|name| {
        let mut own = owners.iter().filter(|owner| owner.name() == name);
        let first = own.next()?;
        // Only what has the same name is copied for the comparison.
        let mut others = own.peekable();
        others.peek()?;
        let first = Definition::of(first.tool);
        if others.all(|owner| Definition::of(owner.tool) == first) {
            return None;
        }
        let owners = owners.iter().filter(|owner| owner.name() == name);
        let prefixes: Vec<&str> = owners.map(|owner| owner.prefix).collect();
        Some(format!("{name} ({})", prefixes.join(", ")))
    });
    shared.collect()
}

fn some(names: &[String]) -> String {
    let shown = names[..names.len().min(MAX_NAMES)].join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool(name: &str, description: &str) -> Tool {
        Tool::from_json(&json!({"name": name, "description": description})).unwrap()
    }

    /// The tools as those of the plugins `a` and `b`.
    fn owners(tools: &[Tool; 2]) -> [Owner<'_>; 2] {
        let [a, b] = tools;
        let owner = |prefix, tool| Owner { prefix, tool };
        [owner("a", a), owner("b", b)]
    }

    #[test]
    fn names_that_look_the_same_are_told() {
        assert_eq!(
            alike_prefixes(&["github", "git-hub", "gitlab", "G1thub", "g1thub"]),
            [
                "the plugins github and git-hub can be mistaken for each other",
                "the plugins G1thub and g1thub can be mistaken for each other"
            ]
        );
        let alike = [tool("list_issues", "x"), tool("lіst_issues", "x")];
        assert_eq!(looks(&alike[0].name), looks(&alike[1].name));
        assert_eq!(look_alikes(&owners(&alike)).len(), 1);
        let spelled = [tool("list_issues", "x"), tool("listIssues", "x")];
        assert_eq!(look_alikes(&owners(&spelled)), [] as [&str; 0]);
    }

    #[test]
    fn the_same_name_is_told_unless_it_is_the_same_tool() {
        let twice = [tool("search", "x"), tool("search", "x")];
        assert_eq!(same_name(&owners(&twice)), [] as [&str; 0]);
        let other = [tool("search", "x"), tool("search", "y")];
        assert_eq!(same_name(&owners(&other)), ["search (a, b)"]);
    }
}
