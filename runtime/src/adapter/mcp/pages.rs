//! A list that a server hands out page by page (MCP, "Pagination").

use std::{collections::HashSet, time::Duration};

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams};
use serde_json::Value;

use super::{Connection, McpAdapter, to_json};
use crate::{
    catalog::Tool,
    reply::{Code, Failure},
};

/// A server that pages for ever is cut off here.
pub(super) const MAX_PAGES: usize = 1000;
/// How long a further page may take: the first ones are not kept waiting for it.
const PAGE_LIMIT: Duration = Duration::from_secs(15);

/// The tools of a server, and why some are missing where that is known.
pub(super) struct Tools {
    pub(super) tools: Vec<Tool>,
    pub(super) incomplete: Option<Failure>,
}

impl McpAdapter {
    /// The tools of every page. A page that fails ends the list; without the first there is none.
    pub(super) async fn all_tools(&self, connection: &Connection) -> Result<Tools, Failure> {
        let (mut tools, mut next) = self.page(connection, None).await?;
        let mut seen = HashSet::new();
        let mut failed = None;
        while let Some(cursor) = next.take() {
            if seen.len() + 1 >= MAX_PAGES {
                failed = Some(protocol(format!("it has more than {MAX_PAGES} pages")));
                break;
            }
            if !seen.insert(cursor.clone()) {
                failed = Some(protocol(format!("the cursor {cursor:?} came twice")));
                break;
            }
            let page = self.page(connection, Some(cursor));
            match tokio::time::timeout(PAGE_LIMIT, page).await {
                Ok(Ok(page)) => {
                    tools.extend(page.0);
                    next = page.1;
                }
                Ok(Err(failure)) => failed = Some(failure),
                Err(_) => {
                    let why = format!("a page did not come within {} s", PAGE_LIMIT.as_secs());
                    failed = Some(protocol(why));
                }
            }
        }
        let incomplete = failed.map(|failure| {
            Failure::new(
                failure.code,
                format!(
                    "only the first {} of its tools are known, as its list ended early: {}",
                    tools.len(),
                    failure.error
                ),
            )
            .with_hint("The list is asked for again on the next use.")
        });
        Ok(Tools { tools, incomplete })
    }

    /// One page, and the cursor of the next. Cursors are opaque; an empty one is taken for none.
    async fn page(
        &self,
        connection: &Connection,
        cursor: Option<String>,
    ) -> Result<(Vec<Tool>, Option<String>), Failure> {
        let params =
            cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let request = ListToolsRequest {
            params,
            ..ListToolsRequest::default()
        };
        let page = self
            .request(connection, ClientRequest::ListToolsRequest(request), None)
            .await?;
        let page = to_json(&page)?;
        let listed = page
            .get("tools")
            .and_then(Value::as_array)
            .ok_or_else(|| protocol("the MCP server's tools/list has no `tools`".into()))?;
        let tools = listed.iter().filter_map(Tool::from_json).collect();
        let next = page
            .get("nextCursor")
            .and_then(Value::as_str)
            .filter(|cursor| !cursor.is_empty())
            .map(str::to_owned);
        Ok((tools, next))
    }
}

fn protocol(what: String) -> Failure {
    Failure::new(Code::UpstreamProtocol, what)
}
