//! The names of the plugins that are the user's own choice, which a project's plugin may have, too.

use std::{collections::BTreeSet, path::Path};

use serde_json::Map;

use super::{Manifest, prefix::published};
use crate::config::ChosenBy;

/// Prefixes as they stand in tools' names.
#[derive(Debug, Default)]
pub(super) struct OwnPrefixes(BTreeSet<String>);

impl OwnPrefixes {
    /// Adds a prefix as it is written.
    pub(super) fn add(&mut self, declared: &str) {
        self.0.insert(published(declared.trim()));
    }

    /// Adds that of a folder's plugin, which is not used from there.
    pub(super) fn add_folder(&mut self, dir: &Path, declared: Option<&str>) {
        let read = || Manifest::read_with(dir, Map::new()).ok();
        match declared {
            Some(declared) => self.add(declared),
            None => self
                .0
                .extend(read().map(|manifest| manifest.prefix.clone())),
        }
    }

    pub(super) fn add_all(&mut self, manifests: &[Manifest]) {
        let own = manifests
            .iter()
            .filter(|manifest| manifest.chosen_by == ChosenBy::User);
        self.0.extend(own.map(|manifest| manifest.prefix.clone()));
    }

    /// Whether a plugin that is none of the user's own has the name of one that is.
    pub(super) fn are_borrowed_by(&self, manifest: &Manifest) -> bool {
        manifest.chosen_by == ChosenBy::Project && self.0.contains(&manifest.prefix)
    }
}
