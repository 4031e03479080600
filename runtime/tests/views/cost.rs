//! What a list and the instructions cost at rest, counted as models count.

use agent_tools_runtime::ViewKind;
use serde_json::{Value, json};

use crate::services::{Fixture, open, three, view};

const KINDS: [ViewKind; 3] = [ViewKind::Facade, ViewKind::Unified, ViewKind::Flat];

fn tokens(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

fn cost(tools: &[Value]) -> usize {
    let shown: Vec<Value> = tools
        .iter()
        .map(|tool| {
            json!({ "name": tool["name"], "description": tool["description"], "inputSchema": tool["inputSchema"] })
        })
        .collect();
    tokens(&Value::from(shown).to_string())
}

/// Names that are no words, as long as prefixes may be, described in a script that costs much.
fn many(count: usize, name: impl Fn(usize) -> String) -> Fixture {
    let plugins: Vec<Value> = (0..count)
        .map(|number| {
            json!({
                "prefix": name(number), "host": true, "skills": ["a.mjs"],
                "description": "获取热榜数据并生成报告的服务，支持多个平台 with very many more words than fit here",
            })
        })
        .collect();
    open(Value::from(plugins), json!({}), json!({}))
}

/// Letters in no order, the same ones in every run.
fn gibberish(number: usize) -> String {
    let mut state = number as u64 + 1;
    let letters = (0..42).map(|_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        char::from(letters[(state >> 33) as usize % letters.len()])
    });
    letters.collect()
}

/// Names of published servers, again and again.
fn published(number: usize) -> String {
    let servers = include_str!("../../../bench/retrieval/livemcp/tools.jsonl").lines();
    let mut names: Vec<String> = servers
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|tool| Some(tool["server"].as_str()?.replace(' ', "_")))
        .collect();
    names.dedup();
    let name = &names[number % names.len()];
    match number / names.len() {
        0 => name.clone(),
        round => format!("{name}{round}"),
    }
}

#[tokio::test]
async fn the_unified_view_costs_at_most_200_tokens_whatever_is_behind() {
    let spellings: [fn(usize) -> String; 6] = [
        published,
        |number| gibberish(number)[..6].to_lowercase(),
        |number| format!("service-{number}"),
        |number| format!("a_service_with_a_rather_long_name_{number}"),
        gibberish,
        |number| format!("X{number}"),
    ];
    for count in [0, 1, 2, 3, 8, 12, 13, 70, 500] {
        for spelling in spellings {
            let fixture = many(count, spelling);
            let tools = fixture.list(ViewKind::Unified).await;
            let cost = cost(&tools);
            assert!(cost <= 200, "{count}: {cost}: {}", tools[0]);
            assert_eq!(tools.len(), if count == 0 { 2 } else { 3 });
            for kind in KINDS {
                let text = fixture.runtime.instructions(&view(kind)).await;
                let cost = tokens(&text);
                assert!(cost <= 200, "{count} {kind}: {cost}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn lists_and_instructions_say_what_is_behind() {
    let mut shown = Vec::new();
    let mut add = async |name: &str, fixture: &Fixture| {
        let tools = fixture.list(ViewKind::Unified).await;
        shown.push(format!(
            "# {name}, {} tokens\n{}",
            cost(&tools),
            tools[0]["description"].as_str().unwrap()
        ));
        for kind in KINDS {
            let text = fixture.runtime.instructions(&view(kind)).await;
            shown.push(format!("{kind}, {} tokens: {text}", tokens(&text)));
        }
    };
    add("none", &many(0, gibberish)).await;
    add("three", &three(json!({}))).await;
    add("seventy", &many(70, |number| format!("service{number}"))).await;
    insta::assert_snapshot!(shown.join("\n"));
}

#[tokio::test]
async fn the_unified_view_lists_three_tools_for_all_plugins() {
    let tools = three(json!({})).list(ViewKind::Unified).await;
    insta::assert_json_snapshot!(tools);
}

#[tokio::test]
async fn the_facade_never_costs_less_than_the_unified_view() {
    let one = open(
        json!([{ "prefix": "a", "host": true }]),
        json!({}),
        json!({}),
    );
    let (facade, unified) = (
        one.list(ViewKind::Facade).await,
        one.list(ViewKind::Unified).await,
    );
    assert!(cost(&unified) <= cost(&facade));
}
