//! What each view costs a model at rest, by estimate, for people.

use serde_json::{Value, json};

use super::{Facade, auto};
use crate::{
    reply::Failure,
    view::{View, ViewKind},
};

impl Facade {
    /// `{views: [{view, tools, tokens}], offered, unlisted: [prefix]}`, as far as it is known without starting anything: what
    /// `unlisted` offer is not in it, and `offered` counts the tools and skills that are.
    pub(crate) async fn costs(&self) -> Result<Value, Failure> {
        let mut views = Vec::new();
        for kind in [ViewKind::Unified, ViewKind::Facade, ViewKind::Flat] {
            let view = View { kind, plugin: None };
            let tools = self.known_tools(&view).await?;
            let tokens: usize = tools.iter().map(auto::cost).sum();
            views.push(json!({ "view": kind.to_string(), "tools": tools.len(), "tokens": tokens }));
        }
        let (mut offered, mut unlisted) = (0, Vec::new());
        for plugin in self.plugins().iter() {
            match plugin.known_catalogue().await {
                Some(known) => offered += known.tools.len() + known.skills.len(),
                None => unlisted.push(plugin.prefix().to_owned()),
            }
        }
        Ok(json!({ "views": views, "offered": offered, "unlisted": unlisted }))
    }
}
