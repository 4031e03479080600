//! Reading a document: all of it is checked, and every problem reported at its place.

mod header;
mod steps;

use serde_json::{Map, Value};

use super::{
    document::Document,
    names::Names,
    problem::{At, Problems},
    template::Template,
};
use crate::guard::closest;

const KEYS: [&str; 8] = [
    "$schema",
    "description",
    "args",
    "inputSchema",
    "readOnly",
    "related",
    "steps",
    "result",
];

/// Keys that the reply adds to a skill's result.
const TAKEN: [&str; 3] = ["calls", "notes", "receipt"];

/// Reads the document of the skill `name`.
pub(super) fn read(name: &str, document: &Value) -> Result<Document, Problems> {
    let mut problems = Problems::default();
    let at = At::default();
    let Some(map) = document.as_object() else {
        problems.add(
            &at,
            "a skill is an object: {\"description\", \"steps\", \"result\"}",
        );
        return Err(problems);
    };
    only(map, &KEYS, &at, &mut problems);
    let skill = header::read(name, map, &mut problems);
    let names = Names::new(
        steps::ids(map),
        header::arguments(skill.input_schema.as_deref()),
    );
    let (steps, names) = steps::read(map, names, &mut problems);
    let result = match map.get("result") {
        Some(value) => {
            let at = at.key("result");
            reserved(value, &at, &mut problems);
            Template::read(value, &at, &names, &mut problems)
        }
        None => {
            problems.add(&at, "`result` is missing; say what the skill answers, such as {\"issues\": \"{{issues}}\"}");
            Template::Constant(Value::Null)
        }
    };
    if problems.is_empty() {
        Ok(Document {
            skill,
            steps,
            result,
        })
    } else {
        Err(problems)
    }
}

/// Reports the keys of a result that the reply would overwrite.
fn reserved(result: &Value, at: &At, problems: &mut Problems) {
    for key in TAKEN {
        if result.get(key).is_some() {
            problems.add(
                &at.key(key),
                "the reply has a key of this name itself; choose another",
            );
        }
    }
}

/// Reports the keys that have no meaning.
fn only(map: &Map<String, Value>, known: &[&str], at: &At, problems: &mut Problems) {
    for key in map.keys().filter(|key| !known.contains(&key.as_str())) {
        let hint = match closest(key, known.iter().copied()) {
            Some(near) => format!("did you mean {near:?}?"),
            None => format!("the keys here are {}", known.join(", ")),
        };
        problems.add(&at.key(key), format!("unknown key; {hint}"));
    }
}

/// A text that is not empty.
fn text(map: &Map<String, Value>, key: &str, at: &At, problems: &mut Problems) -> Option<String> {
    let value = map.get(key)?;
    let text = value.as_str().filter(|text| !text.trim().is_empty());
    if text.is_none() {
        problems.add(&at.key(key), "must be a text that is not empty");
    }
    text.map(str::to_owned)
}

/// A whole number between two limits.
fn number(
    map: &Map<String, Value>,
    key: &str,
    (least, default, most): (usize, usize, usize),
    at: &At,
    problems: &mut Problems,
) -> usize {
    let Some(value) = map.get(key) else {
        return default;
    };
    let number = value
        .as_u64()
        .and_then(|number| usize::try_from(number).ok())
        .filter(|number| (least..=most).contains(number));
    number.unwrap_or_else(|| {
        problems.add(
            &at.key(key),
            format!("must be a whole number from {least} to {most}"),
        );
        default
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn problems(document: Value) -> String {
        let problems = read("x", &document).unwrap_err().to_string();
        problems.replace("; /", "\n/")
    }

    #[test]
    fn the_smallest_document_is_a_call_and_a_result() {
        let document = read(
            "smallest",
            &json!({"description": "Lists.", "steps": [{"id": "all", "call": "list"}], "result": "{{all}}"}),
        )
        .unwrap();
        assert_eq!(document.skill.name, "smallest");
        assert!(!document.skill.read_only);
    }

    #[test]
    fn the_examples_of_the_documentation_are_valid() {
        let page = include_str!("../../../docs/declarative-skills.md");
        let mut read_ones = 0;
        for block in page.split("```json\n").skip(1) {
            let json = block.split("\n```").next().unwrap();
            let value: Value =
                serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
            if value.get("steps").is_some() {
                read("example", &value).unwrap_or_else(|problems| panic!("{problems}\n{json}"));
                read_ones += 1;
            }
        }
        assert!(read_ones >= 4, "{read_ones}");
    }

    #[test]
    fn the_skill_of_the_demo_plugin_is_valid() {
        let text =
            include_str!("../../../plugins/agent-tools-plugin-demo/skills/issues-in-full.json");
        let document = read("issues-in-full", &serde_json::from_str(text).unwrap()).unwrap();
        assert!(document.skill.read_only);
    }

    #[test]
    fn problems_of_the_header_are_named() {
        insta::assert_snapshot!(problems(json!({
            "descripton": "x", "args": 1, "readOnly": "yes", "related": [{"target": "x"}, {"target": "a:b", "y": 1}, 5],
            "inputSchema": {"type": "object", "properties": {"owner": {"type": "txt"}}}, "steps": [], "version": 2
        })));
        insta::assert_snapshot!(
            "header_other",
            problems(json!({
                "description": " ", "inputSchema": {"type": "string"}, "related": {}, "result": {"calls": 1, "notes": 2, "fine": 3}
            }))
        );
        insta::assert_snapshot!("header_no_object", problems(json!([])));
    }

    #[test]
    fn problems_of_steps_are_named() {
        insta::assert_snapshot!(problems(json!({
            "description": "x",
            "inputSchema": {"type": "object", "properties": {"owner": {"type": "string"}, "state": {}}},
            "steps": [
                {"id": "issues", "cal": "list_issues"},
                {"id": "issues", "call": "list_{{args.owner}}", "arguments": {"owner": "{{args.ower}}", "{{x}}": 1, "s": "{{args.other}}"}},
                {"call": "get", "arguments": [1]},
                {"id": "2nd", "call": "get", "value": "{{later}}", "until": {"exists": "{{first}}"}},
                {"id": "args", "forEach": "x {{issues}}", "as": "issues", "limit": 5000, "call": "get"},
                {"id": "later", "value": "{{item}}", "tries": 3, "as": "x", "limit": 2, "onError": "continue"},
                7
            ],
            "result": 1
        })));
        insta::assert_snapshot!(
            "more_problems_of_steps",
            problems(json!({
                "description": "x",
                "inputSchema": {"type": "object", "properties": {"state": {}}},
                "steps": [
                    {"id": "issues", "call": "list_issues"},
                    {"id": "both", "test": {"exists": "{{issues}}"}, "value": 1},
                    {"require": {"empty": "{{issues}}"}, "call": "x", "when": {}},
                    {"stopWhen": {"empty": "{{issues[}}"}, "result": {"receipt": 1}},
                    {"id": "on", "call": "x", "onError": "ignore", "waitMs": 5},
                    {"id": "texts", "forEach": "issues", "value": "{{issues.a"},
                    {"id": "null", "value": "{{issue}}"},
                    {"id": "omitted", "value": "{{args.state ?? omit}}", "when": {"equals": ["{{omitted ?? 1 ?? 2}}", 1]}},
                    7
                ],
                "result": "{{nothing}}"
            }))
        );
    }

    #[test]
    fn ceilings_are_kept() {
        let steps: Vec<Value> = (0..60)
            .map(|n| json!({"id": format!("s{n}"), "value": 1}))
            .collect();
        insta::assert_snapshot!(problems(
            json!({"description": "x", "steps": steps, "result": 1})
        ));
        let mut deep = json!(1);
        for _ in 0..40 {
            deep = json!([deep]);
        }
        let many: Vec<Value> = (0..30).map(|_| json!({"call": 1})).collect();
        assert!(
            problems(json!({"description": "x", "steps": many, "result": deep})).ends_with("more")
        );
    }

    #[test]
    fn any_json_is_read_or_refused_but_never_a_crash() {
        let texts = [
            "{{",
            "{{a",
            "{{a}}",
            "{{a ?? }}",
            "}}",
            "{{a[*].b}}",
            "{{\"é",
            "é{{args}}🦀",
            "{{🦀}}",
            "{{a[-9223372036854775808]}}",
        ];
        for text in texts {
            for place in [
                "/description",
                "/steps/0/value",
                "/steps/0/id",
                "/steps/0/forEach",
                "/steps/0/when/equals/0",
                "/result",
            ] {
                let mut document = json!({
                    "description": "x",
                    "steps": [{"id": "a", "forEach": [1], "when": {"equals": [1, 1]}, "value": 1}],
                    "result": 1
                });
                *document.pointer_mut(place).unwrap() = json!(text);
                let _ = read("x", &document);
            }
        }
    }
}
