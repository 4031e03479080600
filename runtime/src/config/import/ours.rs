//! Whether a server of another client is this runtime: `agent-tools init` writes such entries.

use serde_json::{Map, Value};

/// The npm package.
const PACKAGE: &str = "@rckflr/agent-tools-runtime";
/// Its programs.
const PROGRAMS: [&str; 2] = ["agent-tools", "agent-tools-runtime"];

/// Whether the entry starts or reaches this runtime, which must not be a service of itself.
pub(crate) fn is_this_runtime(name: &str, server: &Map<String, Value>) -> bool {
    let text = |key: &str| server.get(key).and_then(Value::as_str);
    if let Some(url) = ["url", "serverUrl", "httpUrl"].into_iter().find_map(text) {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        return is_named_so(name) && path.trim_end_matches('/').ends_with("/mcp");
    }
    starts_this_runtime(server)
}

/// Whether the entry starts this runtime with the configuration that the entry itself stands in: each start would be
/// followed by another one.
pub(crate) fn starts_itself(server: &Map<String, Value>) -> bool {
    let chooses = |arg: &str| {
        ["--config", "--plugins-dir"]
            .iter()
            .any(|option| arg.starts_with(option))
    };
    let env = server.get("env").and_then(Value::as_object);
    let mut names = env.into_iter().flat_map(Map::keys);
    let has_own = args(server).any(chooses) || names.any(|name| name.starts_with("AGENT_TOOLS_"));
    starts_this_runtime(server) && !has_own
}

fn starts_this_runtime(server: &Map<String, Value>) -> bool {
    let command = server.get("command").and_then(Value::as_str);
    command.is_some_and(is_program) || args(server).any(|arg| is_package(arg) || is_script(arg))
}

fn args(server: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let args = server.get("args").and_then(Value::as_array);
    args.into_iter().flatten().filter_map(Value::as_str)
}

fn is_named_so(name: &str) -> bool {
    let name = name.to_lowercase().replace('-', "");
    name.starts_with("agenttools")
}

/// With a version or without one.
fn is_package(word: &str) -> bool {
    let rest = word.strip_prefix(PACKAGE);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
}

fn is_program(word: &str) -> bool {
    let file = file_name(word);
    let stem = [".cmd", ".exe", ".js"]
        .into_iter()
        .find_map(|end| file.strip_suffix(end))
        .unwrap_or(file);
    PROGRAMS.contains(&stem)
}

/// The program of an installed package or a clone, which Node is started with.
fn is_script(word: &str) -> bool {
    file_name(word) == "agent-tools-runtime.js"
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ours(name: &str, server: Value) -> bool {
        let Value::Object(server) = server else {
            panic!("no object");
        };
        is_this_runtime(name, &server)
    }

    #[test]
    fn what_starts_or_reaches_this_runtime_is_known() {
        for server in [
            json!({"command": "npx", "args": ["-y", "@rckflr/agent-tools-runtime", "mcp"]}),
            json!({"command": "npx", "args": ["@rckflr/agent-tools-runtime@0.3.0"]}),
            json!({"command": "cmd", "args": ["/c", "npx", "-y", "@rckflr/agent-tools-runtime"]}),
            json!({"command": "node", "args": ["/opt/x/bin/agent-tools-runtime.js", "mcp"]}),
            json!({"command": "C:\\npm\\agent-tools.cmd", "args": ["mcp"]}),
            json!({"command": "/usr/bin/agent-tools-runtime"}),
        ] {
            assert!(ours("any", server.clone()), "{server}");
        }
        for url in [
            "http://127.0.0.1:8321/mcp",
            "https://tools.example/mcp/demo/../mcp/?view=flat",
        ] {
            assert!(ours("agent-tools", json!({ "url": url })), "{url}");
        }
    }

    #[test]
    fn one_with_a_configuration_of_its_own_does_not_start_itself() {
        let starts = |more: Value| {
            let mut server = json!({"command": "agent-tools", "args": ["mcp"]});
            let more = more.as_object().cloned().unwrap_or_default();
            server.as_object_mut().unwrap().extend(more);
            starts_itself(server.as_object().unwrap())
        };
        assert!(starts(json!({})));
        assert!(starts(
            json!({"args": ["mcp", "--view", "flat"], "env": {"LOG": "1"}})
        ));
        assert!(!starts(json!({"args": ["mcp", "--config", "other.json"]})));
        assert!(!starts(json!({"args": ["mcp", "--plugins-dir=other"]})));
        assert!(!starts(
            json!({"env": {"AGENT_TOOLS_CONFIG": "other.json"}})
        ));
        assert!(!starts(json!({"command": "other"})));
    }

    #[test]
    fn others_are_others() {
        for server in [
            json!({"command": "npx", "args": ["-y", "@rckflr/agent-tools-runtime-other"]}),
            json!({"command": "server", "args": ["--project", "agent-tools"]}),
            json!({"command": "my-agent-tools"}),
            json!({"url": "http://127.0.0.1:8321/mcp"}),
            json!({"command": 7, "args": "mcp"}),
        ] {
            assert!(!ours("any", server.clone()), "{server}");
        }
        assert!(!ours(
            "agent-tools",
            json!({"url": "https://x.example/sse"})
        ));
    }
}
