//! One server of another client, as an entry of `mcpServers`.

use serde_json::{Map, Value, json};

/// Keys that mean the same here.
const KEPT: &[&str] = &[
    "args",
    "command",
    "cwd",
    "description",
    "env",
    "envFile",
    "headers",
    "httpUrl",
    "serverUrl",
    "timeoutMs",
    "transport",
    "transportType",
    "type",
    "url",
];
/// Below this a time is in seconds, as Pi and Cline have it; others count milliseconds.
const SECONDS_BELOW: f64 = 1000.0;

/// What an entry of another client's file means.
pub(super) enum Meant {
    Server(Map<String, Value>),
    /// It is switched off there.
    Off,
    /// It names nothing that could be started or connected to.
    Nothing(&'static str),
}

pub(super) fn translated(server: &Value) -> Meant {
    let Some(server) = server.as_object() else {
        return Meant::Nothing("a server is an object");
    };
    let flag = |key: &str| server.get(key).and_then(Value::as_bool);
    if flag("enabled") == Some(false) || flag("disabled") == Some(true) {
        return Meant::Off;
    }
    if !["command", "url", "httpUrl", "serverUrl"]
        .iter()
        .any(|key| server.contains_key(*key))
    {
        return Meant::Nothing("it has neither `command` nor `url`");
    }
    let mut own = Map::new();
    for (key, value) in server {
        match key.as_str() {
            // OpenCode has the arguments in the same list, Zed has an object of its own.
            "command" => command(value, &mut own),
            "env" | "environment" => merge_env(&mut own, value),
            "includeTools" | "enabledTools" if value.as_array().is_some_and(Vec::is_empty) => {
                return Meant::Nothing("none of its tools is offered (its list is empty)");
            }
            "includeTools" | "enabledTools" => insert(&mut own, "include", value),
            "excludeTools" | "disabledTools" => insert(&mut own, "exclude", value),
            "tools" if value.as_array().is_some_and(Vec::is_empty) => {
                return Meant::Nothing("none of its tools is offered (`tools` is empty)");
            }
            "tools" if value.is_array() => insert(&mut own, "include", value),
            "timeout" => {
                if let Some(time) = value.as_f64().filter(|time| *time > 0.0) {
                    let ms = if time < SECONDS_BELOW {
                        time * 1000.0
                    } else {
                        time
                    };
                    own.insert("timeoutMs".into(), json!(ms as u64));
                }
            }
            "oauth" | "auth" => {
                if let Some(oauth) = value.as_object().filter(|oauth| !oauth.is_empty()) {
                    own.insert("auth".into(), json!({"oauth": oauth_keys(oauth)}));
                }
            }
            key if KEPT.contains(&key) && !value.is_null() => insert(&mut own, key, value),
            _ => {}
        }
    }
    Meant::Server(own)
}

fn insert(own: &mut Map<String, Value>, key: &str, value: &Value) {
    own.insert(key.to_owned(), value.clone());
}

fn command(value: &Value, own: &mut Map<String, Value>) {
    match value {
        Value::Array(words) => {
            let mut words = words.iter().cloned();
            own.insert("command".into(), words.next().unwrap_or_default());
            own.insert("args".into(), words.collect());
        }
        Value::Object(parts) => {
            insert(own, "command", parts.get("path").unwrap_or(&Value::Null));
            if let Some(args) = parts.get("args") {
                insert(own, "args", args);
            }
            if let Some(env) = parts.get("env") {
                merge_env(own, env);
            }
        }
        command => insert(own, "command", command),
    }
}

/// Numbers and flags are texts in an environment; `null` means that the variable is not set.
fn merge_env(own: &mut Map<String, Value>, env: &Value) {
    let env = env.as_object().into_iter().flatten();
    let texts = env
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            (name.clone(), Value::String(text))
        });
    if let Value::Object(own) = own.entry("env").or_insert_with(|| json!({})) {
        own.extend(texts);
    }
}

fn oauth_keys(oauth: &Map<String, Value>) -> Map<String, Value> {
    let mut own = Map::new();
    for (key, value) in oauth {
        match (key.as_str(), value) {
            ("clientId" | "client_id" | "CLIENT_ID", _) => insert(&mut own, "clientId", value),
            ("clientSecret" | "client_secret" | "CLIENT_SECRET", _) => {
                insert(&mut own, "clientSecret", value)
            }
            ("callbackPort" | "redirectPort", _) => insert(&mut own, "redirectPort", value),
            ("scope", Value::String(scopes)) => {
                own.insert("scopes".into(), scopes.split_whitespace().collect());
            }
            ("scopes", Value::Array(_)) => insert(&mut own, "scopes", value),
            _ => {}
        }
    }
    own
}
