//! How long searches take, by the size of the catalogue: `cargo bench -p agent-tools-runtime --bench search`.
//!
//! What criterion measures are single queries; before it, the percentiles over all queries of the public sets are printed.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::{
    hint::black_box,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use agent_tools_runtime::catalog::search::{Document, SearchIndex, Section, SectionStore, Server};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use serde_json::Value;

fn sets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/retrieval")
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

type Plugins = Vec<(Server, Vec<Document>)>;

/// The tools of LiveMCPBench and of other servers, 1,282 of 98 servers, as often as `times` says.
fn plugins(times: usize) -> Plugins {
    let mut plugins = Plugins::new();
    for round in 0..times {
        for file in ["livemcp", "distractors"] {
            for tool in lines(&sets().join(file).join("tools.jsonl")) {
                let text = |key: &str| tool[key].as_str().unwrap_or_default();
                let server = format!("{}-{round}", text("server"));
                if plugins.last().is_none_or(|(last, _)| last.name != server) {
                    let text = String::new();
                    plugins.push((Server { name: server, text }, Vec::new()));
                }
                let schema = tool["inputSchema"].as_object();
                let document = Document::new(text("name"), text("description"), schema);
                plugins.last_mut().unwrap().1.push(document);
            }
        }
    }
    plugins
}

fn index(plugins: &Plugins) -> SearchIndex {
    let sections = plugins
        .iter()
        .map(|(server, documents)| Arc::new(Section::build(server, documents)));
    SearchIndex::new(sections.collect())
}

/// Of each query the best of three times, so that what else the machine does is left out.
fn percentiles(_: &mut Criterion) {
    for times in [1, 8] {
        let index = index(&plugins(times));
        for set in [
            "livemcp/step.jsonl",
            "livemcp/task.jsonl",
            "metatool/single.jsonl",
            "keywords/livemcp.jsonl",
            "spanish/queries.jsonl",
        ] {
            let queries = lines(&sets().join(set));
            let queries = queries.iter().filter_map(|line| line["query"].as_str());
            let once = |query| {
                let began = Instant::now();
                black_box(index.search(black_box(query), 8));
                began.elapsed()
            };
            let best = |query| (0..3).map(|_| once(query)).min().unwrap();
            let mut took: Vec<Duration> = queries.map(best).collect();
            took.sort_unstable();
            let [p50, p95, p99] = [50, 95, 99].map(|share| took[took.len() * share / 100]);
            println!(
                "{} tools, {} queries of {set}: p50 {p50:?}, p95 {p95:?}, p99 {p99:?}",
                index.len(),
                took.len()
            );
        }
    }
}

fn searches(criterion: &mut Criterion) {
    for times in [1, 8] {
        let plugins = plugins(times);
        let index = index(&plugins);
        let mut group = criterion.benchmark_group(format!("{} tools", index.len()));
        for (name, query) in [
            ("short", "list open issues"),
            (
                "sentence",
                "convert the address of a location into precise geographic coordinates and show it on a map of the city",
            ),
            ("spanish", "borrar un mensaje del correo que ya no necesito"),
            ("misspelt", "conversoin of currrency"),
        ] {
            group.bench_function(name, |bencher| {
                bencher.iter(|| black_box(index.search(black_box(query), 8)));
            });
        }
        group.bench_function("explain", |bencher| {
            bencher.iter(|| black_box(index.explain("list open issues", 0, 0)));
        });
        group.finish();
    }
}

fn building(criterion: &mut Criterion) {
    let plugins = plugins(1);
    let mut group = criterion.benchmark_group("index of 1282 tools");
    group.sample_size(20);
    group.bench_function("built", |bencher| {
        bencher.iter_batched(|| (), |()| index(&plugins), BatchSize::PerIteration);
    });
    let sections: Vec<Arc<Section>> = plugins
        .iter()
        .map(|(server, documents)| Arc::new(Section::build(server, documents)))
        .collect();
    group.bench_function("put together", |bencher| {
        bencher.iter_batched(
            || sections.clone(),
            SearchIndex::new,
            BatchSize::PerIteration,
        );
    });
    let folder = tempfile::tempdir().unwrap();
    let store = SectionStore::below(folder.path());
    let load = || {
        for (server, documents) in &plugins {
            black_box(store.section(server, documents));
        }
    };
    load();
    group.bench_function("read from disk", |bencher| bencher.iter(load));
    group.finish();
}

criterion_group!(benches, percentiles, searches, building);
criterion_main!(benches);
