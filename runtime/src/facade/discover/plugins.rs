//! What all plugins offer, without a query: the plugins.

use serde_json::json;

use super::{
    Scope,
    listing::Listing,
    overview::{amounts, used_most},
};
use crate::{catalog::summary, facade::search::Listed, tokens::estimate};

/// An overview of all plugins stays below 400 tokens; their names may be more than they are estimated to be.
const BUDGET: usize = 320;

pub(super) fn text(scope: &Scope<'_>, listing: &Listing, used: &[String]) -> String {
    let listed = listing.listed.as_slice();
    if listed.is_empty() {
        return format!("{}: nothing is known of what they offer.", scope.name());
    }
    let (mut tools, mut skills) = (0, 0);
    for Listed { catalogue, .. } in listed {
        tools += catalogue.tools.len();
        skills += catalogue.skills.len();
    }
    let first = scope.to(&listed[0].plugin).discover_with(json!({}));
    let head = format!(
        "{}: {}.\nFind one: {}\nSee a plugin: {first}{}",
        listing.name(scope),
        amounts(tools, skills),
        scope.discover(json!({ "query": "what you want to do" })),
        used_most(used)
    );
    let ways: [&dyn Fn() -> String; 5] = [
        &|| lines(listed, 80),
        &|| lines(listed, 50),
        &|| lines(listed, 30),
        &|| {
            format!(
                "\nPlugins, with how much each has: {}",
                inline(listed, true, listed.len())
            )
        },
        &|| format!("\nPlugins: {}", inline(listed, false, listed.len())),
    ];
    // What has to be done first is said in the same room.
    let budget = BUDGET.saturating_sub(listing.set_up().map_or(0, |line| estimate(&line)));
    for way in ways {
        let text = format!("{head}{}", way());
        if estimate(&text) <= budget {
            return text;
        }
    }
    let mut shown = listed.len();
    loop {
        shown -= shown.div_ceil(8);
        let left = listed.len() - shown;
        let some = inline(listed, false, shown);
        let text = format!("{head}\nPlugins: {some}, … and {left} more: agent_tools_help {{}}");
        if estimate(&text) <= budget || shown == 0 {
            return text;
        }
    }
}

fn count(listed: &Listed) -> usize {
    listed.catalogue.tools.len() + listed.catalogue.skills.len()
}

/// `\ngithub (26): Issues and pull requests of GitHub`
fn lines(listed: &[Listed], sentence: usize) -> String {
    let line = |listed: &Listed| {
        let manifest = &listed.plugin.manifest;
        let about = summary(
            manifest.description.as_deref().unwrap_or_default(),
            sentence,
        );
        let colon = if about.is_empty() { "" } else { ": " };
        let state = match listed.plugin.set_up() {
            Some(_) => ", needs set-up",
            None => "",
        };
        let count = count(listed);
        format!("\n{} ({count}{state}){colon}{about}", manifest.prefix)
    };
    listed.iter().map(line).collect()
}

fn inline(listed: &[Listed], counts: bool, shown: usize) -> String {
    let named = listed.iter().take(shown).map(|listed| {
        let prefix = listed.plugin.prefix();
        match counts {
            true => format!("{prefix} {}", count(listed)),
            false => prefix.to_owned(),
        }
    });
    named.collect::<Vec<_>>().join(", ")
}
