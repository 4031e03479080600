//! A list is the same bytes for as long as the plugins are the same.

use agent_tools_runtime::{View, ViewKind};
use serde_json::{Value, json};

use crate::services::{Fixture, three};

const KINDS: [ViewKind; 4] = [
    ViewKind::Facade,
    ViewKind::Unified,
    ViewKind::Flat,
    ViewKind::Auto,
];

async fn bytes(fixture: &Fixture) -> Vec<String> {
    let mut bytes = Vec::new();
    for kind in KINDS {
        for plugin in [None, Some("notes".to_owned())] {
            let tools = fixture.runtime.tools(&View { kind, plugin }).await.unwrap();
            bytes.push(Value::from(tools).to_string());
        }
    }
    bytes
}

#[tokio::test]
async fn calls_searches_and_starts_change_no_list() {
    for more in [json!({}), json!({ "pin": ["github/*", "notes/tidy"] })] {
        let fixture = three(more);
        let before = bytes(&fixture).await;
        for (name, arguments) in [
            ("agent_tools_discover", json!({ "query": "issues" })),
            ("agent_tools_discover", json!({})),
            ("agent_tools_gitlab_discover", json!({})),
            (
                "agent_tools_call",
                json!({ "plugin": "gitlab", "toolName": "merge" }),
            ),
            ("agent_tools_call", json!({ "toolName": "nothing" })),
            (
                "agent_tools_run_skill",
                json!({ "plugin": "notes", "skill": "tidy" }),
            ),
        ] {
            fixture.unified(name, arguments).await;
            assert!(bytes(&fixture).await == before, "{name}");
        }
        fixture.load().await;
        assert!(bytes(&fixture).await == before);
        fixture.runtime.reload().await.unwrap();
        assert!(bytes(&fixture).await == before, "the plugins are the same");
    }
}

#[tokio::test]
async fn what_is_known_late_changes_no_list_either() {
    let fixture = three(json!({}));
    let first = fixture.list(ViewKind::Facade).await;
    fixture.load().await;
    assert_eq!(fixture.list(ViewKind::Facade).await, first);
    // A runtime that knew it from the beginning says more.
    let knowing = three(json!({}));
    knowing.load().await;
    let tools = knowing.list(ViewKind::Facade).await;
    let gitlab = tools
        .iter()
        .find(|tool| tool["name"] == "agent_tools_gitlab_discover");
    insta::assert_snapshot!(gitlab.unwrap()["description"].as_str().unwrap());
}
