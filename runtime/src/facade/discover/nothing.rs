//! The reply when nothing fits.

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
    text.push_str(&format!("\nWhat there is: {}", scope.discover(json!({}))));
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
