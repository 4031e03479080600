//! Which lines are wanted.

use serde::Deserialize;
use serde_json::{Map, Value};

/// What a line must have. Absent fields ask for nothing.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Filter {
    /// The plugin's prefix.
    pub plugin: Option<String>,
    /// The tool's or skill's name.
    pub tool: Option<String>,
    /// `ok`, `error`, `failed`, `refused`, or an error code.
    pub outcome: Option<String>,
    /// The client's name, or the door it came by.
    pub client: Option<String>,
    /// The client's session, as the log has it.
    pub session: Option<String>,
    /// `allow` or `deny`, the rule, or who consented.
    pub decision: Option<String>,
    /// Not before this time: RFC 3339 in UTC, with milliseconds, as the log has it.
    pub since: Option<String>,
    /// Only lines behind the one of this number.
    pub after: Option<u64>,
}

impl Filter {
    pub(super) fn passes(&self, entry: &Map<String, Value>) -> bool {
        let is = |wanted: &Option<String>, paths: &[&[&str]]| {
            let Some(wanted) = wanted else { return true };
            paths.iter().any(|path| text(entry, path) == Some(wanted))
        };
        is(&self.plugin, &[&["plugin"]])
            && is(&self.tool, &[&["tool"], &["skill"]])
            && is(&self.outcome, &[&["outcome"], &["code"]])
            && is(&self.client, &[&["client", "name"], &["client", "door"]])
            && is(&self.session, &[&["session"]])
            && is(
                &self.decision,
                &[
                    &["decision", "decision"],
                    &["decision", "kind"],
                    &["decision", "rule"],
                    &["decision", "by"],
                ],
            )
            && self
                .since
                .as_deref()
                .is_none_or(|since| text(entry, &["time"]).is_some_and(|time| time >= since))
    }

    /// Whether no line before this one is wanted.
    pub(super) fn ends(&self, entry: &Map<String, Value>) -> bool {
        let seq = entry.get("seq").and_then(Value::as_u64);
        self.after.is_some() && seq.is_some_and(|seq| Some(seq) <= self.after)
    }
}

fn text<'a>(entry: &'a Map<String, Value>, path: &[&str]) -> Option<&'a str> {
    let (first, rest) = path.split_first()?;
    let value = rest
        .iter()
        .try_fold(entry.get(*first)?, |value, key| value.get(*key))?;
    value.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_wish_must_be_met() {
        let entry = json!({
            "seq": 7, "time": "2026-01-02T03:04:05.000Z", "plugin": "p", "skill": "s", "outcome": "refused", "code": "CONFIRM_REQUIRED",
            "client": { "door": "stdio", "name": "c" }, "session": "x", "decision": { "decision": "allow", "rule": "confirm", "by": "client" },
        });
        let entry = entry.as_object().unwrap();
        let passes = |wish: Value| {
            let filter: Filter = serde_json::from_value(wish).unwrap();
            filter.passes(entry)
        };
        for (key, good) in [
            ("plugin", "p"),
            ("tool", "s"),
            ("outcome", "refused"),
            ("outcome", "CONFIRM_REQUIRED"),
            ("client", "c"),
            ("client", "stdio"),
            ("session", "x"),
            ("decision", "client"),
            ("since", "2026-01-02T03:04:05.000Z"),
        ] {
            assert!(passes(json!({ key: good })), "{key}");
            let bad = if key == "since" { "2027" } else { "other" };
            assert!(!passes(json!({ key: bad })), "{key}");
            assert!(!passes(json!({ key: good, "plugin": "q" })), "{key}");
        }
        let after = |after| {
            Filter {
                after,
                ..Filter::default()
            }
            .ends(entry)
        };
        assert_eq!([None, Some(6), Some(7)].map(after), [false, false, true]);
    }
}
