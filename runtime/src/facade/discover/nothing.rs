//! The reply when nothing fits.

use indexmap::IndexMap;
use serde_json::json;

use super::{Scope, listing::Listing};
use crate::{
    catalog::one_line,
    facade::{
        help,
        verbs::{Reach, Verb},
    },
    plugin::Plugin,
};

/// A longer query is not repeated whole.
const QUERY_CHARS: usize = 80;
/// So many plugins are named as the nearest.
const NEAREST: usize = 3;
/// So few are named: who reads them sees what fits where the words of a search do not.
const FEW: usize = 16;
const NAME_CHARS: usize = 64;

pub(super) fn text(
    scope: &Scope<'_>,
    listing: &Listing,
    query: &str,
    nearest: &[&Plugin],
) -> String {
    let mut text = format!(
        "Nothing fits {:?} among the {} tools and skills of {}. Search in other words.",
        one_line(query, QUERY_CHARS),
        listing.offered(),
        listing.name(scope)
    );
    if !scope.is_one() {
        let looks: Vec<String> = nearest
            .iter()
            .take(NEAREST)
            .map(|plugin| scope.to(plugin).discover_with(json!({})))
            .collect();
        if !looks.is_empty() {
            text.push_str(&format!("\nNearest: {}", looks.join(", ")));
        }
    }
    let names =
        names(scope, listing).map_or_else(String::new, |names| format!("{names}. In full: "));
    text.push_str(&format!(
        "\nWhat there is: {names}{}",
        scope.discover(json!({}))
    ));
    if scope.is_one() && scope.within().len() > 1 {
        let others = match scope.reach() {
            Reach::Own => format!("{} {{}}", help::NAME),
            Reach::Shared => {
                let query = json!({ "query": one_line(query, QUERY_CHARS) });
                format!("{} {query}", Verb::Discover.shared_name())
            }
        };
        text.push_str(&format!("\nOther plugins: {others}"));
    }
    text
}

/// The names of all that was searched, where that is little: `create, list`, of several plugins `github: list; notes: add`.
fn names(scope: &Scope<'_>, listing: &Listing) -> Option<String> {
    if !(1..=FEW).contains(&listing.offered()) {
        return None;
    }
    let mut by_plugin: IndexMap<&str, Vec<String>> = IndexMap::new();
    for offer in listing.first(FEW) {
        let name = one_line(offer.name(), NAME_CHARS);
        let named = by_plugin.entry(offer.plugin.prefix()).or_default();
        named.push(name);
    }
    let groups = by_plugin
        .into_iter()
        .map(|(prefix, names)| match scope.is_one() {
            true => names.join(", "),
            false => format!("{prefix}: {}", names.join(", ")),
        });
    Some(groups.collect::<Vec<_>>().join("; "))
}
