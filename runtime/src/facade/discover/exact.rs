//! Queries that are a name, as replies print it.

use super::listing::Listing;
use crate::{
    catalog::Entry,
    facade::search::{Listed, Offer},
};

/// The entries whose name the query is: `<prefix>/<name>`, `<prefix>:<name>`, or the name alone, which several plugins may
/// have.
pub(super) struct Exact<'a> {
    pub offers: Vec<Offer<'a>>,
    /// The query names the plugin as well, so that nothing else can be meant.
    pub with_plugin: bool,
}

impl<'a> Exact<'a> {
    pub(super) fn of(listing: &'a Listing, query: &str) -> Self {
        let of_plugin = listing.listed.iter().filter_map(|listed| {
            let rest = query.strip_prefix(listed.plugin.prefix())?;
            Some((listed, rest.strip_prefix(['/', ':'])?))
        });
        let offers: Vec<Offer<'a>> = of_plugin
            .flat_map(|(listed, name)| called(listed, name))
            .collect();
        if !offers.is_empty() {
            return Self {
                offers,
                with_plugin: true,
            };
        }
        let all = listing.listed.iter();
        Self {
            offers: all.flat_map(|listed| called(listed, query)).collect(),
            with_plugin: false,
        }
    }

    /// Whether that offer is among them.
    pub(super) fn has(&self, other: &Offer<'_>) -> bool {
        self.offers.iter().any(|offer| {
            let is_skill = |entry: &Entry<'_>| matches!(entry, Entry::Skill(_));
            offer.plugin.prefix() == other.plugin.prefix()
                && offer.name() == other.name()
                && is_skill(&offer.entry) == is_skill(&other.entry)
        })
    }
}

fn called<'a>(listed: &'a Listed, name: &str) -> impl Iterator<Item = Offer<'a>> + use<'a> {
    let Listed { plugin, catalogue } = listed;
    let tool = catalogue.tools.get(name).map(Entry::Tool);
    let skill = catalogue.skills.get(name).map(Entry::Skill);
    let entries = tool.into_iter().chain(skill);
    entries.map(move |entry| Offer { plugin, entry })
}
