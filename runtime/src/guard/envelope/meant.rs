//! The call that was probably meant by a shape that cannot be read. It is only ever suggested.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{Addressee, decoded, shortened};

/// Names that models give to the key of a tool's or a skill's name.
const NAME_KEYS: [&str; 8] = [
    "toolName",
    "tool_name",
    "toolname",
    "tool",
    "name",
    "skillName",
    "skill_name",
    "skill",
];
/// Names that models give to the arguments.
const ARGUMENT_KEYS: [&str; 6] = [
    "arguments",
    "args",
    "params",
    "parameters",
    "input",
    "toolArguments",
];
/// A longer call is not spelled out; who sent it knows its values.
const MAX_ARGUMENTS: usize = 2_000;

/// The facade call made of what was `sent`: the name under `key`, everything else in its place.
pub(super) fn call(sent: &Map<String, Value>, key: &str, to: &Addressee) -> String {
    let Addressee { tool, plugin } = to;
    let mut parts = Parts::default();
    parts.take(sent, key);
    let name = parts.name.unwrap_or_else(|| "<name>".into());
    let arguments = Value::Object(parts.arguments);
    if arguments.to_string().len() > MAX_ARGUMENTS {
        let plugin = plugin
            .as_ref()
            .map(|plugin| format!("\"plugin\":{},", json!(plugin)));
        return format!(
            "{tool} {{{}\"{key}\":{},\"arguments\":{{…}}}}",
            plugin.unwrap_or_default(),
            json!(name)
        );
    }
    let mut body = Map::new();
    if let Some(plugin) = plugin {
        body.insert("plugin".into(), json!(plugin));
    }
    body.insert(key.to_owned(), json!(name));
    body.insert("arguments".into(), arguments);
    // Of two that differ neither is taken.
    if parts.confirm.into_iter().eq([true]) {
        body.insert("confirm".into(), json!(true));
    }
    format!("{tool} {}", Value::Object(body))
}

#[derive(Default)]
struct Parts {
    name: Option<String>,
    arguments: Map<String, Value>,
    confirm: BTreeSet<bool>,
}

impl Parts {
    fn take(&mut self, sent: &Map<String, Value>, key: &str) {
        for (field, value) in sent {
            let names = field == key || NAME_KEYS.contains(&field.as_str());
            match value {
                Value::String(name) if names && self.name.is_none() && !name.trim().is_empty() => {
                    self.name = Some(name.trim().to_owned());
                }
                Value::Bool(confirm) if field == "confirm" => {
                    self.confirm.insert(*confirm);
                }
                _ if field == key || field == "confirm" => {}
                _ if ARGUMENT_KEYS.contains(&field.as_str()) => self.take_arguments(value, key),
                _ => {
                    self.arguments.insert(field.clone(), value.clone());
                }
            }
        }
    }

    fn take_arguments(&mut self, value: &Value, key: &str) {
        let Some(inner) = decoded(value.clone()) else {
            return;
        };
        if self.name.is_none() && inner.contains_key(key) {
            self.take(&inner, key);
            return;
        }
        // A text that became a key has no place in a call.
        let odd = |key: &str| key.trim_start().starts_with('{');
        self.arguments
            .extend(inner.into_iter().filter(|(key, _)| !odd(key)));
    }
}

/// The keys of what was sent, for the error.
pub(super) fn keys(sent: &Map<String, Value>) -> String {
    shortened(&json!(sent.keys().collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_put_in_its_place() {
        for (sent, meant) in [
            (json!({}), r#"x_call {"toolName":"<name>","arguments":{}}"#),
            (
                json!({"toolName": "t", "repo": "a/b", "confirm": true}),
                r#"x_call {"toolName":"t","arguments":{"repo":"a/b"},"confirm":true}"#,
            ),
            (
                json!({"tool": "t", "args": "{\"repo\":\"a/b\"}"}),
                r#"x_call {"toolName":"t","arguments":{"repo":"a/b"}}"#,
            ),
            (
                json!({"arguments": {"toolName": "t", "repo": "a/b"}}),
                r#"x_call {"toolName":"t","arguments":{"repo":"a/b"}}"#,
            ),
            (
                json!({"toolName": "t", "arguments": {"{\"repo\":\"a/b\"}": null}}),
                r#"x_call {"toolName":"t","arguments":{}}"#,
            ),
            (
                json!({"toolName": "t", "text": "x".repeat(3000)}),
                r#"x_call {"toolName":"t","arguments":{…}}"#,
            ),
        ] {
            let sent = sent.as_object().unwrap();
            let mut to = Addressee {
                tool: "x_call".into(),
                plugin: None,
            };
            assert_eq!(call(sent, "toolName", &to), meant);
            to.plugin = Some("gh".into());
            let to_plugin = meant.replacen('{', r#"{"plugin":"gh","#, 1);
            assert_eq!(call(sent, "toolName", &to), to_plugin);
        }
    }
}
