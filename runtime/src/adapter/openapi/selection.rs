//! Which operations of a document become tools.

use super::{document::invalid, settings::OpenApiSettings};
use crate::{catalog::NameFilter, reply::Failure};

/// The choice of a plugin's settings.
pub(super) struct Selection {
    names: NameFilter,
    tags: NameFilter,
}

impl Selection {
    pub(super) fn new(settings: &OpenApiSettings) -> Result<Self, Failure> {
        let filter = |include, exclude| {
            NameFilter::new(include, exclude).map_err(|what| invalid(format!("`openapi`: {what}")))
        };
        Ok(Self {
            names: filter(&settings.include, &settings.exclude)?,
            tags: filter(&settings.include_tags, &settings.exclude_tags)?,
        })
    }

    /// Whether an operation is offered. Leaving out wins.
    pub(super) fn offers(&self, name: &str, tags: &[String]) -> bool {
        self.names.admits(name) && self.tags.admits_any(tags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_and_tags_choose_and_leaving_out_wins() {
        let settings: OpenApiSettings = serde_json::from_value(json!({
            "document": "x", "include": ["repos_*"], "exclude": ["*_delete"], "includeTags": ["Repos"], "excludeTags": ["old"],
        }))
        .unwrap();
        let selection = Selection::new(&settings).unwrap();
        let offered = |name: &str, tags: &[&str]| {
            let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
            selection.offers(name, &tags)
        };
        assert!(offered("repos_get", &["Repos"]));
        assert!(!offered("repos_get", &[]));
        assert!(!offered("users_get", &["Repos"]));
        assert!(!offered("repos_delete", &["Repos"]));
        assert!(!offered("repos_get", &["Repos", "old"]));
    }
}
