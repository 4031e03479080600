//! What replies of `discover` cost, counted as models count, over the 527 tools of LiveMCPBench.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::{collections::BTreeMap, sync::Arc};

use agent_tools_runtime::{
    Call, Options, Runtime, SearchOptions,
    adapter::{HostBridge, async_trait},
};
use serde_json::{Value, json};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench/retrieval/");

/// Answers for every server of the benchmark.
struct Servers(BTreeMap<String, Vec<Value>>);

#[async_trait]
impl HostBridge for Servers {
    async fn dispatch(&self, op: &'static str, request: String) -> Result<String, String> {
        let request: Value = serde_json::from_str(&request).map_err(|error| error.to_string())?;
        let answer = match op {
            "open" => json!({ "skills": [] }),
            "listTools" if request["plugin"].as_str().unwrap().starts_with("down") => {
                let message =
                    "the environment variable SERVICE_ACCESS_TOKEN of the server is not set";
                return Ok(json!({ "err": { "message": message } }).to_string());
            }
            "listTools" => json!({ "tools": self.0[request["plugin"].as_str().unwrap()] }),
            _ => Value::Null,
        };
        Ok(json!({ "ok": answer }).to_string())
    }
}

fn rows(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(format!("{DATA}{file}")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn open() -> (Runtime, Vec<String>, Vec<String>) {
    open_with(0)
}

/// With so many plugins more that cannot be listed.
fn open_with(down: usize) -> (Runtime, Vec<String>, Vec<String>) {
    let mut servers: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut names = Vec::new();
    for tool in rows("livemcp/tools.jsonl") {
        let server: String = tool["server"].as_str().unwrap().chars().take(42).collect();
        let server: String = server
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        names.push(tool["name"].as_str().unwrap().replace(['_', '-'], " "));
        servers.entry(server).or_default().push(tool);
    }
    let prefixes: Vec<String> = servers.keys().cloned().collect();
    let failing = (0..down).map(|number| format!("down-service-{number}"));
    let plugins: Vec<Value> = (prefixes.iter().cloned().chain(failing))
        .map(|prefix| json!({ "prefix": prefix, "host": true }))
        .collect();
    let options: Options =
        serde_json::from_value(json!({ "plugins": plugins, "cache": false })).unwrap();
    (
        Runtime::open(options, Some(Arc::new(Servers(servers)))),
        prefixes,
        names,
    )
}

async fn text(runtime: &Runtime, name: &str, arguments: Value) -> String {
    let reply = runtime
        .call(Call::to(name).arguments(arguments))
        .await
        .unwrap();
    assert!(!reply.is_error, "{reply:?}");
    reply.content[0]["text"].as_str().unwrap().to_owned()
}

fn tokens(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

#[tokio::test]
async fn five_hits_cost_no_more_than_250_tokens() {
    let (runtime, _, names) = open();
    // Whatever is listed late is named as missing, and costs tokens of its own.
    runtime.load_all().await;
    let spanish = rows("spanish/queries.jsonl");
    let queries = spanish
        .iter()
        .map(|row| row["query"].as_str().unwrap().to_owned());
    let mut costs = Vec::new();
    for query in queries.chain(names) {
        let reply = text(&runtime, "agent_tools_discover", json!({ "query": query })).await;
        let cost = tokens(&reply);
        assert!(cost <= 250, "{cost} tokens for {query:?}:\n{reply}");
        if reply.starts_with("5 of ") {
            costs.push(cost);
        }
    }
    costs.sort_unstable();
    let mean = costs.iter().sum::<usize>() / costs.len();
    println!(
        "{} replies with 5 hits: mean {mean}, median {}",
        costs.len(),
        costs[costs.len() / 2]
    );
    assert!(
        costs.len() > 400 && mean <= 225,
        "{} replies, {mean} tokens in the mean",
        costs.len()
    );
}

#[tokio::test]
async fn five_hits_cost_no_more_with_what_was_not_searched() {
    let (runtime, _, names) = open_with(20);
    // Waits for all there is: what is listed late would be counted with what failed.
    let everything = SearchOptions::default();
    runtime.search("anything", &everything).await.unwrap();
    for query in names.iter().step_by(10) {
        let reply = text(&runtime, "agent_tools_discover", json!({ "query": query })).await;
        let cost = tokens(&reply);
        assert!(reply.contains("and 17 more."), "{reply}");
        assert!(cost <= 250, "{cost} tokens for {query:?}:\n{reply}");
    }
}

#[tokio::test]
async fn overviews_cost_no_more_than_250_and_400_tokens() {
    let (runtime, prefixes, _) = open();
    // Whatever is listed late is named as missing, and costs tokens of its own.
    runtime.load_all().await;
    let all = text(&runtime, "agent_tools_discover", json!({})).await;
    assert!(tokens(&all) <= 400, "{} tokens:\n{all}", tokens(&all));
    for prefix in &prefixes {
        assert!(
            all.contains(prefix.as_str()),
            "{prefix} is not named:\n{all}"
        );
        let one = text(
            &runtime,
            &format!("agent_tools_{prefix}_discover"),
            json!({}),
        )
        .await;
        assert!(tokens(&one) <= 250, "{} tokens:\n{one}", tokens(&one));
    }
}

#[tokio::test]
async fn every_call_that_is_written_out_is_one_that_can_be_read() {
    let (runtime, _, names) = open();
    // Whatever is listed late is named as missing, and costs tokens of its own.
    runtime.load_all().await;
    let mut calls = 0;
    for name in names {
        let reply = text(&runtime, "agent_tools_discover", json!({ "query": name })).await;
        let bodies = reply.lines().filter_map(|line| {
            line.strip_prefix("agent_tools_call ")
                .or_else(|| line.strip_prefix('{').map(|_| line))
        });
        for body in bodies {
            let body: Value = serde_json::from_str(body).expect(body);
            assert!(body["plugin"].is_string() && body["toolName"].is_string());
            assert!(body["arguments"].is_object(), "{body}");
            calls += 1;
        }
    }
    assert!(calls > 1200, "{calls} calls");
}
