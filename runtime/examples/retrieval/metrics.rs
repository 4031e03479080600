//! How good a ranking is.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::sets::Query;

/// Ranks that count at all.
pub const DEEPEST: usize = 10;

/// Sums over the queries of a set.
#[derive(Default)]
pub struct Scores {
    queries: f64,
    recall_at_1: f64,
    recall_at_5: f64,
    gain: f64,
    refused: f64,
}

impl Scores {
    /// Adds what was found for a query, best first, and whether the search said that it fits.
    pub fn add(&mut self, query: &Query, ids: &[&str], fits: bool) {
        self.queries += 1.0;
        self.recall_at_1 += recall(query, ids, 1);
        self.recall_at_5 += recall(query, ids, 5);
        self.gain += normalised_gain(query, ids);
        self.refused += f64::from(u8::from(!fits));
    }

    /// Means, to three digits.
    pub fn means(&self) -> Value {
        let mean = |sum: f64| (sum / self.queries * 1000.0).round() / 1000.0;
        json!({
            "queries": self.queries,
            "recallAt1": mean(self.recall_at_1),
            "recallAt5": mean(self.recall_at_5),
            "ndcgAt10": mean(self.gain),
            "refused": mean(self.refused),
        })
    }
}

/// The share of needed tools among the first `depth`; any tool of a group will do.
fn recall(query: &Query, ids: &[&str], depth: usize) -> f64 {
    let groups = &query.groups;
    if groups.is_empty() {
        return 0.0;
    }
    let first = &ids[..ids.len().min(depth)];
    let is_there = |group: &&Vec<String>| group.iter().any(|id| first.contains(&id.as_str()));
    groups.iter().filter(is_there).count() as f64 / groups.len() as f64
}

/// nDCG at ten: a relevant tool is worth 1, less the further down it is.
fn normalised_gain(query: &Query, ids: &[&str]) -> f64 {
    let relevant: HashSet<&str> = query.relevant.iter().map(String::as_str).collect();
    let worth = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let ids = ids.iter().take(DEEPEST).enumerate();
    let gain: f64 = ids
        .filter(|(_, id)| relevant.contains(**id))
        .map(|(rank, _)| worth(rank))
        .sum();
    let best: f64 = (0..relevant.len().min(DEEPEST)).map(worth).sum();
    if best > 0.0 { gain / best } else { 0.0 }
}
