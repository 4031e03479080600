//! `_discover`: finds tools and skills, and writes out the call for each.
//!
//! The reply is plain text, as it costs a model about half of what JSON does. What a program may want of it is in
//! `_meta["agent-tools/discover"]`, which clients do not show to models.

mod exact;
mod hit;
mod hits;
mod links;
mod listing;
mod matches;
mod most_used;
mod names;
mod nothing;
mod overview;
mod plugins;
mod ranking;
mod request;
mod schemas;
mod scope;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Facade, answer::read_on_by_call, search::Found, verbs::Reach};
use crate::{
    plugin::Plugin,
    reply::{Failure, Reply},
};
use exact::Exact;
use hit::Hit;
pub(super) use listing::Loading;
use listing::{Listing, Need};
pub use ranking::SearchOptions;
use request::{Detail, Request};
use scope::Scope;

/// The key of `_meta` under which a program finds the reply as JSON.
const META: &str = "agent-tools/discover";

/// What `discover` takes, as properties of a JSON Schema.
pub(super) fn properties() -> Value {
    json!({
        "query": { "type": "string", "description": "What you want to do, in a few words. Leave out for an overview." },
        "limit": { "type": "integer" },
        "detail": { "type": "string", "description": "\"schema\": whole schemas." },
    })
}

impl Facade {
    /// Searches the plugins, or gives an overview of them. `within`: all that the caller's view has.
    pub(super) async fn discover(
        &self,
        plugins: &[Arc<Plugin>],
        within: &[Arc<Plugin>],
        reach: Reach,
        arguments: Map<String, Value>,
    ) -> Reply {
        let scope = Scope::of(plugins, within, reach);
        match self.discovered(&scope, plugins, arguments).await {
            Ok(reply) => reply,
            Err(failure) => failure.into(),
        }
    }

    async fn discovered(
        &self,
        scope: &Scope<'_>,
        plugins: &[Arc<Plugin>],
        arguments: Map<String, Value>,
    ) -> Result<Reply, Failure> {
        let request = Request::read(arguments, scope)?;
        let need = match request.query {
            Some(_) => Need::Search,
            None => Need::Overview,
        };
        let listing = self.loading.listing(plugins, need).await?;
        let (mut text, matches) = match &request.query {
            Some(query) => self.found(scope, &listing, &request, query),
            None => self.overview(scope, &listing).await,
        };
        for line in listing.reservations(scope) {
            text.push('\n');
            text.push_str(&line);
        }
        for note in &request.notes {
            text.push_str(&format!("\nNote: {note}."));
        }
        let mut text = visible(&text);
        if let Some(first) = plugins.first() {
            let read_on = read_on_by_call(scope.reach().to(first.prefix()));
            self.fit_text(&mut text, &read_on);
        }
        let mut about = json!({ "query": request.query, "matches": matches });
        listing.describe(&mut about);
        let mut reply = Reply::text(text);
        reply.meta = Some(json!({ META: about }));
        Ok(reply)
    }

    /// The reply in words, and the matches for programs.
    fn found(
        &self,
        scope: &Scope<'_>,
        listing: &Listing,
        request: &Request,
        query: &str,
    ) -> (String, Vec<Value>) {
        let Found {
            mut offers,
            nearest,
        } = self.search(&listing.listed, query, request.limit);
        let exact = Exact::of(listing, query);
        if offers.is_empty() && exact.offers.is_empty() {
            return (nothing::text(scope, listing, query, &nearest), Vec::new());
        }
        offers.retain(|offer| !exact.has(offer));
        let named = exact.offers.len();
        if exact.with_plugin || (request.detail == Detail::Schema && named > 0) {
            offers.clear();
        }
        offers.splice(0..0, exact.offers);
        offers.truncate(request.limit.max(named.min(request::MAX_LIMIT)));
        let hits: Vec<Hit<'_>> = offers.iter().map(|offer| Hit::of(offer, scope)).collect();
        let mut text = match request.detail {
            Detail::Schema => schemas::text(&hits),
            Detail::Signature => hits::text(scope, &hits, listing, named),
        };
        if let Some(line) = hits::set_up(scope, &hits) {
            text.push('\n');
            text.push_str(&line);
        }
        (text, hits.iter().map(matches::of).collect())
    }

    async fn overview(&self, scope: &Scope<'_>, listing: &Listing) -> (String, Vec<Value>) {
        let offers = listing.first(request::MAX_LIMIT);
        let hits: Vec<Hit<'_>> = offers.iter().map(|offer| Hit::of(offer, scope)).collect();
        let text = match listing.listed.as_slice() {
            // So few that their calls take no more room than their names would.
            [_] if scope.is_one() && (1..=request::DEFAULT_LIMIT).contains(&hits.len()) => {
                hits::text(scope, &hits, listing, 0)
            }
            [only] if scope.is_one() => {
                let used = most_used::of_one(&self.usage, only).await;
                overview::text(scope, only, &used)
            }
            listed => {
                let used = most_used::of_all(&self.usage, listed).await;
                plugins::text(scope, listing, &used)
            }
        };
        (text, hits.iter().map(matches::of).collect())
    }
}

/// What cannot be seen is written as an escape, which JSON reads as the same character.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        if crate::catalog::is_hidden(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                visible.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            visible.push(c);
        }
    }
    visible
}
