//! What `auto` stands for.

use agent_tools_runtime::ViewKind;
use serde_json::{Value, json};

use crate::services::{Fixture, open, reading, three, view};

fn few() -> Fixture {
    open(
        json!([{ "prefix": "clock", "host": true, "description": "The time" }]),
        json!({ "clock": [reading("now")] }),
        json!({}),
    )
}

#[tokio::test]
async fn few_tools_that_are_known_are_shown_directly() {
    let fixture = few();
    fixture.load().await;
    assert_eq!(
        fixture.names(ViewKind::Auto).await,
        ["clock_now", "read_more"]
    );
    let status = fixture.runtime.status();
    assert_eq!(status["auto"]["kind"], "flat");
    assert!(
        status["auto"]["tokens"]["flat"].as_u64().unwrap() < 400,
        "{status}"
    );
    let said = fixture.runtime.instructions(&view(ViewKind::Auto)).await;
    assert!(said.ends_with("View: flat, as they are few."), "{said}");
    let answer = fixture
        .call_in(ViewKind::Auto, "clock_now", json!({}))
        .await;
    assert_eq!(answer["called"], json!(["clock", "now"]));
}

#[tokio::test]
async fn what_is_not_known_is_not_started_to_choose() {
    let fixture = few();
    let said = fixture.runtime.instructions(&view(ViewKind::Auto)).await;
    assert!(said.ends_with("View: unified."), "{said}");
    assert_eq!(
        fixture.names(ViewKind::Auto).await,
        ["agent_tools_discover", "agent_tools_call"]
    );
    assert_eq!(
        fixture
            .services
            .listed
            .load(std::sync::atomic::Ordering::Relaxed),
        0
    );
    assert_eq!(
        fixture.runtime.status()["auto"]["tokens"]["flat"],
        Value::Null
    );
    // Once chosen, it stays.
    fixture.load().await;
    assert_eq!(fixture.names(ViewKind::Auto).await.len(), 2);
}

#[tokio::test]
async fn many_tools_are_behind_verbs() {
    let tools: Vec<Value> = (0..12)
        .map(|number| reading(&format!("tool_{number}")))
        .collect();
    let plugins = json!([{ "prefix": "many", "host": true }]);
    let fixture = open(plugins, json!({ "many": tools }), json!({}));
    fixture.load().await;
    assert_eq!(
        fixture.list(ViewKind::Auto).await,
        fixture.list(ViewKind::Unified).await
    );
    let none = open(json!([]), json!({}), json!({}));
    assert_eq!(none.names(ViewKind::Auto).await[0], "agent_tools_discover");
}

#[tokio::test]
async fn names_of_the_facade_work_in_every_view() {
    let fixture = three(json!({}));
    for kind in [
        ViewKind::Auto,
        ViewKind::Unified,
        ViewKind::Facade,
        ViewKind::Flat,
    ] {
        for (name, arguments) in [
            ("agent_tools_help", json!({})),
            ("agent_tools_notes_discover", json!({})),
            ("agent_tools_notes_call", json!({ "toolName": "read_note" })),
            ("agent_tools_notes_run_skill", json!({ "skill": "tidy" })),
            (
                "agent_tools_call",
                json!({ "plugin": "notes", "toolName": "read_note" }),
            ),
        ] {
            let answer = fixture.call_in(kind, name, arguments).await;
            assert_ne!(answer["isError"], true, "{kind} {name}: {answer}");
        }
    }
}
