//! The shape of a facade call: where the name is, where the arguments are.
//!
//! Models put them one level too deep, or send the arguments as a JSON string. A shape with exactly one reading is
//! repaired and noted; anything else is refused. What the model sent is never changed silently.

mod meant;

use serde_json::{Map, Value};

use crate::reply::{Code, Failure};

/// JSON text inside JSON text is read at most this many times.
const MAX_DECODING: usize = 2;

/// Whom a facade call is sent to, for the corrected call of an error.
#[derive(Debug, Clone)]
pub(crate) struct Addressee {
    /// The name of the facade tool that was called.
    pub tool: String,
    /// The plugin, where it is an argument of that tool.
    pub plugin: Option<String>,
}

/// Takes the argument `plugin` out of a call that goes to any plugin. It may stand one level too deep with the rest of
/// the request; where two of them differ, the inner one stays, and what is left cannot be read.
///
/// `key` is the argument without which something inside `arguments` is not a request.
pub(crate) fn take_plugin(
    sent: &mut Map<String, Value>,
    key: &str,
    notes: &mut Vec<String>,
) -> Option<Value> {
    let given = sent.shift_remove("plugin").filter(|value| !value.is_null());
    if sent.contains_key(key) {
        return given;
    }
    let inner = sent.get("arguments").cloned().and_then(decoded);
    let Some(mut inner) = inner.filter(|inner| inner.get(key).is_some_and(Value::is_string)) else {
        return given;
    };
    let Some(deep) = inner.shift_remove("plugin") else {
        return given;
    };
    if given.as_ref().is_some_and(|given| *given != deep) {
        return given;
    }
    if given.is_none() {
        notes.push("`plugin` was inside `arguments`; it was read as if it stood beside it".into());
    }
    sent.insert("arguments".into(), Value::Object(inner));
    Some(deep)
}

/// A `_call`, read.
#[derive(Debug, PartialEq)]
pub(crate) struct CallEnvelope {
    pub tool: String,
    pub arguments: Map<String, Value>,
    pub confirm: bool,
    pub idempotency_key: Option<String>,
    pub notes: Vec<String>,
}

/// A `_run_skill`, read.
#[derive(Debug, PartialEq)]
pub(crate) struct SkillEnvelope {
    pub skill: String,
    pub arguments: Map<String, Value>,
    pub confirm: bool,
    pub notes: Vec<String>,
}

impl CallEnvelope {
    /// Reads `{toolName, arguments?, confirm?, idempotencyKey?}`. `to` is for the error.
    pub(crate) fn read(mut sent: Map<String, Value>, to: &Addressee) -> Result<Self, Failure> {
        let idempotency_key = match sent.get("idempotencyKey") {
            Some(Value::String(key)) if !key.is_empty() => Some(key.clone()),
            _ => None,
        };
        if idempotency_key.is_some() {
            sent.remove("idempotencyKey");
        }
        let read = Read::of(sent, "toolName", Code::MissingToolName, to)?;
        Ok(Self {
            tool: read.name,
            arguments: read.arguments,
            confirm: read.confirm,
            idempotency_key,
            notes: read.notes,
        })
    }
}

impl SkillEnvelope {
    /// Reads `{skill, arguments?, confirm?}`. A skill's own `arguments.confirm: true` counts as consent.
    pub(crate) fn read(sent: Map<String, Value>, to: &Addressee) -> Result<Self, Failure> {
        let read = Read::of(sent, "skill", Code::MissingSkillName, to)?;
        let confirm = read.confirm || read.arguments.get("confirm") == Some(&Value::Bool(true));
        Ok(Self {
            skill: read.name,
            arguments: read.arguments,
            confirm,
            notes: read.notes,
        })
    }
}

struct Read {
    name: String,
    arguments: Map<String, Value>,
    confirm: bool,
    notes: Vec<String>,
}

impl Read {
    fn of(
        mut sent: Map<String, Value>,
        key: &str,
        missing: Code,
        to: &Addressee,
    ) -> Result<Self, Failure> {
        let mut notes = Vec::new();
        if !sent.contains_key(key) {
            sent = unwrap_envelope(sent, key, &mut notes);
        }
        let refused = |code: Code, error: String, advice: &str| {
            Failure::new(code, error)
                .with_hint(format!("{advice}: {}", meant::call(&sent, key, to)))
        };
        let name = match sent.get(key) {
            Some(Value::String(name)) if !name.trim().is_empty() => name.trim().to_owned(),
            found => {
                let what = match found {
                    None => format!("`{key}` is missing"),
                    Some(other) => format!("`{key}` must be a name, not {}", shortened(other)),
                };
                let keys = meant::keys(&sent);
                return Err(refused(
                    missing,
                    format!("{what}; received the keys {keys}"),
                    &format!("Put {key} and arguments side by side"),
                ));
            }
        };
        if sent.get(key).and_then(Value::as_str) != Some(&name) {
            notes.push(format!("`{key}` was read without the space around it"));
        }
        let confirm = match sent.get("confirm") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(confirm)) => *confirm,
            Some(Value::String(text)) if text == "true" || text == "false" => {
                notes.push(format!("`confirm` was text; it was read as {text}"));
                text == "true"
            }
            Some(other) => {
                return Err(refused(
                    Code::BadCallShape,
                    format!("`confirm` must be true or false, not {}", shortened(other)),
                    "Send the boolean, or leave it out",
                ));
            }
        };
        let stray = |field: &&String| !["arguments", "confirm", key].contains(&field.as_str());
        if let Some(stray) = sent.keys().find(stray) {
            return Err(refused(
                Code::BadCallShape,
                format!("`{stray}` does not belong beside `{key}`"),
                "Put the tool's own arguments into `arguments`",
            ));
        }
        let arguments = sent.get("arguments").cloned().unwrap_or(Value::Null);
        let arguments = object_argument(arguments, &mut notes)
            .map_err(|error| refused(Code::BadCallShape, error, "Send an object"))?;
        Ok(Self {
            name,
            arguments,
            confirm,
            notes,
        })
    }
}

/// The whole request one level too deep, as an object or as JSON text: `{"arguments": {"toolName": …}}`.
fn unwrap_envelope(
    sent: Map<String, Value>,
    key: &str,
    notes: &mut Vec<String>,
) -> Map<String, Value> {
    let Some(inner) = sent
        .get("arguments")
        .and_then(|inner| decoded(inner.clone()))
    else {
        return sent;
    };
    let holds_name = inner.get(key).is_some_and(Value::is_string);
    let fits = inner
        .keys()
        .all(|k| k == key || k == "arguments" || k == "confirm");
    let differ =
        matches!((sent.get("confirm"), inner.get("confirm")), (Some(a), Some(b)) if a != b);
    if differ || !holds_name || !fits || sent.keys().any(|k| k != "arguments" && k != "confirm") {
        return sent;
    }
    notes.push(format!(
        "`{key}` was inside `arguments`; it was read as if it stood beside it"
    ));
    let mut unwrapped = inner;
    if let Some(confirm) = sent.get("confirm") {
        unwrapped
            .entry("confirm")
            .or_insert_with(|| confirm.clone());
    }
    unwrapped
}

/// An object, or text that is an object's JSON. Nothing and blank text are an empty object.
fn object_argument(value: Value, notes: &mut Vec<String>) -> Result<Map<String, Value>, String> {
    match value {
        Value::Object(map) => match only_key_is_json(&map) {
            Some(text) => Err(not_an_object(&Value::String(text))),
            None => Ok(map),
        },
        Value::Null => Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => match decoded(Value::String(text.clone())) {
            Some(map) => {
                notes.push("`arguments` was JSON text; it was read as the object in it".into());
                Ok(map)
            }
            None => Err(not_an_object(&Value::String(text))),
        },
        other => Err(not_an_object(&other)),
    }
}

fn not_an_object(value: &Value) -> String {
    format!(
        "`arguments` must be an object; received {}",
        shortened(value)
    )
}

/// `{"{\"repo\":\"a/b\"}": null}`: JSON text that became a key.
fn only_key_is_json(map: &Map<String, Value>) -> Option<String> {
    let (key, value) = map.iter().next()?;
    let is_json = map.len() == 1
        && value.is_null()
        && key.trim_start().starts_with('{')
        && serde_json::from_str::<Value>(key).is_ok();
    is_json.then(|| key.clone())
}

fn decoded(mut value: Value) -> Option<Map<String, Value>> {
    for _ in 0..=MAX_DECODING {
        match value {
            Value::Object(map) => return Some(map),
            Value::String(text) => value = serde_json::from_str(&text).ok()?,
            _ => return None,
        }
    }
    None
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Result<CallEnvelope, Failure> {
        let Value::Object(sent) = value else {
            unreachable!()
        };
        CallEnvelope::read(sent, &to())
    }

    fn to() -> Addressee {
        Addressee {
            tool: "x_call".into(),
            plugin: None,
        }
    }

    #[test]
    fn the_plugin_is_taken_from_wherever_the_request_is() {
        for (sent, plugin, left, notes) in [
            (
                json!({"plugin":"gh","toolName":"t"}),
                json!("gh"),
                json!({"toolName":"t"}),
                0,
            ),
            (
                json!({"arguments":{"plugin":"gh","toolName":"t"}}),
                json!("gh"),
                json!({"arguments":{"toolName":"t"}}),
                1,
            ),
            (
                json!({"arguments":"{\"plugin\":\"gh\",\"toolName\":\"t\"}"}),
                json!("gh"),
                json!({"arguments":{"toolName":"t"}}),
                1,
            ),
            (
                json!({"plugin":"gh","arguments":{"plugin":"gh","toolName":"t"}}),
                json!("gh"),
                json!({"arguments":{"toolName":"t"}}),
                0,
            ),
            (
                json!({"plugin":"a","arguments":{"plugin":"b","toolName":"t"}}),
                json!("a"),
                json!({"arguments":{"plugin":"b","toolName":"t"}}),
                0,
            ),
            (
                json!({"toolName":"t","arguments":{"plugin":"its own"}}),
                Value::Null,
                json!({"toolName":"t","arguments":{"plugin":"its own"}}),
                0,
            ),
        ] {
            let mut map = sent.as_object().unwrap().clone();
            let mut said = Vec::new();
            let taken = take_plugin(&mut map, "toolName", &mut said);
            assert_eq!(taken.unwrap_or_default(), plugin, "{sent}");
            assert_eq!(
                (Value::Object(map), said.len()),
                (left, notes),
                "{sent}: {said:?}"
            );
        }
    }

    #[test]
    fn one_reading_is_taken_and_noted() {
        let want = json!({"repo":"a/b"});
        for (sent, notes) in [
            (json!({"toolName":"t","arguments":{"repo":"a/b"}}), 0),
            (json!({"toolName":"t","arguments":"{\"repo\":\"a/b\"}"}), 1),
            (
                json!({"toolName":"t","arguments":"\"{\\\"repo\\\":\\\"a/b\\\"}\""}),
                1,
            ),
            (
                json!({"arguments":{"toolName":"t","arguments":{"repo":"a/b"}}}),
                1,
            ),
            (
                json!({"arguments":"{\"toolName\":\"t\",\"arguments\":{\"repo\":\"a/b\"}}"}),
                1,
            ),
        ] {
            let envelope = read(sent.clone()).unwrap();
            assert_eq!(Value::Object(envelope.arguments), want, "{sent}");
            assert_eq!(envelope.tool, "t");
            assert_eq!(envelope.notes.len(), notes, "{sent}: {:?}", envelope.notes);
        }
    }

    #[test]
    fn confirm_survives_unwrapping_and_absence_is_empty() {
        let envelope = read(json!({"arguments":{"toolName":"t"},"confirm":true})).unwrap();
        assert!(envelope.confirm && envelope.arguments.is_empty());
        let spelled = read(json!({"toolName":" t ","confirm":"true"})).unwrap();
        assert!(spelled.confirm && spelled.tool == "t" && spelled.notes.len() == 2);
        for empty in [
            json!({"toolName":"t"}),
            json!({"toolName":"t","arguments":null}),
            json!({"toolName":"t","arguments":" "}),
        ] {
            assert!(read(empty).unwrap().arguments.is_empty());
        }
    }

    #[test]
    fn anything_else_is_refused_with_a_correct_call() {
        for (sent, code) in [
            (json!({}), Code::MissingToolName),
            (json!({"toolName":7}), Code::MissingToolName),
            (json!({"arguments":{"repo":"a/b"}}), Code::MissingToolName),
            (
                json!({"arguments":{"toolName":"t","repo":"a/b"}}),
                Code::MissingToolName,
            ),
            (json!({"toolName":"t","arguments":[1]}), Code::BadCallShape),
            (
                json!({"toolName":"t","arguments":"not json"}),
                Code::BadCallShape,
            ),
            (
                json!({"toolName":"t","arguments":{"{\"repo\":\"a/b\"}":null}}),
                Code::BadCallShape,
            ),
            (json!({"toolName":"t","confirm":"yes"}), Code::BadCallShape),
            (
                json!({"confirm":false,"arguments":{"toolName":"t","confirm":true}}),
                Code::MissingToolName,
            ),
            (json!({"toolName":"t","repo":"a/b"}), Code::BadCallShape),
        ] {
            let failure = read(sent.clone()).unwrap_err();
            assert_eq!(failure.code, code, "{sent}");
            assert!(failure.hint.unwrap().contains(": x_call {\"toolName\":"));
        }
    }
}
