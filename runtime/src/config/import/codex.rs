//! Codex: `[mcp_servers.<name>]` in `config.toml`.

use serde_json::{Map, Value, json};

use super::Imported;

/// Reads a `config.toml`.
pub(super) fn read(text: &str) -> Result<Imported, String> {
    let root: Value =
        toml::from_str(text).map_err(|error| format!("not TOML: {}", error.to_string().trim()))?;
    let servers = root
        .get("mcp_servers")
        .and_then(Value::as_object)
        .ok_or("it has no [mcp_servers.<name>]")?;
    let mut imported = Imported::default();
    for (name, server) in servers {
        match server.as_object() {
            Some(server) if server.get("enabled") == Some(&Value::Bool(false)) => {
                imported.off.push(name.clone());
            }
            Some(server) if server.get("enabled_tools") == Some(&json!([])) => {
                imported.remarks.warnings.push(format!(
                    "{name} was left out: none of its tools is offered (`enabled_tools` is empty)"
                ))
            }
            Some(server) => {
                imported.servers.insert(name.clone(), translated(server));
            }
            None => imported
                .remarks
                .warnings
                .push(format!("{name}: a server is a table; it was left out")),
        }
    }
    Ok(imported)
}

fn translated(server: &Map<String, Value>) -> Map<String, Value> {
    let mut own = Map::new();
    let mut env = object(server.get("env"));
    let mut headers = object(server.get("http_headers"));
    for (key, value) in server {
        match (key.as_str(), value) {
            ("command" | "args" | "cwd" | "url", _) => {
                own.insert(key.clone(), literal(value));
            }
            ("enabled_tools", _) => {
                own.insert("include".into(), value.clone());
            }
            ("disabled_tools", _) => {
                own.insert("exclude".into(), value.clone());
            }
            ("tool_timeout_sec", _) => insert_ms(&mut own, "timeoutMs", value),
            ("startup_timeout_sec", _) => insert_ms(&mut own, "startTimeoutMs", value),
            ("startup_timeout_ms", Value::Number(_)) => {
                own.insert("startTimeoutMs".into(), value.clone());
            }
            ("bearer_token_env_var", Value::String(variable)) => {
                headers.insert(
                    "Authorization".into(),
                    json!(format!("Bearer ${{{variable}}}")),
                );
            }
            ("env_http_headers", Value::Object(by_header)) => {
                let variables = by_header
                    .iter()
                    .filter_map(|(name, value)| Some((name, value.as_str()?)));
                headers
                    .extend(variables.map(|(name, variable)| (name.clone(), reference(variable))));
            }
            ("env_vars", Value::Array(names)) => {
                // Newer ones are tables: {name, source}.
                let names = names
                    .iter()
                    .filter_map(|item| item.as_str().or_else(|| item.get("name")?.as_str()));
                env.extend(names.map(|name| (name.to_owned(), reference(name))));
            }
            _ => {}
        }
    }
    for (key, map) in [("env", env), ("headers", headers)] {
        if !map.is_empty() {
            own.insert(key.into(), Value::Object(map));
        }
    }
    own
}

fn object(value: Option<&Value>) -> Map<String, Value> {
    match value.map(literal) {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// Codex replaces nothing: `${NAME}` is for the program itself.
fn literal(value: &Value) -> Value {
    match value {
        Value::String(text) => text.replace("${", "$${").into(),
        Value::Array(items) => items.iter().map(literal).collect(),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| (key.clone(), literal(value)));
            Value::Object(entries.collect())
        }
        other => other.clone(),
    }
}

fn reference(variable: &str) -> Value {
    json!(format!("${{{variable}}}"))
}

fn insert_ms(own: &mut Map<String, Value>, key: &str, seconds: &Value) {
    if let Some(seconds) = seconds.as_f64().filter(|seconds| *seconds > 0.0) {
        own.insert(key.into(), json!((seconds * 1000.0) as u64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_servers() {
        let imported = read(
            r#"
model = "gpt"
[mcp_servers.files]
command = "npx"
args = ["-y", "server"]
env_vars = ["TOKEN"]
tool_timeout_sec = 2.5
[mcp_servers.files.env]
A = "1"
[mcp_servers.remote]
url = "https://example.com/mcp"
bearer_token_env_var = "REMOTE"
http_headers = { X = "y" }
env_http_headers = { Z = "ZVAR" }
enabled_tools = ["a"]
[mcp_servers.off]
command = "x"
enabled = false
"#,
        )
        .unwrap();
        assert_eq!(
            serde_json::to_value(&imported.servers).unwrap(),
            json!({
                "files": {"command": "npx", "args": ["-y", "server"], "timeoutMs": 2500, "env": {"A": "1", "TOKEN": "${TOKEN}"}},
                "remote": {
                    "url": "https://example.com/mcp", "include": ["a"],
                    "headers": {"X": "y", "Authorization": "Bearer ${REMOTE}", "Z": "${ZVAR}"},
                },
            })
        );
        assert!(read("[x").unwrap_err().starts_with("not TOML"));
        assert!(read("a = 1").unwrap_err().contains("mcp_servers"));
    }
}
