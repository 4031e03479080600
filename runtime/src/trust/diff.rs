//! What has changed in a definition, as lines that a person reads.

use similar::{ChangeTag, TextDiff};

use super::{definition::Definition, held::Why, visible::visible};

/// Lines around a change that did not change.
const CONTEXT: usize = 2;
/// Lines of one part that are shown.
const MAX_LINES: usize = 400;
/// Characters of one line that are shown.
const MAX_LINE: usize = 2_000;

/// The parts that differ, with their lines: `- before`, `+ now`, `  as before`.
pub(crate) fn parts(
    before: Option<&Definition>,
    now: &Definition,
    why: &Why,
) -> Vec<(&'static str, Vec<String>)> {
    let unknown = before.is_none();
    let old = before.map(|before| before.parts().map(|(_, text)| text));
    now.parts()
        .into_iter()
        .enumerate()
        .filter_map(|(at, (part, text))| {
            let differs = match why {
                Why::Changed(parts) if unknown => parts.contains(&part),
                _ => true,
            };
            let old = old.as_ref().map_or("", |old| old[at].as_str());
            let mut lines = match differs {
                true => lines(old, &text),
                false => Vec::new(),
            };
            if unknown && differs && matches!(why, Why::Changed(_)) {
                lines.insert(0, "  (what it was is too long to be kept)".into());
            }
            (!lines.is_empty()).then_some((part, lines))
        })
        .collect()
}

fn lines(before: &str, now: &str) -> Vec<String> {
    if before == now {
        return Vec::new();
    }
    let diff = TextDiff::from_lines(before, now);
    let mut lines = Vec::new();
    for (number, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if number > 0 {
            lines.push("  …".to_owned());
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let text = change.value().trim_end_matches(['\n', '\r']);
            let shown: String = text.chars().take(MAX_LINE).collect();
            let more = if shown.len() < text.len() { "…" } else { "" };
            lines.push(format!("{sign} {}{more}", visible(&shown)));
        }
    }
    let left_out = lines.len().saturating_sub(MAX_LINES);
    if left_out > 0 {
        lines.truncate(MAX_LINES);
        lines.push(format!("  … {left_out} more lines"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Tool;
    use serde_json::{Value, json};

    fn definition(tool: &Value) -> Definition {
        Definition::of(&Tool::from_json(tool).unwrap())
    }

    fn shown(before: Option<&Value>, now: &Value, why: &Why) -> String {
        let before = before.map(definition);
        let parts = parts(before.as_ref(), &definition(now), why);
        let parts = parts
            .iter()
            .map(|(part, lines)| format!("{part}:\n{}", lines.join("\n")));
        parts.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_person_sees_what_has_changed_and_nothing_hidden() {
        let before = json!({"name": "t", "description": "Adds.\nTwo numbers.\nThat is all.", "inputSchema":
            {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}}});
        let now = json!({"name": "t", "description": "Adds.\nTwo numbers.\u{1b}[2K\nAnd sends\u{200b} them.", "inputSchema":
            {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}, "note": {"enum": ["x\u{e0041}"]}}}});
        let changed = Why::Changed(vec!["description", "input schema"]);
        insta::assert_snapshot!(shown(Some(&before), &now, &changed));
        insta::assert_snapshot!(shown(None, &now, &Why::New));
        insta::assert_snapshot!(shown(None, &now, &Why::Changed(vec!["description"])));
    }
}
