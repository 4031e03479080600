//! The published JSON Schemas are those of the types that read the files.
//!
//! After a change of the types: `UPDATE_SCHEMAS=1 cargo test --test schemas`.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use agent_tools_runtime::schemas::{config_schema, plugin_schema};
use serde_json::{Value, json};

fn is_published(file: &str, schema: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../bindings-node/schemas")
        .join(file);
    let text = format!("{}\n", serde_json::to_string_pretty(schema).unwrap());
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        published == text,
        "{} is out of date; run: UPDATE_SCHEMAS=1 cargo test --test schemas",
        path.display()
    );
}

#[test]
fn the_schemas_are_published() {
    is_published("agent-tools.schema.json", &config_schema());
    is_published("plugin.schema.json", &plugin_schema());
}

#[test]
fn they_tell_right_from_wrong() {
    let config = jsonschema::validator_for(&config_schema()).unwrap();
    for (file, valid) in [
        (json!({}), true),
        (
            json!({"mcpServers": {"a": {"command": "npx", "args": ["x"], "exclude": ["d_*"], "timeoutMs": 5}}}),
            true,
        ),
        (
            json!({"mcpServers": {"a": {"type": "http", "url": "https://x", "headers": {"A": "${B}"}, "disabled": true}}}),
            true,
        ),
        (json!({"mcpServers": {"a": {"comand": "npx"}}}), false),
        (
            json!({"mcpServers": {"a": {"command": "npx", "args": "x"}}}),
            false,
        ),
        (json!({"mcpserver": {}}), false),
        (
            json!({"openapi": {"p": {"document": "./a.yaml", "requireConfirm": false, "includeTags": ["t"]}}}),
            true,
        ),
        (json!({"openapi": {"p": {"baseUrl": "https://x"}}}), false),
        (
            json!({"cli": {"sort": {"command": "sort", "args": ["-r"], "prefix": "s"}}}),
            true,
        ),
        (json!({"cli": {"sort": {"comand": "sort"}}}), false),
        (
            json!({"plugins": ["./x", {"package": "agent-tools-plugin-x", "prefix": "y"}], "import": ["codex"]}),
            true,
        ),
        (json!({"plugins": [{"pth": "./x"}]}), false),
        (json!({"deadlines": {"callMs": 1}}), true),
        (json!({"deadlines": {"call": 1}}), false),
    ] {
        assert_eq!(config.is_valid(&file), valid, "{file}");
    }
    let plugin = jsonschema::validator_for(&plugin_schema()).unwrap();
    for (file, valid) in [
        (
            json!({"prefix": "x", "adapter": "./a.mjs", "name": "n"}),
            true,
        ),
        (
            json!({"name": "n", "extensions": {"dev.agent-tools-runtime": {"prefix": "x", "mcp": {"command": "y"}}}}),
            true,
        ),
        (
            json!({"name": "n", "extensions": {"dev.agent-tools-runtime": {"mcp": {"command": "y"}}}}),
            false,
        ),
        (json!({"adapter": "./a.mjs"}), false),
        (json!({"prefix": "x", "skills": "./a.mjs"}), false),
    ] {
        assert_eq!(plugin.is_valid(&file), valid, "{file}");
    }
}
