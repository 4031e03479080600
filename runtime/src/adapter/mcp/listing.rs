//! What a server offers besides tools, as tools of the catalogue that only read.

use std::{
    collections::{HashMap, HashSet},
    sync::{PoisonError, RwLock, atomic::Ordering},
    time::Duration,
};

use rmcp::model::{ClientRequest, PaginatedRequestParams, ServerResult};
use serde_json::{Map, Value};

use super::{Connection, McpAdapter, pages::MAX_PAGES, prompts, resources, to_json};
use crate::{
    adapter::Adapter,
    catalog::Tool,
    reply::{Code, Failure, UpstreamResult},
};

/// Tools do not wait longer for what else a server has.
const LIST_LIMIT: Duration = Duration::from_secs(5);

/// What a tool of the catalogue stands for that is none of the server's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Offer {
    /// Lists resources and templates.
    ListResources,
    /// Reads a resource.
    ReadResource,
    /// Gets the prompt of that name.
    Prompt(String),
}

/// The items of a list, and whether they are all of it.
pub(super) struct Items {
    pub items: Vec<Value>,
    pub whole: bool,
}

/// The offers by their tools' names; `None` before the first listing.
pub(super) type Offers = RwLock<Option<HashMap<String, Offer>>>;

impl McpAdapter {
    /// Whether the server may have tools: one that only declares other things is not asked for them.
    pub(super) fn may_have_tools(connection: &Connection) -> bool {
        let info = connection.peer.peer_info();
        info.is_none_or(|info| {
            let has = &info.capabilities;
            has.tools.is_some() || (has.resources.is_none() && has.prompts.is_none())
        })
    }

    /// Tools for the resources and prompts of a server that declares them and has some. `tools` are the server's own.
    pub(super) async fn offered(&self, connection: &Connection, tools: &[Tool]) -> Vec<Tool> {
        let Some(info) = connection.peer.peer_info() else {
            return Vec::new();
        };
        let has = &info.capabilities;
        let resources = async {
            match has.resources {
                Some(_) => {
                    self.within_limit("resources", resources::list(self, connection))
                        .await
                }
                None => None,
            }
        };
        let prompts = async {
            match has.prompts {
                Some(_) => {
                    self.within_limit("prompts", prompts::list(self, connection))
                        .await
                }
                None => None,
            }
        };
        let (resources, prompts) = tokio::join!(resources, prompts);
        let missing = (has.resources.is_some() && resources.is_none())
            || (has.prompts.is_some() && !prompts.as_ref().is_some_and(|prompts| prompts.whole));
        self.offers_missing.store(missing, Ordering::Relaxed);
        let wanted = resources::tools(&resources.unwrap_or_default())
            .into_iter()
            .chain(prompts::tools(
                &prompts.map_or(Vec::new(), |prompts| prompts.items),
            ));
        let mut taken: HashSet<String> = tools.iter().map(|tool| tool.name.clone()).collect();
        let (mut offers, mut added) = (HashMap::new(), Vec::new());
        for (offer, mut tool) in wanted {
            tool.name = free_name(&tool.name, &taken);
            taken.insert(tool.name.clone());
            offers.insert(tool.name.clone(), offer);
            added.push(tool);
        }
        *self.offers.write().unwrap_or_else(PoisonError::into_inner) = Some(offers);
        added
    }

    /// A list that fails or takes long is left out: the tools are of use without it.
    async fn within_limit<T>(
        &self,
        what: &str,
        listing: impl Future<Output = Result<T, Failure>>,
    ) -> Option<T> {
        match tokio::time::timeout(LIST_LIMIT, listing).await {
            Ok(Ok(listed)) => return Some(listed),
            Ok(Err(failure)) => {
                tracing::warn!("the {what} of an MCP server cannot be listed: {failure}")
            }
            Err(_) => tracing::warn!("an MCP server did not list its {what} within {LIST_LIMIT:?}"),
        }
        None
    }

    /// Whether a listed tool is one of those for resources.
    pub(super) fn offers_data(&self, tool: &str) -> bool {
        let offers = self.offers.read().unwrap_or_else(PoisonError::into_inner);
        let offer = offers.as_ref().and_then(|offers| offers.get(tool));
        matches!(offer, Some(Offer::ListResources | Offer::ReadResource))
    }

    /// What a tool stands for, when it is none of the server's.
    pub(super) async fn offer(&self, tool: &str) -> Result<Option<Offer>, Failure> {
        let known = |name: &str| {
            let offers = self.offers.read().unwrap_or_else(PoisonError::into_inner);
            offers.as_ref().map(|offers| offers.get(name).cloned())
        };
        if let Some(offer) = known(tool) {
            return Ok(offer);
        }
        // The catalogue may be older than this process.
        if !(resources::may_be_named(tool) || prompts::may_be_named(tool)) {
            return Ok(None);
        }
        self.list_tools().await?;
        Ok(known(tool).flatten())
    }

    /// Carries out what a tool stands for.
    pub(super) async fn take(
        &self,
        connection: &Connection,
        offer: Offer,
        arguments: Map<String, Value>,
    ) -> Result<UpstreamResult, Failure> {
        match offer {
            Offer::ListResources => resources::listed(self, connection).await,
            Offer::ReadResource => resources::read(self, connection, &arguments).await,
            Offer::Prompt(name) => prompts::get(self, connection, name, arguments).await,
        }
    }

    /// Every item of a list that comes in pages; `key` is where a page has its items.
    pub(super) async fn all_pages(
        &self,
        connection: &Connection,
        key: &str,
        request: impl Fn(Option<PaginatedRequestParams>) -> ClientRequest,
    ) -> Result<Items, Failure> {
        let mut items = Vec::new();
        let mut seen = HashSet::new();
        let mut cursor: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let params =
                cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
            let mut page = to_json(&self.request(connection, request(params), None).await?)?;
            let Some(Value::Array(listed)) = page.get_mut(key).map(Value::take) else {
                return Err(Failure::new(
                    Code::UpstreamProtocol,
                    format!("the MCP server's list has no `{key}`"),
                ));
            };
            items.extend(listed);
            let next = page.get("nextCursor").and_then(Value::as_str);
            match next.filter(|next| !next.is_empty()) {
                Some(next) if seen.insert(next.to_owned()) => cursor = Some(next.to_owned()),
                // A cursor that came twice leads on to nothing.
                next => {
                    let whole = next.is_none();
                    return Ok(Items { items, whole });
                }
            }
        }
        Ok(Items {
            items,
            whole: false,
        })
    }

    /// The answer to a request, as JSON.
    pub(super) async fn ask(
        &self,
        connection: &Connection,
        request: ClientRequest,
    ) -> Result<Value, Failure> {
        match self.request(connection, request, None).await? {
            ServerResult::InputRequiredResult(_) => Err(Failure::new(
                Code::UpstreamProtocol,
                "the MCP server asks for more input, which is not supported yet",
            )),
            result => to_json(&result),
        }
    }
}

/// The name, or one like it that no tool has.
fn free_name(name: &str, taken: &HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("mcp_{name}_{number}"));
    [name.to_owned(), format!("mcp_{name}")]
        .into_iter()
        .chain(numbered)
        .find(|name| !taken.contains(name))
        .unwrap_or_default()
}

/// A text on one line of at most so many characters.
pub(super) fn line(text: &str, limit: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_taken_gets_another() {
        let mut taken = HashSet::new();
        for expected in [
            "read_resource",
            "mcp_read_resource",
            "mcp_read_resource_2",
            "mcp_read_resource_3",
        ] {
            assert_eq!(free_name("read_resource", &taken), expected);
            taken.insert(expected.to_owned());
        }
    }
}
