//! The `auto` view: which view costs the model less.
//!
//! The facade is not among the choices: its three tools for each plugin never cost less than the unified view's three.

use std::sync::Arc;

use serde_json::{Value, json};

use super::flat;
use crate::{plugin::Plugin, tokens, view::ViewKind};

/// Tools that cost no more than this together are shown directly, even where the unified view would cost less at rest:
/// its 200 tokens, and the 200 and more that one search costs with its answer, are never less than that.
const DIRECT: usize = 400;

/// What was chosen, and by which estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    pub kind: ViewKind,
    /// Tokens of the unified view.
    unified: usize,
    /// Tokens of the flat view, where every tool is known and there are not too many to be counted.
    flat: Option<usize>,
}

impl Choice {
    /// Chooses by what is known; no plugin is started for it.
    pub(super) async fn of(plugins: &[Arc<Plugin>], bare: bool, unified: &[Value]) -> Self {
        let unified = unified.iter().map(cost).sum();
        let flat = flat_cost(plugins, bare, DIRECT).await;
        let kind = match flat {
            Some(_) => ViewKind::Flat,
            None => ViewKind::Unified,
        };
        Self {
            kind,
            unified,
            flat,
        }
    }

    pub(super) fn to_json(self) -> Value {
        let mut choice =
            json!({ "kind": self.kind.to_string(), "tokens": { "unified": self.unified } });
        if let Some(flat) = self.flat {
            choice["tokens"]["flat"] = json!(flat);
        }
        choice
    }
}

/// What the flat view costs, when that is known and no more than `limit`.
async fn flat_cost(plugins: &[Arc<Plugin>], bare: bool, limit: usize) -> Option<usize> {
    let mut total = cost(&flat::read_more_tool());
    let mut offers_any = false;
    for plugin in plugins {
        let catalogue = plugin.listing_at_hand().await?;
        let tools = flat::tools_of_one(plugins, plugin, &catalogue, bare);
        offers_any |= !tools.is_empty();
        total += tools.iter().map(cost).sum::<usize>();
        // One plugin after the other, so that a long listing ends it at once.
        if catalogue.problem.is_some() || total > limit {
            return None;
        }
    }
    offers_any.then_some(total)
}

/// About how many tokens a tool costs at rest. Titles and annotations are for programs.
pub(super) fn cost(tool: &Value) -> usize {
    let [name, description, schema] =
        ["name", "description", "inputSchema"].map(|key| tool.get(key));
    let shown = json!({ "name": name, "description": description, "inputSchema": schema });
    tokens::estimate(&shown.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ratio of estimate and truth over the tools of many real servers.
    #[test]
    fn costs_are_estimated_well_enough() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../bench/retrieval/livemcp/tools.jsonl"
        );
        let text = std::fs::read_to_string(path).unwrap();
        let tokenizer = bpe_openai::o200k_base();
        let (mut estimated, mut counted) = (0, 0);
        for line in text.lines() {
            let tool: Value = serde_json::from_str(line).unwrap();
            let shown = json!({
                "name": tool["name"], "description": tool["description"], "inputSchema": tool["inputSchema"],
            });
            estimated += cost(&tool);
            counted += tokenizer.count(&shown.to_string());
        }
        assert!(counted > 50_000, "{counted}");
        let off = estimated * 100 / counted;
        assert!((85..=115).contains(&off), "{estimated} for {counted}");
    }
}
