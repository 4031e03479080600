//! An MCP server as people write it down: every spelling of the transport that is in use.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Source;
use crate::{
    adapter::{HttpServer, StdioServer},
    config::keys::{keys_of, unknown_key, with_suggestion},
    reply::{Code, Failure},
};

/// Keys that name the transport. Their values differ from product to product.
const TRANSPORT_KEYS: &[&str] = &["type", "transport", "transportType"];
/// Keys that name the endpoint.
const URL_KEYS: &[&str] = &["url", "serverUrl", "httpUrl"];
/// Keys of other clients that say nothing about how the server is reached.
const FOREIGN: &[&str] = &[
    "alwaysAllow",
    "autoApprove",
    "gallery",
    "icon",
    "trust",
    "version",
];

/// A way to talk to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transport {
    Stdio,
    Http,
    Sse,
}

/// An MCP server as it may stand in a file: what a program and what an endpoint may have, and what other clients write.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = requires_nothing)]
#[allow(dead_code)]
pub(crate) struct McpServer {
    /// `stdio` for a program; `http` (also `streamable-http`) or `sse` for a URL. Found out when absent.
    r#type: Option<String>,
    /// The same as `type`.
    transport: Option<String>,
    /// The same as `type`.
    transport_type: Option<String>,
    /// The same as `url`.
    server_url: Option<String>,
    /// The same as `url`.
    http_url: Option<String>,
    /// Of other clients; ignored.
    always_allow: Option<Value>,
    /// Of other clients; ignored.
    auto_approve: Option<Value>,
    /// Of other clients; ignored.
    trust: Option<Value>,
    /// Of other clients; ignored.
    gallery: Option<Value>,
    /// Of other clients; ignored.
    icon: Option<Value>,
    /// Of other clients; ignored.
    version: Option<Value>,
    #[serde(flatten)]
    program: StdioServer,
    #[serde(flatten)]
    endpoint: HttpServer,
}

/// What a program needs, an endpoint does not have.
fn requires_nothing(schema: &mut schemars::Schema) {
    schema.remove("required");
}

/// Reads the object `mcp`, or an entry of `mcpServers`.
pub(super) fn mcp_source(mcp: Value) -> Result<Source, Failure> {
    let Value::Object(mut mcp) = mcp else {
        return Err(invalid(
            "it is an object with `command`, `module` or `url`".into(),
        ));
    };
    if let Some(wrong) = unknown_key(&mcp, &keys_of::<McpServer>()) {
        return Err(invalid(wrong));
    }
    let named = named_transport(&mut mcp)?;
    for key in FOREIGN {
        mcp.shift_remove(*key);
    }
    for key in URL_KEYS {
        if let Some(url) = mcp.shift_remove(*key) {
            mcp.insert("url".into(), url);
        }
    }
    split_command(&mut mcp);
    let local = mcp.contains_key("command") || mcp.contains_key("module");
    match (local, mcp.contains_key("url"), named) {
        (true, true, _) => Err(invalid(
            "it has both a program (`command` or `module`) and a `url`; which one is meant?".into(),
        )),
        (false, false, _) => Err(invalid(
            "it needs exactly one of `command`, `module` and `url`".into(),
        )),
        (true, false, None | Some(Transport::Stdio)) => {
            if mcp.contains_key("command") == mcp.contains_key("module") {
                return Err(invalid("`command` and `module` exclude each other".into()));
            }
            without(&mut mcp, &["headers"]);
            read(mcp).map(Source::McpStdio)
        }
        (true, false, Some(_)) => Err(invalid(
            "its type is that of a server on the web, which needs a `url`, but it has a `command`"
                .into(),
        )),
        (false, true, Some(Transport::Stdio)) => Err(invalid(
            "its type is stdio, which needs a `command`, but it has a `url`".into(),
        )),
        (false, true, named) => {
            // A file that is shared by several clients may carry them; they mean nothing to a server on the web.
            without(&mut mcp, &["args", "env", "cwd", "envFile"]);
            if named == Some(Transport::Sse) {
                mcp.insert("transport".into(), "sse".into());
            }
            read(mcp).map(Source::McpHttp)
        }
    }
}

/// Takes the transport that the object names, whatever the key and the spelling.
fn named_transport(mcp: &mut Map<String, Value>) -> Result<Option<Transport>, Failure> {
    let mut found = None;
    for key in TRANSPORT_KEYS {
        let Some(value) = mcp.shift_remove(*key) else {
            continue;
        };
        let name = value.get("type").unwrap_or(&value);
        let Some(transport) = name.as_str().and_then(transport) else {
            return Err(invalid(format!(
                "`{key}` is {name}; valid are \"stdio\" for a program, \"http\" (also \"streamable-http\") and \"sse\" for a URL"
            )));
        };
        if found.is_some_and(|other| other != transport) {
            return Err(invalid(format!(
                "`{key}` contradicts another key of the transport"
            )));
        }
        found = Some(transport);
    }
    Ok(found)
}

fn transport(name: &str) -> Option<Transport> {
    let letters: String = name
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | ' '))
        .flat_map(char::to_lowercase)
        .collect();
    match letters.as_str() {
        "stdio" | "local" => Some(Transport::Stdio),
        "http" | "streamablehttp" | "streamable" | "remote" => Some(Transport::Http),
        "sse" => Some(Transport::Sse),
        _ => None,
    }
}

/// `["npx", "-y", "server"]` is a command with its arguments.
fn split_command(mcp: &mut Map<String, Value>) {
    let Some(Value::Array(words)) = mcp.get("command") else {
        return;
    };
    let mut words = words.clone().into_iter();
    let Some(program) = words.next() else { return };
    let mut args: Vec<Value> = words.collect();
    if let Some(Value::Array(more)) = mcp.get("args") {
        args.extend(more.iter().cloned());
    }
    mcp.insert("command".into(), program);
    mcp.insert("args".into(), args.into());
}

fn without(mcp: &mut Map<String, Value>, keys: &[&str]) {
    for key in keys {
        mcp.shift_remove(*key);
    }
}

fn read<T: DeserializeOwned>(mcp: Map<String, Value>) -> Result<T, Failure> {
    serde_json::from_value(mcp.into()).map_err(|error| invalid(with_suggestion(error.to_string())))
}

fn invalid(what: String) -> Failure {
    Failure::new(Code::ConfigInvalid, format!("`mcp`: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_spelling_of_a_transport_is_known() {
        for name in [
            "http",
            "streamable-http",
            "streamableHttp",
            "streamable_http",
            "HTTP",
            "remote",
        ] {
            for key in ["type", "transport", "transportType"] {
                let source = mcp_source(json!({key: name, "url": "http://x/mcp"})).unwrap();
                assert!(matches!(source, Source::McpHttp(_)), "{key}: {name}");
            }
        }
        for server in [
            json!({"url": "http://x/mcp"}),
            json!({"serverUrl": "http://x/mcp"}),
            json!({"transport": {"type": "http"}, "url": "http://x/mcp", "env": {}}),
        ] {
            assert!(matches!(mcp_source(server), Ok(Source::McpHttp(_))));
        }
        for server in [
            json!({"command": "fake"}),
            json!({"type": "stdio", "command": "fake", "autoApprove": ["x"]}),
            json!({"type": "local", "command": "fake"}),
            json!({"module": "x"}),
        ] {
            assert!(matches!(mcp_source(server), Ok(Source::McpStdio(_))));
        }
        let Ok(Source::McpStdio(server)) =
            mcp_source(json!({"command": ["npx", "-y"], "args": ["s"]}))
        else {
            panic!("no program");
        };
        assert_eq!(
            (server.command.as_deref(), server.args),
            (Some("npx"), vec!["-y".into(), "s".into()])
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (server, want) in [
            (
                json!({"type": "banana", "url": "u"}),
                "`type` is \"banana\"; valid are \"stdio\"",
            ),
            (json!({"command": "a", "url": "u"}), "both a program"),
            (json!({"command": "a", "module": "b"}), "exclude each other"),
            (json!({"type": "http", "command": "a"}), "needs a `url`"),
            (json!({"type": "stdio", "url": "u"}), "needs a `command`"),
            (
                json!({"type": "stdio", "transport": "http", "url": "u"}),
                "contradicts",
            ),
            (
                json!({"comand": "a"}),
                "unknown key \"comand\"; did you mean \"command\"?",
            ),
            (json!({"args": []}), "exactly one of"),
            (json!("npx"), "it is an object"),
            (json!({"command": "a", "args": "b"}), "invalid type"),
        ] {
            let failure = mcp_source(server.clone()).unwrap_err();
            assert!(failure.error.contains(want), "{server}: {}", failure.error);
        }
    }
}
