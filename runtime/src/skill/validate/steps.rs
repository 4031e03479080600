//! The steps of a document.

use std::time::Duration;

use serde_json::{Map, Value};

use super::{
    super::{
        condition::Condition,
        document::{
            Action, Call, DEFAULT_ITEMS, DEFAULT_TRIES, DEFAULT_WAIT_MS, Each, From, MAX_ITEMS,
            MAX_STEPS, MAX_TRIES, MAX_WAIT_MS, Make, Step, Until,
        },
        names::{ARGS, Names},
        problem::{At, Problems},
        template::Template,
    },
    number, only, reserved, text,
};

/// What an item is called unless `as` says otherwise.
const ITEM: &str = "item";

/// Names that mean something else.
const RESERVED: [&str; 5] = [ARGS, "omit", "null", "true", "false"];

const MAKE_KEYS: [&str; 13] = [
    "id",
    "forEach",
    "as",
    "limit",
    "when",
    "call",
    "arguments",
    "until",
    "tries",
    "waitMs",
    "value",
    "test",
    "onError",
];

/// The keys that say what a step does. `value` beside `call` says what is kept of its answer.
const VERBS: [&str; 5] = ["require", "stopWhen", "call", "test", "value"];

/// The ids of all steps, wherever they stand.
pub(super) fn ids(map: &Map<String, Value>) -> Vec<String> {
    let steps = map.get("steps").and_then(Value::as_array);
    steps
        .into_iter()
        .flatten()
        .filter_map(|step| step.get("id")?.as_str().map(str::to_owned))
        .collect()
}

/// Reads the steps; the names then include theirs.
pub(super) fn read(
    map: &Map<String, Value>,
    mut names: Names,
    problems: &mut Problems,
) -> (Vec<Step>, Names) {
    let at = At::default();
    let list = map
        .get("steps")
        .and_then(Value::as_array)
        .filter(|steps| !steps.is_empty());
    let Some(list) = list else {
        problems.add(&at, "`steps` must be a list of at least one step, such as {\"id\": \"issues\", \"call\": \"list_issues\"}");
        return (Vec::new(), names);
    };
    let at = at.key("steps");
    if list.len() > MAX_STEPS {
        problems.add(
            &at,
            format!(
                "has {} steps, and {MAX_STEPS} is the limit; make two skills of it",
                list.len()
            ),
        );
    }
    let mut steps = Vec::new();
    for (index, step) in list.iter().enumerate() {
        let at = at.item(index);
        let Some(map) = step.as_object() else {
            problems.add(&at, "a step is an object");
            continue;
        };
        let id = read_id(map, &at, &names, problems);
        let action = read_action(map, id.as_deref(), &at, &names, problems);
        if let Some(id) = id.as_deref().filter(|_| makes_value(map)) {
            names = names.and(id);
        }
        let stage = id.unwrap_or_else(|| format!("step {}", index + 1));
        steps.extend(action.map(|action| Step { stage, action }));
    }
    (steps, names)
}

fn makes_value(map: &Map<String, Value>) -> bool {
    !map.contains_key("require") && !map.contains_key("stopWhen")
}

fn read_id(
    map: &Map<String, Value>,
    at: &At,
    names: &Names,
    problems: &mut Problems,
) -> Option<String> {
    let id = text(map, "id", at, problems)?;
    name(&id, &at.key("id"), problems)?;
    if names.knows(&id) {
        problems.add(
            &at.key("id"),
            format!("an earlier step is called {id:?} too; ids are unique"),
        );
        return None;
    }
    Some(id)
}

/// Checks a name that the document gives.
fn name(name: &str, at: &At, problems: &mut Problems) -> Option<()> {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    if RESERVED.contains(&name) {
        problems.add(
            at,
            format!("{name:?} means something else in templates; choose another name"),
        );
        None
    } else if plain {
        Some(())
    } else {
        problems.add(
            at,
            "must start with a letter and hold only letters, digits, `_` and `-`",
        );
        None
    }
}

fn read_action(
    map: &Map<String, Value>,
    id: Option<&str>,
    at: &At,
    names: &Names,
    problems: &mut Problems,
) -> Option<Action> {
    let verbs: Vec<&str> = VERBS
        .into_iter()
        .filter(|verb| map.contains_key(*verb))
        .collect();
    match verbs.as_slice() {
        ["require"] => {
            only(map, &["id", "require", "message"], at, problems);
            let condition = Condition::read(&map["require"], &at.key("require"), names, problems);
            let message = text(map, "message", at, problems);
            if !map.contains_key("message") {
                problems.add(at, "`message` is missing; say what is wrong and what to do when the condition does not hold");
            }
            let message =
                Template::read(&Value::from(message?), &at.key("message"), names, problems);
            Some(Action::Require {
                condition: condition?,
                message,
            })
        }
        ["stopWhen"] => {
            only(map, &["id", "stopWhen", "result"], at, problems);
            let condition = Condition::read(&map["stopWhen"], &at.key("stopWhen"), names, problems);
            let Some(result) = map.get("result") else {
                problems.add(
                    at,
                    "`result` is missing; say what the skill answers when it ends here",
                );
                return None;
            };
            reserved(result, &at.key("result"), problems);
            let result = Template::read(result, &at.key("result"), names, problems);
            Some(Action::StopWhen {
                condition: condition?,
                result,
            })
        }
        ["value"] | ["test"] | ["call"] | ["call", "value"] => {
            only(map, &MAKE_KEYS, at, problems);
            if !map.contains_key("id") {
                problems.add(
                    at,
                    "`id` is missing; the step's value and its failures are named by it",
                );
            }
            // The rest is checked even where the id is unusable.
            let shown = map.get("id").and_then(Value::as_str).unwrap_or("<id>");
            read_make(map, id.unwrap_or(shown), at, names, problems)
                .map(|make| Action::Make(Box::new(make)))
        }
        [] => {
            only(map, &MAKE_KEYS, at, problems);
            problems.add(
                at,
                "does nothing; a step has one of `call`, `value`, `test`, `require` and `stopWhen`",
            );
            None
        }
        several => {
            problems.add(
                at,
                format!(
                    "has {}; only `value` may stand beside `call`, make several steps of it",
                    several.join(" and ")
                ),
            );
            None
        }
    }
}

fn read_make(
    map: &Map<String, Value>,
    id: &str,
    at: &At,
    names: &Names,
    problems: &mut Problems,
) -> Option<Make> {
    let (each, inner) = read_each(map, id, at, names, problems);
    let when = map
        .get("when")
        .map(|when| Condition::read(when, &at.key("when"), &inner, problems));
    let from = if map.contains_key("call") {
        read_call(map, id, at, &inner, problems).map(From::Call)
    } else {
        for key in ["arguments", "until", "tries", "waitMs", "onError"] {
            if map.contains_key(key) {
                problems.add(&at.key(key), "belongs to a `call`, and this step has none");
            }
        }
        match map.get("test") {
            Some(test) => Condition::read(test, &at.key("test"), &inner, problems).map(From::Test),
            None => map.get("value").map(|value| {
                From::Value(Template::read(value, &at.key("value"), &inner, problems))
            }),
        }
    };
    let when = match when {
        Some(when) => Some(when?),
        None => None,
    };
    Some(Make {
        id: id.to_owned(),
        each,
        when,
        from: from?,
    })
}

/// The list that a step goes through, and the names inside.
fn read_each(
    map: &Map<String, Value>,
    id: &str,
    at: &At,
    names: &Names,
    problems: &mut Problems,
) -> (Option<Each>, Names) {
    let Some(list) = map.get("forEach") else {
        for key in ["as", "limit"] {
            if map.contains_key(key) {
                problems.add(
                    &at.key(key),
                    "belongs to a `forEach`, and this step has none",
                );
            }
        }
        return (None, names.clone());
    };
    let place = at.key("forEach");
    let list_template = Template::read(list, &place, names, problems);
    let is_list = match &list_template {
        Template::Whole(_) | Template::List(_) => true,
        // What is malformed has been reported.
        Template::Constant(Value::Null) => list.is_string(),
        _ => false,
    };
    if !is_list {
        problems.add(
            &place,
            "must be a list, or one path to a list such as \"{{issues}}\"",
        );
    }
    let item = text(map, "as", at, problems).unwrap_or_else(|| ITEM.to_owned());
    let item_at = at.key("as");
    if name(&item, &item_at, problems).is_some()
        && (names.knows(&item) || names.is_step(&item) || item == id)
    {
        problems.add(
            &item_at,
            format!("a step is called {item:?}; give the items a name of their own with `as`"),
        );
    }
    let limit = number(map, "limit", (1, DEFAULT_ITEMS, MAX_ITEMS), at, problems);
    let inner = names.and(&item);
    (
        Some(Each {
            list: list_template,
            name: item,
            limit,
        }),
        inner,
    )
}

fn read_call(
    map: &Map<String, Value>,
    id: &str,
    at: &At,
    names: &Names,
    problems: &mut Problems,
) -> Option<Call> {
    let tool = text(map, "call", at, problems);
    if tool.as_ref().is_some_and(|tool| tool.contains("{{")) {
        problems.add(
            &at.key("call"),
            "must be the name of one tool, without {{…}}: what a skill may do has to be readable",
        );
    }
    let arguments = match map.get("arguments") {
        Some(arguments) => {
            let place = at.key("arguments");
            if !arguments.is_object() {
                problems.add(
                    &place,
                    "must be an object, with a key for each argument of the tool",
                );
            }
            Template::read(arguments, &place, names, problems)
        }
        None => Template::Object(Vec::new()),
    };
    // The answer has the step's name while it is judged and shaped.
    let with_answer = names.and(id);
    let until = read_until(map, at, &with_answer, problems);
    let value = map
        .get("value")
        .map(|value| Template::read(value, &at.key("value"), &with_answer, problems));
    let continues = match map.get("onError").map(Value::as_str) {
        None | Some(Some("stop")) => false,
        Some(Some("continue")) => true,
        Some(_) => {
            problems.add(
                &at.key("onError"),
                "must be \"continue\", or \"stop\", which is the default",
            );
            false
        }
    };
    Some(Call {
        tool: tool?,
        arguments,
        until,
        value,
        continues,
    })
}

fn read_until(
    map: &Map<String, Value>,
    at: &At,
    names: &Names,
    problems: &mut Problems,
) -> Option<Until> {
    let tries = number(map, "tries", (1, DEFAULT_TRIES, MAX_TRIES), at, problems);
    let wait = number(
        map,
        "waitMs",
        (0, DEFAULT_WAIT_MS, MAX_WAIT_MS),
        at,
        problems,
    );
    let Some(until) = map.get("until") else {
        for key in ["tries", "waitMs"] {
            if map.contains_key(key) {
                problems.add(
                    &at.key(key),
                    "belongs to an `until`, and this step has none",
                );
            }
        }
        return None;
    };
    let condition = Condition::read(until, &at.key("until"), names, problems)?;
    Some(Until {
        condition,
        tries,
        wait: Duration::from_millis(wait as u64),
    })
}
