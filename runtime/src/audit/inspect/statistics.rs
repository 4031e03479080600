//! Counts and durations.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{CallLog, Filter};
use crate::Failure;

/// What is known of the calls of one plugin, tool and outcome.
#[derive(Default)]
struct Group {
    calls: u64,
    millis: Vec<u64>,
}

/// `{calls, since, groups: [{plugin?, tool?, outcome, calls, p50, p95}]}` of the calls that pass the filter; the durations in
/// milliseconds, groups of many calls first.
pub fn statistics(log: &CallLog, filter: &Filter) -> Result<Value, Failure> {
    let mut groups: BTreeMap<[String; 3], Group> = BTreeMap::new();
    let mut calls = 0_u64;
    let mut since = Value::Null;
    log.backwards(|entry| {
        if entry.get("kind").is_some_and(|kind| kind == "call") && filter.passes(&entry) {
            calls += 1;
            since = entry.get("time").cloned().unwrap_or_default();
            let group = groups.entry(key_of(&entry)).or_default();
            group.calls += 1;
            group.millis.extend(entry.get("ms").and_then(Value::as_u64));
        }
        true
    })?;
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by(|(a, left), (b, right)| right.calls.cmp(&left.calls).then(a.cmp(b)));
    let groups: Vec<Value> = groups
        .into_iter()
        .map(|([plugin, tool, outcome], mut group)| {
            group.millis.sort_unstable();
            let at = |share| percentile(&group.millis, share);
            json!({
                "plugin": plugin, "tool": tool, "outcome": outcome,
                "calls": group.calls, "p50": at(50), "p95": at(95),
            })
        })
        .collect();
    Ok(json!({ "calls": calls, "since": since, "groups": groups }))
}

/// Calls that never had a plugin are told by what was asked for.
fn key_of(entry: &Map<String, Value>) -> [String; 3] {
    let text = |keys: &[&str]| {
        let mut found = keys.iter().filter_map(|key| entry.get(*key)?.as_str());
        found.next().unwrap_or_default().to_owned()
    };
    [
        text(&["plugin"]),
        text(&["tool", "skill", "asked"]),
        text(&["outcome"]),
    ]
}

/// The nearest rank of sorted values.
fn percentile(sorted: &[u64], share: usize) -> Option<u64> {
    let rank = (sorted.len() * share).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!(percentile(&hundred, 50), Some(50));
        assert_eq!(percentile(&hundred, 95), Some(95));
        assert_eq!(percentile(&[7], 95), Some(7));
        assert_eq!(percentile(&[1, 9], 50), Some(1));
        assert_eq!(percentile(&[], 50), None);
    }
}
