//! A search for people: the ranking itself, with the reasons for it where they are wanted.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{listing::Need, request::DEFAULT_LIMIT};
use crate::{
    catalog::Entry,
    facade::{
        Facade,
        search::{nearest, offer},
    },
    reply::Failure,
    view::View,
};

/// What [`crate::Runtime::search`] may be told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SearchOptions {
    /// Only this plugin.
    pub plugin: Option<String>,
    /// How many hits at most; 5 without it.
    pub limit: Option<usize>,
    /// Whether each hit says why it has its score.
    pub explain: bool,
}

impl Facade {
    /// `{query, fits, hits: [{plugin, kind, name, score, explanation?}], nearest, missing: [{plugin, why}]}`. What does not
    /// fit is among the hits all the same: a model is not shown it, and a person may want to know. Every plugin is waited
    /// for until it has started or failed; `missing` are those that were not searched.
    pub(crate) async fn ranking(
        &self,
        query: &str,
        options: &SearchOptions,
    ) -> Result<Value, Failure> {
        let (_, plugins) = self.shown(&View {
            plugin: options.plugin.clone(),
            ..View::default()
        })?;
        let listing = self.loading.listing(&plugins, Need::WholeSearch).await?;
        let listed = &listing.listed;
        let index = self.index_of(listed);
        let found = index.search(query, options.limit.unwrap_or(DEFAULT_LIMIT));
        let mut hits = Vec::new();
        for hit in &found.hits {
            let Some(offer) = offer(listed, hit) else {
                continue;
            };
            let kind = match offer.entry {
                Entry::Tool(_) => "tool",
                Entry::Skill(_) => "skill",
            };
            let mut shown = json!({
                "plugin": offer.plugin.prefix(),
                "kind": kind,
                "name": offer.name(),
                "score": hit.score,
            });
            if options.explain {
                shown["explanation"] = json!(index.explain(query, hit.section, hit.entry));
            }
            hits.push(shown);
        }
        let near = match found.fits {
            true => Vec::new(),
            false => nearest(listed, &found),
        };
        let nearest: Vec<&str> = near.iter().map(|plugin| plugin.prefix()).collect();
        Ok(json!({
            "query": query,
            "fits": found.fits,
            "hits": hits,
            "nearest": nearest,
            "missing": listing.missing(),
        }))
    }
}
