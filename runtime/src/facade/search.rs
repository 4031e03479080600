//! Search over what the plugins of a view offer.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use super::Facade;
use crate::{
    catalog::{
        Catalogue, Entry,
        search::{self, Hit, SearchIndex, Section},
    },
    plugin::Plugin,
};

/// A plugin with what it offers.
pub(super) struct Listed {
    pub plugin: Arc<Plugin>,
    pub catalogue: Arc<Catalogue>,
}

/// One thing that was found, and whose it is.
pub(super) struct Offer<'a> {
    pub plugin: &'a Plugin,
    pub entry: Entry<'a>,
}

/// The answer to a query.
pub(super) struct Found<'a> {
    /// Best first; empty when nothing fits.
    pub offers: Vec<Offer<'a>>,
    /// When nothing fits: the plugins that come nearest, best first.
    pub nearest: Vec<&'a Plugin>,
}

/// Plugins that are named when nothing fits.
const NEAREST: usize = 3;

/// Indexes that are kept: of the whole view, and of a few plugins that are searched by themselves.
const KEPT: usize = 4;

/// The indexes of the last searches, the latest first: making one takes as long as some ten searches in it.
#[derive(Default)]
pub(super) struct Indexes(Mutex<VecDeque<Arc<SearchIndex>>>);

impl Indexes {
    fn over(&self, sections: Vec<Arc<Section>>) -> Arc<SearchIndex> {
        let kept = |index: &Arc<SearchIndex>| index.is_over(&sections);
        if let Some(index) = self.take(kept) {
            self.put(index.clone());
            return index;
        }
        let index = Arc::new(SearchIndex::new(sections));
        self.put(index.clone());
        index
    }

    fn take(&self, wanted: impl Fn(&Arc<SearchIndex>) -> bool) -> Option<Arc<SearchIndex>> {
        let mut indexes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = indexes.iter().position(wanted)?;
        indexes.remove(place)
    }

    fn put(&self, index: Arc<SearchIndex>) {
        let mut indexes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        indexes.push_front(index);
        indexes.truncate(KEPT);
    }
}

/// Analyses the texts of a plugin, or reads what is kept of that, where it is not at hand. Other work goes on meanwhile.
pub(super) async fn prepare(plugin: &Arc<Plugin>, catalogue: &Arc<Catalogue>) {
    if catalogue.is_prepared() {
        return;
    }
    let (plugin, catalogue) = (plugin.clone(), catalogue.clone());
    // One that has panicked is tried again by the search, whose caller answers for it.
    let _ = tokio::task::spawn_blocking(move || drop(plugin.section(&catalogue))).await;
}

impl Facade {
    /// One index over all of them, in their order.
    pub(super) fn index_of(&self, listed: &[Listed]) -> Arc<SearchIndex> {
        let sections = listed
            .iter()
            .map(|listed| listed.plugin.section(&listed.catalogue));
        self.indexes.over(sections.collect())
    }

    /// The best `limit` entries for a query. [`prepare`] first, or the plugins' texts are analysed here.
    pub(super) fn search<'a>(&self, listed: &'a [Listed], query: &str, limit: usize) -> Found<'a> {
        let found = self.index_of(listed).search(query, limit);
        match found.fits {
            true => Found {
                offers: (found.hits.iter())
                    .filter_map(|hit| offer(listed, hit))
                    .collect(),
                nearest: Vec::new(),
            },
            false => Found {
                offers: Vec::new(),
                nearest: nearest(listed, &found),
            },
        }
    }
}

/// The tool or skill of a hit.
pub(super) fn offer<'a>(listed: &'a [Listed], hit: &Hit) -> Option<Offer<'a>> {
    let Listed { plugin, catalogue } = listed.get(hit.section)?;
    let entry = catalogue.entry(hit.entry)?;
    Some(Offer { plugin, entry })
}

/// The plugins to name where nothing fits.
pub(super) fn nearest<'a>(listed: &'a [Listed], found: &search::Found) -> Vec<&'a Plugin> {
    let nearest = found.nearest.iter();
    nearest
        .filter_map(|section| listed.get(*section))
        .map(|listed| &*listed.plugin)
        .take(NEAREST)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_made_once_for_the_same_sections() {
        let sections: Vec<Arc<Section>> = (0..6).map(|_| Arc::default()).collect();
        let indexes = Indexes::default();
        let first = indexes.over(sections.clone());
        assert!(Arc::ptr_eq(&first, &indexes.over(sections.clone())));
        assert!(!Arc::ptr_eq(&first, &indexes.over(sections[1..].to_vec())));
        assert!(Arc::ptr_eq(&first, &indexes.over(sections.clone())));
        for section in &sections {
            indexes.over(vec![section.clone()]);
        }
        assert!(!Arc::ptr_eq(&first, &indexes.over(sections)));
    }
}
