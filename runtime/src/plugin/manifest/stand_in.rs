//! What `${NAME}` means where a plugin needs the variable: what its own `env` says, or one that does instead.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::needs::{Needs, is_given};
use crate::placeholder::{Part, written_parts};

/// Keys whose texts are for models, and expand nowhere.
const SHOWN: [&str; 3] = ["description", "exitCodes", "stdin"];

impl Needs {
    /// Rewrites what says how the service is reached, and the plugin's own variables.
    pub(super) fn stand_in(&self, settings: &mut Value, is_set: impl Fn(&str) -> bool) {
        if self.environment.is_empty() {
            return;
        }
        let Some(settings) = settings.as_object_mut() else {
            return;
        };
        let instead = |name: &str| {
            let variable = self.environment.get(name).filter(|_| !is_set(name))?;
            variable.or.iter().find(|other| is_set(other)).cloned()
        };
        if let Some(env) = settings.get_mut("env") {
            rewrite(env, &|name, default| {
                Some(reference(&instead(name)?, default))
            });
        }
        let own = own_variables(settings);
        for way in ["mcp", "openapi", "cli"] {
            if let Some(way) = settings.get_mut(way) {
                rewrite(way, &|name, default| {
                    let given = own.get(name).filter(|text| is_given(text, &is_set));
                    match given.filter(|_| self.environment.contains_key(name)) {
                        Some(text) => Some(text.clone()),
                        None => Some(reference(&instead(name)?, default)),
                    }
                });
            }
        }
    }
}

fn own_variables(settings: &Map<String, Value>) -> IndexMap<String, String> {
    let env = settings.get("env").and_then(Value::as_object);
    let texts = env.into_iter().flatten();
    texts
        .filter_map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned())))
        .collect()
}

fn reference(name: &str, default: Option<&str>) -> String {
    match default {
        Some(default) => format!("${{{name}:-{default}}}"),
        None => format!("${{{name}}}"),
    }
}

/// Replaces the variables of every text that may expand by what `of` says, if it says anything.
fn rewrite(value: &mut Value, of: &impl Fn(&str, Option<&str>) -> Option<String>) {
    match value {
        Value::String(text) => {
            let rewritten = written_parts(text).map(|(part, written)| match part {
                Part::Variable { name, default } => {
                    of(name, default).unwrap_or_else(|| written.to_owned())
                }
                _ => written.to_owned(),
            });
            *text = rewritten.collect();
        }
        // What is no text in a list is a parameter: its texts are for models.
        Value::Array(items) => {
            let texts = items.iter_mut().filter(|item| item.is_string());
            texts.for_each(|text| rewrite(text, of));
        }
        Value::Object(fields) => {
            let fields = fields
                .iter_mut()
                .filter(|(key, _)| !SHOWN.contains(&key.as_str()));
            fields.for_each(|(_, field)| rewrite(field, of));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn stood_in(settings: Value) -> Value {
        let needs: Needs =
            serde_json::from_value(json!({"environment": {"A": {"or": ["B"]}, "C": ""}})).unwrap();
        let mut settings = settings;
        needs.stand_in(&mut settings, |name| name == "B");
        settings
    }

    #[test]
    fn a_variable_that_does_instead_is_put_in() {
        let settings = json!({"env": {"X": "${A}"}, "mcp": {"url": "${A}-${env:A:-d}-$${A}-${D}", "headers": {"K": "${C}"}}});
        assert_eq!(
            stood_in(settings),
            json!({"env": {"X": "${B}"}, "mcp": {"url": "${B}-${B:-d}-$${A}-${D}", "headers": {"K": "${C}"}}})
        );
    }

    #[test]
    fn the_own_value_of_a_declared_variable_is_put_in_where_it_expands_and_shown_nowhere() {
        let settings = json!({
            "env": {"A": "own ${secret:a#1}", "C": "${GONE}", "D": "d"},
            "description": "${A}",
            "openapi": {"auth": {"k": "Bearer ${A}${C}${D}"}},
            "cli": {"args": ["${A}", {"param": "p", "default": "${A}"}], "tools": {"t": {"description": "${A}"}}},
        });
        let rewritten = stood_in(settings.clone());
        assert_eq!(
            rewritten["openapi"]["auth"]["k"],
            "Bearer own ${secret:a#1}${C}${D}"
        );
        assert_eq!(rewritten["cli"]["args"][0], "own ${secret:a#1}");
        for path in ["/env", "/description", "/cli/args/1", "/cli/tools"] {
            assert_eq!(rewritten.pointer(path), settings.pointer(path), "{path}");
        }
    }
}
