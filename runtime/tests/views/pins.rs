//! Tools that are shown directly beside the verbs.

use agent_tools_runtime::ViewKind;
use serde_json::json;

use crate::services::{open, reading, three};

#[tokio::test]
async fn pinned_tools_stand_beside_the_verbs() {
    let fixture = three(json!({ "pin": ["git*/list_issues", "notes/tidy", "notes/write_*"] }));
    let pinned = [
        "github_list_issues",
        "gitlab_list_issues",
        "notes_write_note",
        "notes_skill_tidy",
    ];
    assert_eq!(fixture.names(ViewKind::Unified).await[3..], pinned);
    assert!(
        fixture
            .names(ViewKind::Facade)
            .await
            .ends_with(&pinned.map(str::to_owned))
    );
    let flat = fixture.list(ViewKind::Flat).await;
    for tool in &fixture.list(ViewKind::Unified).await[3..] {
        assert!(flat.contains(tool), "{tool}");
    }
}

#[tokio::test]
async fn pinned_tools_are_called_as_in_the_flat_view_and_read_on_by_verbs() {
    let fixture = three(json!({ "pin": ["github/*", "notes/*"] }));
    for kind in [ViewKind::Unified, ViewKind::Facade] {
        let answer = fixture
            .call_in(kind, "github_list_issues", json!({ "id": "7" }))
            .await;
        assert_eq!(
            answer,
            json!({ "called": ["github", "list_issues"], "with": { "id": "7" } })
        );
        let skill = fixture.call_in(kind, "notes_skill_tidy", json!({})).await;
        assert_eq!(skill["ran"], json!(["notes", "tidy"]));
        let refused = fixture
            .call_in(kind, "notes_write_note", json!({ "text": "x" }))
            .await;
        assert_eq!(refused["code"], "CONFIRM_REQUIRED");
        assert!(
            refused["hint"]
                .as_str()
                .unwrap()
                .contains("notes_write_note {\"text\":\"x\",\"confirm\":true}")
        );
    }
    let long = fixture
        .call_in(ViewKind::Unified, "github_export", json!({}))
        .await;
    let long = long.as_str().unwrap();
    let call = long.split_once("read on: agent_tools_call ").unwrap().1;
    let arguments = serde_json::from_str(call.split_once(" …]").unwrap().0).unwrap();
    let page = fixture.unified("agent_tools_call", arguments).await;
    assert!(
        page["text"].as_str().unwrap().starts_with("row\n"),
        "{page}"
    );
}

#[tokio::test]
async fn a_pin_that_shows_nothing_is_told_and_left_out() {
    let fixture = open(
        json!([{ "prefix": "up", "host": true }, { "prefix": "down", "host": true }]),
        json!({ "up": [reading("a")] }),
        json!({ "pin": ["up/b", "nonsense"] }),
    );
    assert_eq!(fixture.names(ViewKind::Unified).await.len(), 2);
    insta::assert_snapshot!(
        fixture.runtime.status()["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|warning| warning.as_str().unwrap())
            .collect::<Vec<_>>()
            .join("\n")
    );

    let fixture = open(
        json!([{ "prefix": "up", "host": true }, { "prefix": "down", "host": true }]),
        json!({ "up": [reading("a")] }),
        json!({ "pin": ["*/a"] }),
    );
    assert_eq!(fixture.names(ViewKind::Unified).await[2..], ["up_a"]);
    let warnings = fixture.runtime.status()["warnings"].to_string();
    assert!(warnings.contains("nothing of down is pinned"), "{warnings}");
}

#[tokio::test]
async fn what_is_not_pinned_has_no_name_of_its_own_among_verbs() {
    let fixture = three(json!({ "pin": ["github/list_issues"] }));
    let failure = fixture
        .try_call(ViewKind::Unified, "gitlab_merge", json!({}))
        .await
        .unwrap_err();
    assert_eq!(failure.code.as_str(), "UNKNOWN_FACADE_TOOL");
}
